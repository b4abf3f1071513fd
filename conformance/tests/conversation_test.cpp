#include "conformance/conversation.hpp"

#include <gmock/gmock.h>

#include "conformance/tests/fixture.hpp"

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
            "the target was silent after 3 bytes of it where the reply to QUERY was due");
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
    subscriber.delivery("one");
    subscriber.delivery("two");
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

}  // namespace
}  // namespace hallmark::conformance::testing
