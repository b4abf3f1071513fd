#include "conformance/drivers/stream/conversation.hpp"

#include <gmock/gmock.h>
#include <bit>

#include <deque>

#include "conformance/tests/fake_process.hpp"
#include "conformance/tests/fixture.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::conformance::testing {
namespace {

using ::testing::HasSubstr;

/// Runs one case and gives how it ended.
reports::CaseResult ending(Simulation& simulation, std::function<void(Stage&)> run) {
  return simulation.play(unit_that("case", std::move(run))).front();
}

TEST(Conversation, WaitsForAMessageAndNotForEachOfItsBytes) {
  Simulation simulation;
  simulation.context.fences = false;
  const auto result = ending(simulation, [&](Stage& stage) {
    const std::string key = stage.key("k");
    stage.connection().ask(insert(key, 1), success());
    simulation.network.deliver_at_most(1);
    simulation.network.delay_arrivals(test_deadline / 4);
    stage.connection().ask(query(key));
  });
  EXPECT_EQ(result.verdict, reports::Verdict::fail);
  EXPECT_EQ(result.reason,
            "the target was silent after 2 bytes of it where the reply to QUERY was due");
}

/// Wants to run, and gets no time until it was looked at so often; then its reply comes.
class StarvedProcess : public FakeProcess {
 public:
  StarvedProcess(SimulatedNetwork& network, unsigned looks)
      : FakeProcess([] { return ProcessFigures(); }), network_(network), looks_(looks) {}
  Watched watch() override { return {nullptr, true}; }
  bool starved(const Watched&) override {
    if (looks_ > 0 && --looks_ == 0) network_.delay_arrivals(0);
    return true;
  }

 private:
  SimulatedNetwork& network_;
  unsigned looks_;
};

/// Waits for a reply that comes once the process has been looked at often enough.
reports::CaseResult waiting_for(StarvedProcess& process, Simulation& simulation) {
  simulation.network.start_as(process);
  simulation.patience.spend(Patience::budget(test_deadline));
  return ending(simulation, [&](Stage& stage) {
    const std::string key = stage.key("k");
    stage.connection().ask(insert(key, 1), success());
    simulation.network.delay_arrivals(2 * test_deadline);
    stage.connection().ask(query(key));
    stage.connection().ask(purge(key));
  });
}

TEST(Conversation, TakesNoProcessForSilentThatIsKeptFromTheProcessor) {
  constexpr unsigned never = 0;
  for (const unsigned looks : {3U, never}) {
    Simulation simulation;
    StarvedProcess process(simulation.network, looks);
    const auto result = waiting_for(process, simulation);
    EXPECT_EQ(result.verdict, looks == never ? reports::Verdict::fail : reports::Verdict::pass)
        << result.reason;
  }
}

/// Rests when it is looked at; its reply is on the way by then.
class RestingProcess : public StarvedProcess {
 public:
  explicit RestingProcess(SimulatedNetwork& network) : StarvedProcess(network, 1) {}
  bool starved(const Watched& watched) override { return !StarvedProcess::starved(watched); }
};

TEST(Conversation, TakesAReplyThatCameWhileTheProcessWasLookedAt) {
  Simulation simulation;
  RestingProcess process(simulation.network);
  const auto result = waiting_for(process, simulation);
  EXPECT_EQ(result.verdict, reports::Verdict::pass) << result.reason;
}

void use_up(Patience& patience) {
  for (int i = 0; i < 100; ++i) patience.spend(patience.allowance());
}

TEST(Conversation, WaitsForAsLongAsTheUsualReplyTakesHoweverLittleIsLeft) {
  Simulation simulation;
  use_up(simulation.patience);
  EXPECT_EQ(simulation.context.wanted(Patience::For::replies), test_deadline / 250);
  const Time usual = std::bit_floor(test_deadline / 40);
  simulation.context.reply_times.note(usual - 1);
  EXPECT_EQ(simulation.context.wanted(Patience::For::replies), 4 * usual);
  for (int i = 0; i < 100; ++i) simulation.context.reply_times.note(test_deadline);
  EXPECT_EQ(simulation.context.wanted(Patience::For::replies), test_deadline / 5);
}

TEST(Conversation, ASilenceThatNobodyWaitedOutSaysLittle) {
  for (const bool has_time : {true, false}) {
    Simulation simulation;
    if (!has_time) use_up(simulation.patience);
    const auto result = ending(simulation, [&](Stage& stage) {
      simulation.network.delay_arrivals(2 * test_deadline);
      stage.connection().ask(query(stage.key("k")));
    });
    EXPECT_EQ(result.verdict, reports::Verdict::fail);
    EXPECT_EQ(simulation.context.unsure.contains(result.id), !has_time);
  }
}

TEST(Conversation, KnowsWhenARequestCanHaveBeenHandled) {
  Simulation simulation;
  const auto result = ending(simulation, [&](Stage& stage) {
    const std::string key = stage.key("k");
    const Time before = stage.now();
    const Window window = stage.connection().ask(insert(key, 1), success()).window();
    EXPECT_GT(window.earliest, before);
    EXPECT_GT(window.latest, window.earliest);
    EXPECT_LE(window.latest, stage.now());
  });
  EXPECT_EQ(result.verdict, reports::Verdict::pass) << result.reason;
}

TEST(Conversation, CountsACutRequestFromItsLastPart) {
  Simulation simulation;
  const auto result = ending(simulation, [&](Stage& stage) {
    const Outgoing request = encoded(stage.format(), insert(stage.key("k"), 1));
    const std::size_t half[] = {request.bytes.size() / 2};
    Time between = 0;
    stage.connection().send_cut(request, half, [&] {
      stage.wait_until(stage.now() + 1'000'000);
      between = stage.now();
    });
    EXPECT_GE(stage.connection().reply(success()).window().earliest, between);
  });
  EXPECT_EQ(result.verdict, reports::Verdict::pass) << result.reason;
}

TEST(Conversation, TellsDeliveriesFromReplies) {
  Simulation simulation;
  const auto result = ending(simulation, [](Stage& stage) {
    Conversation& subscriber = stage.connection("a");
    subscriber.ask(subscribe("ch"), success());
    stage.connection("b").send(publish("ch", "one"));
    subscriber.send(query("absent"));
    stage.connection("b").send(publish("ch", "two"));
    subscriber.reply(failure());
    subscriber.delivery("ch", "one");
    subscriber.delivery("ch", "two");
  });
  EXPECT_EQ(result.verdict, reports::Verdict::pass) << result.reason;
}

TEST(Conversation, RefusesAReplyThatIsLargerThanTheLimit) {
  Simulation simulation;
  simulation.context.max_reply_bytes = 64;
  const auto result = ending(simulation, [](Stage& stage) {
    const std::string key = stage.key("k");
    stage.connection().ask(set(key, std::string(200, 'v')), success());
    stage.connection().ask(get(key));
  });
  EXPECT_EQ(result.verdict, reports::Verdict::fail);
  EXPECT_THAT(result.reason, HasSubstr("the reply to GET is malformed"));
}

TEST(Conversation, FenceFindsASurplusReplyWhateverItsStatus) {
  Simulation simulation(Bug::insert_replies_twice);
  const auto result = ending(simulation, [](Stage& stage) {
    stage.connection().ask(insert(stage.key("k"), 1), success());
  });
  EXPECT_EQ(result.verdict, reports::Verdict::fail);
}

TEST(Conversation, LeavesItsChannelsBehind) {
  Simulation simulation;
  ending(simulation, [](Stage& stage) { stage.connection().ask(subscribe("ch"), success()); });
  const auto result = ending(simulation, [](Stage& stage) {
    stage.connection("a").ask(subscribe("ch"), success());
    stage.connection("b").ask(unsubscribe("ch"), failure());
  });
  EXPECT_EQ(result.verdict, reports::Verdict::pass) << result.reason;
}

/// A format with other answers than those of released servers.
const WireFormat& reading(const protocol::Dialect& dialect, protocol::Width width, Chosen answer) {
  static std::deque<WireFormat> formats;
  protocol::Readings readings(dialect, protocol::Profile::deployed);
  EXPECT_TRUE(readings.set(answer.reading, answer.answer));
  return formats.emplace_back(width, readings);
}

const WireFormat& any_order() {
  static const WireFormat& format =
      reading(protocol::throttr_2_0, protocol::Width::u64, {"reply-order", "any-order"});
  return format;
}

const WireFormat& without_status() {
  static const WireFormat& format =
      reading(protocol::throttr_7_1, protocol::Width::u16, {"status-prefix", "no"});
  return format;
}

TEST(RequestIds, AreNewForEveryRequestAndKeptWhereTheyAreGiven) {
  Simulation simulation(Bug::none, format_2_0(), format_2_0());
  const auto result = ending(simulation, [](Stage& stage) {
    Conversation& connection = stage.connection();
    const std::string key = stage.key("k");
    const auto first = connection.ask(query(key)).number("request_id");
    const auto second = connection.ask(query(key)).number("request_id");
    EXPECT_NE(first, second);
    Request given = query(key);
    given.values.set("request_id", std::uint64_t{77});
    EXPECT_EQ(connection.ask(given).number("request_id"), 77U);
  });
  EXPECT_EQ(result.verdict, reports::Verdict::pass) << result.reason;
}

TEST(RequestIds, ThatAReplyDoesNotRepeatAreShownInTheirField) {
  Simulation simulation(Bug::other_request_id, format_2_0(), format_2_0());
  const auto result = ending(simulation, [](Stage& stage) {
    Request request = query("absent");
    request.values.set("request_id", std::uint64_t{77});
    stage.connection().ask(request);
  });
  EXPECT_EQ(result.verdict, reports::Verdict::fail);
  EXPECT_EQ(result.reason, "QUERY: request_id is 0, expected 77");
  const auto& exchange = result.evidence.back();
  EXPECT_EQ(exchange.fields.front().path, "request_id");
  EXPECT_TRUE(exchange.fields.front().wrong);
  EXPECT_EQ(exchange.fields.front().expected, "77");
  EXPECT_EQ(exchange.expected, (base::Bytes{77, 0, 0, 0, 0}));
}

/// Two requests at once, of which only the second finds something.
void ask_twice(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  connection.ask(insert(key, 5), success());
  const Outgoing requests[] = {encoded(stage.format(), query("absent")),
                               encoded(stage.format(), query(key))};
  connection.send_together(requests);
  connection.reply(failure());
  connection.reply({is("status", 1), is("quota", 5), any("ttl_type"), any("ttl")});
}

TEST(RequestIds, TellRepliesApartWhereTheyComeInAnyOrder) {
  for (const Bug bug : {Bug::none, Bug::replies_backwards}) {
    Simulation simulation(bug, format_2_0(), any_order());
    const auto result = ending(simulation, ask_twice);
    EXPECT_EQ(result.verdict, reports::Verdict::pass) << result.reason;
  }
}

TEST(RequestIds, ShowThatRepliesAreNotInTheirOrder) {
  Simulation simulation(Bug::replies_backwards, format_2_0(), format_2_0());
  const auto result = ending(simulation, ask_twice);
  EXPECT_EQ(result.verdict, reports::Verdict::fail);
  EXPECT_THAT(result.reason, HasSubstr("request_id is "));
}

TEST(RequestIds, ThatNobodyUsedAreWrongInAnyOrderToo) {
  Simulation simulation(Bug::other_request_id, format_2_0(), any_order());
  const auto result = ending(simulation, ask_twice);
  EXPECT_EQ(result.verdict, reports::Verdict::fail);
  EXPECT_THAT(result.reason, HasSubstr("request_id is "));
}

TEST(Conversation, JudgesTheChannelOfAPublicationWhereItIsNamed) {
  Simulation simulation(Bug::other_channel, format_7_3(), format_7_3());
  const auto result = ending(simulation, [](Stage& stage) {
    stage.connection("a").ask(subscribe("ch"), success());
    stage.connection("b").ask(publish("ch", "payload"), success());
    stage.connection("a").delivery("ch", "payload");
  });
  EXPECT_EQ(result.verdict, reports::Verdict::fail);
  EXPECT_EQ(result.reason, "EVENT: channel is \"ch!\", expected \"ch\"");
}

TEST(Conversation, PassesOverWhatIsPublishedForEveryone) {
  Simulation simulation(Bug::greets_everyone, format_7_3(), format_7_3());
  const auto result = ending(simulation, [](Stage& stage) {
    stage.connection("a").ask(subscribe("ch"), success());
    stage.connection("b").ask(publish("ch", "payload"), success());
    stage.connection("a").delivery("ch", "payload");
  });
  EXPECT_EQ(result.verdict, reports::Verdict::pass) << result.reason;
}

TEST(Conversation, DoesNotMissAStatusThatTheLayoutDoesNotHave) {
  Simulation simulation(Bug::none, without_status(), without_status());
  const auto result = ending(simulation, [](Stage& stage) {
    const Message reply = stage.connection().ask(bare("WHOAMI"), {is("status", 1), any("id")});
    EXPECT_EQ(reply.bytes().size(), 16U);
    EXPECT_TRUE(reply.succeeded());
  });
  EXPECT_EQ(result.verdict, reports::Verdict::pass) << result.reason;
}

/// The id of the third connection starts with the first byte of a delivery.
TEST(Conversation, TakesWhatMayStartWithAnyByteForAReply) {
  Simulation simulation(Bug::none, without_status(), without_status());
  const auto result = ending(simulation, [](Stage& stage) {
    for (const char* const name : {"a", "b", "c", "d"}) {
      Conversation& connection = stage.connection(name);
      connection.ask(subscribe("ch"), success());
      EXPECT_EQ(connection.ask(bare("WHOAMI")).bytes().size(), 16U);
    }
  });
  EXPECT_EQ(result.verdict, reports::Verdict::pass) << result.reason;
}

TEST(Conversation, KnowsWhatADialectDoesNotHave) {
  Simulation simulation(Bug::none, format_2_0(), format_2_0());
  const auto result =
      ending(simulation, [](Stage& stage) { stage.connection().ask(set("k", "value")); });
  EXPECT_EQ(result.verdict, reports::Verdict::error);
  EXPECT_EQ(result.reason, "throttr-2.0 has no SET");
}

}  // namespace
}  // namespace hallmark::conformance::testing
