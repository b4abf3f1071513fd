#include "conformance/isolation/trials.hpp"
#include "conformance/suites/throttr/cases.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/suites/throttr/support.hpp"

namespace hallmark::conformance {
namespace {

using protocol::Level;

void starts(Stage& stage) {
  const std::string name = stage.channel("ch");
  Conversation& subscriber = stage.connection("subscriber");
  subscriber.ask(subscribe(name), success());
  publish_to(stage, stage.connection("publisher"), name, "payload");
  subscriber.delivery(name, "payload");
}

void twice(Stage& stage) {
  const std::string name = stage.channel("ch");
  Conversation& subscriber = stage.connection("subscriber");
  subscriber.ask(subscribe(name), success());
  subscriber.ask(subscribe(name), status(stage.reads({"subscribe-twice", "accepted"})));
  publish_to(stage, stage.connection("publisher"), name, "payload");
  subscriber.delivery(name, "payload");
}

void several_channels(Stage& stage) {
  const std::string a = stage.channel("a");
  const std::string b = stage.channel("b");
  Conversation& subscriber = stage.connection("subscriber");
  Conversation& publisher = stage.connection("publisher");
  subscriber.ask(subscribe(a), success());
  subscriber.ask(subscribe(b), success());
  publish_to(stage, publisher, a, "to a");
  publish_to(stage, publisher, b, "to b");
  subscriber.delivery(a, "to a");
  subscriber.delivery(b, "to b");
}

void finishes(Stage& stage) {
  const std::string name = stage.channel("ch");
  Conversation& leaver = stage.connection("leaver");
  Conversation& stayer = stage.connection("stayer");
  leaver.ask(subscribe(name), success());
  stayer.ask(subscribe(name), success());
  leaver.ask(unsubscribe(name), success());
  publish_to(stage, stage.connection("publisher"), name, "late");
  stayer.delivery(name, "late");
}

void absent(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string name = stage.channel("ch");
  const Patterns of_nothing = status(stage.reads({"unsubscribe-absent", "accepted"}));
  connection.ask(unsubscribe(name), of_nothing);
  connection.ask(subscribe(name), success());
  connection.ask(unsubscribe(name), success());
  connection.ask(unsubscribe(name), of_nothing);
}

/// Others are subscribed to the channel. They stay, and it can be subscribed to.
void of_others(Stage& stage) {
  const std::string name = stage.channel("ch");
  Conversation& stranger = stage.connection("stranger");
  Conversation& subscriber = stage.connection("subscriber");
  subscriber.ask(subscribe(name), success());
  stranger.ask(unsubscribe(name), status(stage.reads({"unsubscribe-absent", "accepted"})));
  stranger.ask(subscribe(name), success());
  publish_to(stage, stage.connection("publisher"), name, "for both");
  subscriber.delivery(name, "for both");
  stranger.delivery(name, "for both");
}

void only_that_channel(Stage& stage) {
  const std::string a = stage.channel("a");
  const std::string b = stage.channel("b");
  Conversation& subscriber = stage.connection("subscriber");
  Conversation& publisher = stage.connection("publisher");
  subscriber.ask(subscribe(a), success());
  subscriber.ask(subscribe(b), success());
  subscriber.ask(unsubscribe(a), success());
  publish_to(stage, publisher, b, "still");
  subscriber.delivery(b, "still");
  publish_to_nobody(stage, publisher, a, "no more");
}

void to_each_once_in_order(Stage& stage) {
  const std::string name = stage.channel("ch");
  constexpr int subscribers = 4;
  constexpr int messages = 25;
  for (int i = 0; i < subscribers; ++i)
    stage.connection(fmt::format("s{}", i)).ask(subscribe(name), success());
  stage.connection("other").ask(subscribe(stage.channel("other")), success());
  for (int m = 0; m < messages; ++m)
    publish_to(stage, stage.connection("publisher"), name, fmt::format("message {}", m));
  for (int i = 0; i < subscribers; ++i) {
    for (int m = 0; m < messages; ++m)
      stage.connection(fmt::format("s{}", i)).delivery(name, fmt::format("message {}", m));
  }
}

/// Both are subscribed; who published is the last to be asked for what came.
void to_itself(Stage& stage) {
  const std::string name = stage.channel("ch");
  Conversation& publisher = stage.connection("publisher");
  Conversation& subscriber = stage.connection("subscriber");
  publisher.ask(subscribe(name), success());
  subscriber.ask(subscribe(name), success());
  publish_to(stage, publisher, name, "payload");
  subscriber.delivery(name, "payload");
  if (stage.reads({"publish-self", "yes"})) publisher.delivery(name, "payload");
}

void nobody(Stage& stage) {
  Conversation& publisher = stage.connection("publisher");
  const std::string key = stage.key("k");
  publish_to_nobody(stage, publisher, stage.channel("empty"), "payload");
  publisher.ask(insert(key, 1), success());
}

void after_a_close(Stage& stage) {
  const std::string name = stage.channel("ch");
  stage.connection("closed").ask(subscribe(name), success());
  Conversation& stayer = stage.connection("stayer");
  stayer.ask(subscribe(name), success());
  stage.close("closed");
  for (int i = 0; i < 3; ++i)
    publish_to(stage, stage.connection("publisher"), name, fmt::format("{}", i));
  for (int i = 0; i < 3; ++i) stayer.delivery(name, fmt::format("{}", i));
}

void publisher_closes(Stage& stage) {
  const std::string name = stage.channel("ch");
  Conversation& subscriber = stage.connection("subscriber");
  subscriber.ask(subscribe(name), success());
  publish_to(stage, stage.connection("publisher"), name, "last words");
  stage.connection("publisher").fence();
  stage.close("publisher");
  subscriber.delivery(name, "last words");
}

void between_replies(Stage& stage) {
  const std::string name = stage.channel("ch");
  const std::string key = stage.key("k");
  Conversation& subscriber = stage.connection("subscriber");
  subscriber.ask(insert(key, 1), success());
  subscriber.ask(subscribe(name), success());
  constexpr std::uint64_t rounds = 50;
  for (std::uint64_t i = 1; i <= rounds; ++i) {
    subscriber.send(update(key, Attribute::quota, Change::increase, 1));
    publish_to(stage, stage.connection("publisher"), name, fmt::format("{}", i));
    subscriber.send(query(key));
  }
  for (std::uint64_t i = 1; i <= rounds; ++i) {
    subscriber.reply(success());
    subscriber.reply({is("status", 1), is("quota", 1 + i), any("ttl_type"), any("ttl")});
  }
  for (std::uint64_t i = 1; i <= rounds; ++i) subscriber.delivery(name, fmt::format("{}", i));
}

void any_payload(Stage& stage) {
  const std::string name = stage.channel(binary("ch"));
  const auto subscribed = [=, &stage]() -> Conversation& {
    Conversation& subscriber = stage.connection("subscriber");
    if (!subscriber.subscribed()) subscriber.ask(subscribe(name), success());
    return subscriber;
  };
  const auto arrives = [=, &stage](const std::string& payload) {
    Conversation& subscriber = subscribed();
    publish_to(stage, stage.connection("publisher"), name, payload);
    subscriber.delivery(name, payload);
  };
  const Series contents{"a payload of", "payloads of"};
  const Series sizes{"a payload of size", "payloads of sizes"};
  const std::size_t most = std::min<std::size_t>(longest_value(stage.format()), 65'535);
  Trials trials(stage, subscribed);
  trials.attempt({contents, "letters and controls"}, [=] { arrives(binary("payload")); });
  trials.attempt({contents, "one zero"}, [=] { arrives(std::string(1, '\0')); });
  for (const std::size_t size : {std::size_t{1'000}, large_value_size, most}) {
    if (size > most) continue;
    trials.attempt({sizes, fmt::format("{}", size)}, [=] { arrives(std::string(size, '\x03')); });
  }
  trials.conclude();
}

void empty_payload(Stage& stage) {
  const std::string name = stage.channel("ch");
  Conversation& subscriber = stage.connection("subscriber");
  Conversation& publisher = stage.connection("publisher");
  subscriber.ask(subscribe(name), success());
  const bool valid = stage.reads({"empty-names", "valid"});
  publisher.send(publish(name, ""));
  if (stage.format().reply(stage.format().operation("PUBLISH")).sent())
    publisher.reply(status(valid));
  publish_to(stage, publisher, name, "not empty");
  if (valid) subscriber.delivery(name, "");
  subscriber.delivery(name, "not empty");
}

void channels_apart(Stage& stage) {
  const std::string key = stage.key("k");
  Conversation& connection = stage.connection();
  connection.ask(subscribe(key), success());
  connection.ask(query(key), failure());
  connection.ask(insert(key, 1), success());
  publish_to(stage, stage.connection("publisher"), key, "payload");
  connection.delivery(key, "payload");
  connection.ask(unsubscribe(key), success());
  connection.ask(purge(key), success());
}

}  // namespace

BehaviourCases subscribe_cases() {
  return {
      {"subscribe/starts",
       "a subscriber receives what is published afterwards",
       "SUBSCRIBE",
       Level::must,
       {"subscribe.code", "subscribe.layout", "subscribe.starts", "subscribe.status",
        "silence.delivery", "event.layout"},
       starts},
      {"subscribe/twice",
       "a second SUBSCRIBE to one channel keeps to one status and does not double deliveries",
       "SUBSCRIBE",
       Level::may,
       {"silence.subscribe-twice"},
       twice},
      {"subscribe/several-channels",
       "a connection may subscribe to several channels",
       "SUBSCRIBE",
       Level::must,
       {"subscribe.starts"},
       several_channels},
      {"subscribe/channels-are-no-keys",
       "a channel and a record of one name have nothing to do with each other",
       "SUBSCRIBE",
       Level::must,
       {"subscribe.starts", "record.kinds"},
       channels_apart},
  };
}

BehaviourCases unsubscribe_cases() {
  return {
      {"unsubscribe/finishes",
       "who unsubscribed receives nothing more, others do",
       "UNSUBSCRIBE",
       Level::must,
       {"unsubscribe.code", "unsubscribe.layout", "unsubscribe.finishes", "unsubscribe.status"},
       finishes},
      {"unsubscribe/absent",
       "UNSUBSCRIBE without a subscription keeps to one answer",
       "UNSUBSCRIBE",
       Level::should,
       {"silence.unsubscribe-absent"},
       absent},
      {"unsubscribe/of-others",
       "UNSUBSCRIBE from a channel of others leaves their subscriptions and the channel",
       "UNSUBSCRIBE",
       Level::should,
       {"silence.unsubscribe-absent", "unsubscribe.finishes"},
       of_others},
      {"unsubscribe/only-that-channel",
       "other subscriptions of the connection stay",
       "UNSUBSCRIBE",
       Level::must,
       {"unsubscribe.finishes"},
       only_that_channel,
       {.readings = {"publish-nobody"}}},
  };
}

BehaviourCases publish_cases() {
  return {
      {"publish/to-each-once-in-order",
       "each subscriber receives each publication once and in order, nobody else does",
       "PUBLISH",
       Level::must,
       {"publish.code", "publish.layout", "publish.delivers", "publish.status", "event.layout",
        "silence.publish-reply", "silence.delivery"},
       to_each_once_in_order},
      {"publish/not-to-itself",
       "a publisher does not receive its own publication",
       "PUBLISH",
       Level::should,
       {"silence.publish-self"},
       to_itself,
       {.when = {{"publish-self", "no"}}}},
      {"publish/to-itself",
       "a publisher that is subscribed receives its own publication",
       "PUBLISH",
       Level::should,
       {"silence.publish-self"},
       to_itself,
       {.when = {{"publish-self", "yes"}}}},
      {"publish/to-nobody",
       "a publication without subscribers keeps to one status and harms nobody",
       "PUBLISH",
       Level::may,
       {"silence.publish-nobody"},
       nobody},
      {"publish/after-a-subscriber-closed",
       "a subscriber that is gone does not keep others from receiving",
       "PUBLISH",
       Level::must,
       {"publish.delivers"},
       after_a_close},
      {"publish/then-closed",
       "what was published is delivered although the publisher closed",
       "PUBLISH",
       Level::must,
       {"publish.delivers"},
       publisher_closes},
      {"publish/between-replies",
       "deliveries come between replies, never inside one",
       "PUBLISH",
       Level::must,
       {"publish.delivers", "stream.reply-order"},
       between_replies},
      {"publish/any-payload",
       "payloads and channels are any bytes, up to the width's limit",
       "PUBLISH",
       Level::must,
       {"publish.delivers", "publish.layout", "width.maximum"},
       any_payload},
      {"publish/empty-payload",
       "an empty payload is delivered or refused, as the target says",
       "PUBLISH",
       Level::may,
       {"silence.empty-names"},
       empty_payload},
  };
}

}  // namespace hallmark::conformance
