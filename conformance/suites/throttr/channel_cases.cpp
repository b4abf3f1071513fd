#include "base/hex.hpp"
#include "conformance/suites/throttr/cases.hpp"

#include <fmt/format.h>

#include "conformance/suites/throttr/identity.hpp"
#include "conformance/suites/throttr/support.hpp"

namespace hallmark::conformance {
namespace {

using base::as_text;
using protocol::Level;
using Entry = protocol::MessageView::Entry;

void subscribers(Stage& stage) {
  const std::string name = stage.channel("ch");
  Conversation& first = stage.connection("c1");
  Conversation& second = stage.connection("c2");
  const base::Bytes first_id = id_of(stage, first);
  const base::Bytes second_id = id_of(stage, second);
  first.ask(subscribe(name), success());
  second.ask(subscribe(name), success());
  const Message both = first.ask(channel(name));
  if (!both.succeeded())
    first.refuse(both, "status", "success", "CHANNEL does not find a channel with two subscribers");
  for (const base::Bytes& id : {first_id, second_id}) {
    if (times_listed(both, "subscribers", "connection_id", as_text(id)) != 1) {
      first.refuse(both, "number_of_subscribers", "each subscriber once",
                   "CHANNEL does not hold each subscriber once");
    }
  }
  second.ask(unsubscribe(name), success());
  const Message one = first.ask(channel(name));
  if (times_listed(one, "subscribers", "connection_id", as_text(second_id)) != 0) {
    first.refuse(one, "number_of_subscribers", "one subscriber",
                 "CHANNEL still holds who unsubscribed");
  }
}

void channel_missing(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string name = stage.channel("ch");
  connection.ask(channel(name), failure());
  connection.ask(subscribe(name), success());
  connection.ask(unsubscribe(name), success());
  connection.ask(channel(name), failure());
}

void subscribed_at(Stage& stage) {
  const std::string name = stage.channel("ch");
  Conversation& connection = stage.connection();
  const Time before = connection.ask(bare("INFO")).number_or("timestamp", 0);
  connection.ask(subscribe(name), success());
  const Time after = connection.ask(bare("INFO")).number_or("timestamp", 0);
  const Message found = connection.ask(channel(name));
  found.view().for_each("subscribers", [&](const Entry& entry) {
    const Time point = entry.number("subscribed_at");
    if (point >= before * ns_per_second && point < (after + 1) * ns_per_second) return;
    connection.refuse(found, "number_of_subscribers",
                      "subscribed_at between the TIMESTAMPs of INFO before and after",
                      fmt::format("CHANNEL: subscribed_at is {}, expected {} to {}", point,
                                  before * ns_per_second, (after + 1) * ns_per_second));
  });
}

EntryJudge subscribed(std::uint64_t count) {
  return [count](const Entry& entry) -> std::string {
    const std::uint64_t number = entry.number("subscribed_connections");
    return number == count ? std::string()
                           : fmt::format("subscribed_connections {}, expected {}", number, count);
  };
}

void listed(Stage& stage) {
  const std::string two = stage.channel("two");
  const std::string one = stage.channel(binary("one"));
  Conversation& connection = stage.connection("c1");
  connection.ask(subscribe(two), success());
  connection.ask(subscribe(one), success());
  stage.connection("c2").ask(subscribe(two), success());
  const Message all = connection.ask(bare("CHANNELS"));
  expect_fragments(connection, all);
  expect_listed_once(connection, all, "channels", "channel", two, subscribed(2));
  expect_listed_once(connection, all, "channels", "channel", one, subscribed(1));
}

/// A channel without a name is everybody's: nobody else may use it meanwhile.
void empty_name(Stage& stage) {
  Conversation& connection = stage.connection();
  const bool valid = stage.reads({"empty-names", "valid"});
  connection.ask(subscribe(""), status(valid));
  const Message found = connection.ask(channel(""));
  connection.judge(found, valid ? Patterns{is("status", 1)} : failure());
}

void forgets(Stage& stage) {
  const std::string name = stage.channel("ch");
  Conversation& connection = stage.connection();
  connection.ask(subscribe(name), success());
  connection.ask(unsubscribe(name), success());
  const Message all = connection.ask(bare("CHANNELS"));
  expect_not_listed(connection, all, "channels", "channel", name);
}

/// The target learns of a close when it looks; it has the run's deadline for that.
void expect_lost(Stage& stage, Conversation& connection, const std::string& name) {
  const Time until = stage.now() + stage.context().allowance();
  while (connection.ask(channel(name)).succeeded()) {
    if (stage.now() >= until) stage.fail("CHANNEL still finds a subscriber that closed long ago");
    stage.wait_until(stage.now() + length_of(TtlUnit::milliseconds));
  }
}

/// All of its subscriptions end with a connection.
void channel_loses_closed(Stage& stage) {
  constexpr int channels = 5;
  Conversation& connection = stage.connection("c1");
  std::vector<std::string> names;
  for (int i = 0; i < channels; ++i) {
    names.push_back(stage.channel(fmt::format("ch{}", i)));
    stage.connection("c2").ask(subscribe(names.back()), success());
  }
  stage.close("c2");
  for (const std::string& name : names) expect_lost(stage, connection, name);
}

void counts_bytes(Stage& stage) {
  const std::string name = stage.channel("ch");
  Conversation& subscriber = stage.connection("c1");
  Conversation& publisher = stage.connection("c2");
  subscriber.ask(subscribe(name), success());
  publish_to(stage, publisher, name, "0123456789");
  subscriber.delivery(name, "0123456789");
  const Message all = subscriber.ask(bare("CHANNELS"));
  expect_listed_once(
      subscriber, all, "channels", "channel", name, [](const Entry& entry) -> std::string {
        if (entry.number("read_bytes") < 10)
          return fmt::format("read_bytes {}, expected at least 10", entry.number("read_bytes"));
        if (entry.number("write_bytes") < 10)
          return fmt::format("write_bytes {}, expected at least 10", entry.number("write_bytes"));
        return {};
      });
}

/// Every connection is a subscriber of these from its beginning to its end.
void own_channels(Stage& stage) {
  Conversation& connection = stage.connection("c1");
  const base::Bytes own = id_of(stage, connection);
  const base::Bytes other = id_of(stage, stage.connection("c2"));
  const Message all = connection.ask(bare("CHANNELS"));
  for (const base::Bytes& id : {own, other}) {
    expect_listed_once(connection, all, "channels", "channel", base::to_hex(id), subscribed(1));
    const Message found = connection.ask(channel(base::to_hex(id)));
    expect_listed_once(connection, found, "subscribers", "connection_id", as_text(id));
  }
  expect_listed_once(connection, all, "channels", "channel", "*");
  const Message everyone = connection.ask(channel("*"));
  expect_listed_once(connection, everyone, "subscribers", "connection_id", as_text(own));
  expect_listed_once(connection, everyone, "subscribers", "connection_id", as_text(other));
  stage.close("c2");
  expect_lost(stage, connection, base::to_hex(other));
}

}  // namespace

BehaviourCases channels_cases() {
  return {
      {"channels/each-once",
       "CHANNELS holds each channel once, with its number of subscribers",
       "CHANNELS",
       Level::must,
       {"channels.code", "channels.fragments", "channels.entry", "channels.names-last",
        "silence.channels-subscribers", "silence.fragments"},
       listed},
      {"channels/forgets",
       "a channel that nobody is subscribed to is gone",
       "CHANNELS",
       Level::should,
       {"channels.fragments"},
       forgets},
      {"channels/own",
       "every connection is a subscriber of * and of its id in hexadecimal, until it closes",
       "CHANNELS",
       Level::must,
       {"channels.own"},
       own_channels,
       {.operations = {"WHOAMI", "CHANNEL"}}},
      {"channels/empty-name",
       "a channel name of length 0 is valid or refused, as the target says",
       "SUBSCRIBE",
       Level::may,
       {"silence.empty-names"},
       empty_name,
       {.exclusive = true}},
      {"channels/counts-bytes",
       "a channel counts the bytes that passed",
       "CHANNELS",
       Level::should,
       {"channels.entry"},
       counts_bytes},
  };
}

BehaviourCases channel_cases() {
  return {
      {"channel/subscribers",
       "CHANNEL holds each subscriber once",
       "CHANNEL",
       Level::must,
       {"channel.code", "channel.found"},
       subscribers},
      {"channel/missing",
       "CHANNEL without subscribers is one byte",
       "CHANNEL",
       Level::must,
       {"channel.missing"},
       channel_missing},
      {"channel/loses-closed",
       "who closed is no subscriber",
       "CHANNEL",
       Level::must,
       {"channel.found"},
       channel_loses_closed},
      {"channel/subscribed-at",
       "SUBSCRIBED AT is on the clock of INFO",
       "CHANNEL",
       Level::should,
       {"silence.time-units"},
       subscribed_at},
  };
}

}  // namespace hallmark::conformance
