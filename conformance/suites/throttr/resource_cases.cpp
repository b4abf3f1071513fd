#include <fmt/format.h>

#include <algorithm>

#include "conformance/suites/throttr/cases.hpp"
#include "conformance/suites/throttr/ends.hpp"
#include "conformance/suites/throttr/support.hpp"

/// Tests what one stranger, or a crowd of them, may do with connections. Others are answered
/// meanwhile.
namespace hallmark::conformance {
namespace {

using protocol::Level;

constexpr Time millisecond = 1'000'000;

/// Requests whose replies are larger than they are, where the dialect has such.
struct Flood {
  Request request;
  Patterns reply;
  std::size_t count;
};

/// Together their replies are more than the buffers of both ends of a connection are likely to
/// hold, but for dialects whose replies are all short.
Flood flood_of(Stage& stage) {
  constexpr std::size_t most_bytes = std::size_t{12} << 20;
  const std::string key = stage.key("k");
  if (!stage.format().has("SET")) {
    stage.connection("c1").ask(insert(key, 7), success());
    return {query(key), counter_of(7), 20'000};
  }
  const std::string value(std::min(longest_value(stage.format()), large_value_size), 'v');
  rest_on_value(stage, key, value);
  return {get(key),
          {is("status", 1), any("ttl_type"), any("ttl"), is("value", value)},
          std::min<std::size_t>(20'000, most_bytes / value.size())};
}

std::vector<Outgoing> times(Stage& stage, const Flood& flood) {
  return std::vector<Outgoing>(flood.count, encoded(stage.format(), flood.request));
}

/// Until the target takes no more for a while.
void send_as_far_as_it_goes(Stage& stage, Conversation& connection) {
  constexpr int quiet_looks = 10;
  for (int quiet = 0; quiet < quiet_looks;) {
    stage.wait_until(stage.now() + millisecond);
    quiet = connection.send_more() ? 0 : quiet + 1;
  }
}

enum class MayEnd : bool { no, yes };

/// Reads replies of which many wait: all, or the first of them and then the end of the connection
/// if it may end. Result: whether all came.
///
/// The next bytes are taken for a reply, also behind some that were lost. How much the systems of
/// both ends held decides what shows the loss, so that the code says no more than that.
bool read_flood(Conversation& connection, const Flood& flood, MayEnd may_end) {
  std::size_t read = 0;
  try {
    for (; read < flood.count; ++read) {
      if (may_end == MayEnd::no) {
        connection.reply(flood.reply);
      } else if (const auto reply = connection.reply_or_end()) {
        connection.judge(*reply, flood.reply);
      } else {
        return false;
      }
    }
  } catch (const CaseEnded& ended) {
    Judgement judgement = ended.judgement();
    if (judgement.verdict == reports::Verdict::fail && read > 0)
      judgement.code = {.kind = Code::Kind::desynchronised,
                        .message = std::string(flood.request.operation),
                        .promise = "replies that wait are sent whole, and in order"};
    throw CaseEnded(std::move(judgement));
  }
  return true;
}

/// ns; what the target needs for the flood, by a small part of it that is read at once. That has a
/// connection of its own: a system holds more for one that has been read from.
Time time_for(Stage& stage, const Flood& flood) {
  constexpr std::size_t part = 20;
  Conversation& connection = stage.connection("paced");
  const std::vector<Outgoing> some(flood.count / part, encoded(stage.format(), flood.request));
  const Time begun = stage.now();
  connection.send_together(some);
  for (std::size_t i = 0; i < some.size(); ++i) connection.reply(flood.reply);
  return static_cast<Time>(part) * (stage.now() - begun);
}

/// The client sends the flood, and reads nothing for `unread` ns.
void ask_ahead(Stage& stage, const Flood& flood, Time unread) {
  Conversation& connection = stage.connection("ahead");
  connection.send_ahead(times(stage, flood));
  send_as_far_as_it_goes(stage, connection);
  stage.wait_until(stage.now() + unread);
  expect_bystander(stage, "requests sent far ahead of what is read");
  connection.send_rest();
  if (!read_flood(connection, flood, MayEnd::yes)) stage.close("ahead");
  expect_bystander(stage, "requests sent far ahead of what is read");
}

/// The client reads when the target has had the time for all replies: what that does with those
/// which nobody takes shows each time.
void sent_ahead(Stage& stage) {
  constexpr Time longest = 1'000 * millisecond;
  const Flood flood = flood_of(stage);
  ask_ahead(stage, flood, std::min(time_for(stage, flood), longest));
}

/// The replies wait in the target when it learns that nothing more will be asked.
void ask_and_half_close(Stage& stage, const Flood& flood) {
  Conversation& connection = stage.connection("half");
  connection.send_together(times(stage, flood));
  connection.finish_sending();
  stage.wait_until(stage.now() + 5 * millisecond);
  read_flood(connection, flood, MayEnd::no);
  if (!connection.finish().bytes.empty())
    stage.fail({.kind = Code::Kind::surplus},
               "bytes came behind the last reply of a connection that had ended its sending");
  stage.close("half");
}

/// Asks for more replies each time: nobody tells how much the buffers on the way hold. In one round
/// they are full, and so little is left that the target has answered everything.
void half_close(Stage& stage) {
  constexpr std::size_t rounds = 15;
  Flood flood = flood_of(stage);
  const std::size_t most = flood.count;
  for (std::size_t round = 1; round <= rounds; ++round) {
    flood.count = most * round / rounds;
    ask_and_half_close(stage, flood);
  }
}

void connect_and_leave(Stage& stage) {
  for (int i = 0; i < 20; ++i) {
    stage.connection("brief");
    stage.close("brief");
  }
  expect_bystander(stage, "connections that said nothing");
}

/// The target's first replies reach a connection that is closed; where it writes the others, there
/// is none any more.
void ask_and_leave(Stage& stage) {
  constexpr std::size_t bytes = std::size_t{64} << 10;
  const Outgoing request = encoded(stage.format(), query(stage.key("absent")));
  const std::vector<Outgoing> many(bytes / request.bytes.size(), request);
  for (int i = 0; i < 20; ++i) {
    stage.connection("brief").send_together(many);
    stage.close("brief");
    expect_bystander(stage, "connections that asked much and left at once");
  }
}

/// A target that dies of much input at once does so or not, as the system cuts the input: the case
/// that reads all replies decides it.
void replies_unread(Stage& stage) {
  const Flood flood = flood_of(stage);
  rest_on(stage, {"requests sent far ahead of what is read", "resources/sent-ahead",
                  [&] { ask_ahead(stage, flood, 0); }});
  for (int i = 0; i < 3; ++i) {
    Conversation& connection = stage.connection("brief");
    connection.send_ahead(times(stage, flood));
    send_as_far_as_it_goes(stage, connection);
    if (i % 2 == 0) connection.reset();
    stage.close("brief");
    expect_bystander(stage, "connections that closed with replies unread");
    expect_end(stage, "a connection that closed with replies unread, another one",
               send_wrong(stage, {}, stage.key("canary")), {End::recovered});
  }
}

/// A connection is reset within a request. What it leaves behind must not reach the next
/// connection.
void reset_inside(Stage& stage) {
  const Outgoing request = encoded(stage.format(), insert(stage.key("k"), 5));
  const auto half = base::ByteView(request.bytes).first(request.bytes.size() / 2);
  for (int i = 0; i < 50; ++i) {
    Conversation& connection = stage.connection("brief");
    const std::vector<Outgoing> whole(10, request);
    if (i % 2 == 0) connection.send_together(whole);
    connection.send_raw(half);
    connection.reset();
    stage.close("brief");
    expect_end(stage, "a connection that was reset within a request, the next one",
               send_wrong(stage, {}, stage.key("canary")), {End::recovered});
  }
}

/// Publications for a subscriber that is gone reach nobody, least of all who came in its place.
void subscriber_reset(Stage& stage) {
  const std::string name = stage.channel("ch");
  Conversation& publisher = stage.connection("publisher");
  for (int i = 0; i < 10; ++i) {
    Conversation& gone = stage.connection("gone");
    gone.ask(subscribe(name), success());
    gone.reset();
    stage.close("gone");
    Conversation& heir = stage.connection("heir");
    heir.ask(query(stage.key("k")), failure());
    publisher.send(publish(name, "for nobody"));
    if (stage.format().reply(stage.format().operation("PUBLISH")).sent()) publisher.reply();
    publisher.fence();
    const auto farewell = heir.finish();
    if (!farewell.bytes.empty())
      stage.fail({.kind = Code::Kind::wrong_recipient},
                 "a new connection received what was published for one that was reset");
    stage.close("heir");
  }
}

std::string numbered(std::size_t number, std::size_t size) {
  std::string payload = fmt::format("{:08}", number);
  payload.resize(size, '.');
  return payload;
}

/// Everything that was published, or the first of it and then the end of the connection.
void expect_deliveries_or_end(Stage& stage, const std::string& channel, std::size_t count,
                              std::size_t size) {
  Conversation& subscriber = stage.connection("subscriber");
  for (std::size_t i = 0; i < count; ++i) {
    const auto delivery = subscriber.delivery_or_end();
    if (!delivery) return stage.close("subscriber");
    subscriber.judge(*delivery, {is("channel", channel), is("payload", numbered(i, size))});
  }
}

/// A publication of that size reaches a subscriber that reads.
void rest_on_payload(Stage& stage, std::size_t size) {
  const std::string name = stage.channel("before");
  rest_on(stage, {fmt::format("a payload of {} bytes", size), "publish/any-payload", [&] {
                    stage.connection("reader").ask(subscribe(name), success());
                    publish_to(stage, stage.connection("writer"), name, numbered(0, size));
                    stage.connection("reader").delivery(name, numbered(0, size));
                  }});
  stage.close("reader");
  stage.close("writer");
}

void slow_subscriber(Stage& stage) {
  const std::size_t size = std::min(longest_value(stage.format()), large_value_size);
  rest_on_payload(stage, size);
  const std::size_t count = std::min<std::size_t>((std::size_t{12} << 20) / size, 10'000);
  const std::string name = stage.channel("ch");
  stage.connection("subscriber").ask(subscribe(name), success());
  Conversation& publisher = stage.connection("publisher");
  for (std::size_t i = 0; i < count; ++i) publish_to(stage, publisher, name, numbered(i, size));
  publisher.fence();
  expect_bystander(stage, "publications for a subscriber that reads nothing");
  expect_deliveries_or_end(stage, name, count, size);
}

/// Half a request from each of many, then the other half.
void slow_writers(Stage& stage) {
  constexpr int writers = 100;
  const Outgoing request = encoded(stage.format(), query(stage.key("k")));
  const base::ByteView bytes = request.bytes;
  const auto name = [](int i) { return fmt::format("slow{}", i); };
  std::vector<Outgoing> asked;
  for (int i = 0; i < writers; ++i)
    asked.push_back(stage.connection(name(i)).start(request, bytes.size() / 2));
  {
    const Counted owed(stage.context().halves);
    expect_bystander(stage, fmt::format("half a request on each of {} connections", writers));
  }
  for (int i = 0; i < writers; ++i) {
    stage.connection(name(i)).complete(asked[static_cast<std::size_t>(i)], bytes.size() / 2);
  }
  for (int i = 0; i < writers; ++i) {
    stage.connection(name(i)).reply(failure());
    stage.close(name(i));
  }
}

/// Connections that were accepted are answered however many they are, none only when another one
/// has gone; a target may refuse more than it can hold, by closing them. Those that asked first are
/// waited for first: what a target does for all of them may take longer than a deadline.
void crowd(Stage& stage, int size, bool idle_first) {
  const auto name = [](int i) { return fmt::format("one of many {}", i); };
  const std::string key = stage.key("k");
  stage.connection("c1").ask(insert(key, 3), success());
  for (int i = 0; i < size; ++i) stage.connection(name(i));
  if (idle_first) expect_bystander(stage, fmt::format("{} connections that say nothing", size));
  for (int i = 0; i < size; ++i) stage.connection(name(i)).send(query(key));
  for (int i = 0; i < size; ++i) {
    Conversation& connection = stage.connection(name(i));
    if (const auto reply = connection.reply_or_end()) connection.judge(*reply, counter_of(3));
  }
  for (int i = 0; i < size; ++i) stage.close(name(i));
  expect_bystander(stage, fmt::format("{} connections at a time", size));
}

void idle_connections(Stage& stage) { crowd(stage, 1'000, true); }
void many_at_once(Stage& stage) { crowd(stage, 200, false); }

/// Every connection is answered although as many came before it; they end in every way.
void churn(Stage& stage) {
  const std::string key = stage.key("k");
  stage.connection("c1").ask(insert(key, 3), success());
  for (int i = 0; i < 1'500; ++i) {
    Conversation& connection = stage.connection("brief");
    connection.ask(query(key), counter_of(3));
    if (i % 3 == 1) connection.reset();
    if (i % 3 == 2) connection.finish(Patience::For::farewells);
    stage.close("brief");
  }
  expect_bystander(stage, "1500 connections one after the other");
}

}  // namespace

BehaviourCases resource_cases() {
  return {
      {"resources/sent-ahead",
       "requests far ahead of what is read are answered, or their connection ends",
       "QUERY",
       Level::should,
       {"silence.sent-ahead", "silence.neighbours"},
       sent_ahead},
      {"resources/half-close",
       "replies that wait are sent although nothing more will be asked",
       "QUERY",
       Level::should,
       {"silence.half-close"},
       half_close,
       {.tested_by = "resources/sent-ahead"}},
      {"resources/connect-and-leave",
       "connections that say nothing harm nobody",
       "INSERT",
       Level::should,
       {"silence.ended-connections"},
       connect_and_leave},
      {"resources/ask-and-leave",
       "connections that ask much and leave at once harm nobody",
       "QUERY",
       Level::should,
       {"silence.ended-connections", "silence.neighbours"},
       ask_and_leave},
      {"resources/replies-unread",
       "replies that a closed connection did not read go to nobody and hold nothing up",
       "QUERY",
       Level::should,
       {"silence.ended-connections", "silence.neighbours"},
       replies_unread,
       {.tested_by = "resources/sent-ahead"}},
      {"resources/reset-inside",
       "what a connection that was reset left behind is no part of the next",
       "INSERT",
       Level::should,
       {"silence.ended-connections"},
       reset_inside},
      {"resources/subscriber-reset",
       "a subscription ends with a connection that is reset",
       "PUBLISH",
       Level::should,
       {"silence.ended-connections"},
       subscriber_reset,
       {.operations = {"SUBSCRIBE"}}},
      {"resources/slow-subscriber",
       "a subscriber that reads nothing holds up neither publishers nor others",
       "PUBLISH",
       Level::should,
       {"silence.neighbours"},
       slow_subscriber,
       {.operations = {"SUBSCRIBE", "SET"}}},
      {"resources/slow-writers",
       "100 connections with half a request each hold up nobody",
       "QUERY",
       Level::should,
       {"silence.neighbours", "stream.framing"},
       slow_writers,
       {.alone = true}},
      {"resources/idle-connections",
       "1000 connections that say nothing hold up nobody, and may speak later",
       "QUERY",
       Level::should,
       {"silence.neighbours"},
       idle_connections},
      {"resources/many-at-once",
       "200 connections that ask at the same time have each its reply",
       "QUERY",
       Level::should,
       {"silence.neighbours"},
       many_at_once},
      {"resources/churn",
       "1500 connections one after the other, however they end, use nothing up",
       "QUERY",
       Level::should,
       {"silence.ended-connections"},
       churn},
  };
}

}  // namespace hallmark::conformance
