#include <fmt/format.h>

#include "base/number.hpp"
#include "conformance/suites/throttr/cases.hpp"
#include "conformance/suites/throttr/support.hpp"

/// Channels on which several connections publish at a time.
namespace hallmark::conformance {
namespace {

using protocol::Level;

constexpr std::uint64_t messages = 8;  ///< number that a publisher sends in a round
constexpr std::uint64_t rounds = 8;

/// Someone who publishes numbers to one channel, and does not wait for replies meanwhile.
class Publisher {
 public:
  Publisher(Stage& stage, const std::string& name, std::string channel)
      : stage_(stage), name_(name), channel_(std::move(channel)) {
    stage.connection(name);
  }

  /// The next so many, in one segment. Returns the first number that was not sent yet.
  std::uint64_t send(std::uint64_t count) {
    if (count == 0) return next_;
    std::vector<Outgoing> requests;
    for (std::uint64_t i = 0; i < count; ++i)
      requests.push_back(encoded(stage_.format(), publish(channel_, payload(next_++))));
    stage_.connection(name_).send_together(requests);
    unanswered_ += count;
    return next_;
  }

  /// All that was sent has been handled.
  void settle() {
    const bool answers = stage_.format().reply(stage_.format().operation("PUBLISH")).sent();
    for (; unanswered_ > 0; --unanswered_) {
      if (answers) stage_.connection(name_).reply(success());
    }
    stage_.connection(name_).fence();
  }

  std::string payload(std::uint64_t number) const { return fmt::format("{}:{}", name_, number); }
  const std::string& name() const { return name_; }
  const std::string& channel() const { return channel_; }

 private:
  Stage& stage_;
  std::string name_;
  std::string channel_;
  std::uint64_t next_ = 0;
  std::uint64_t unanswered_ = 0;
};

std::string publisher_in(std::string_view payload) {
  return std::string(payload.substr(0, payload.find(':')));
}

Code out_of_order(const Message& message) {
  return {.kind = Code::Kind::wrong_order, .message = std::string(message.layout().name())};
}

/// Receives for one subscriber, and requires of each publisher the next number and no other.
class Receiver {
 public:
  explicit Receiver(Conversation& connection) : connection_(connection) {}

  void take(std::uint64_t count) {
    for (; count > 0; --count) take_one();
  }

 private:
  void take_one() {
    const Message message = connection_.delivery();
    const base::Bytes payload = message.bytes_of("payload");
    const std::string publisher = publisher_in(base::as_text(payload));
    const std::string expected = fmt::format("{}:{}", publisher, next_[publisher]++);
    if (base::as_text(payload) == expected) return;
    connection_.refuse(message, "payload", expected,
                       fmt::format("{} received {} where of that publisher {} came next",
                                   connection_.name(), base::as_text(payload), expected),
                       out_of_order(message));
  }

  Conversation& connection_;
  std::map<std::string, std::uint64_t> next_;
};

/// Several publish to one channel: whatever comes between, each one's messages keep their order.
void in_order(Stage& stage) {
  const std::string name = stage.channel("ch");
  std::vector<Receiver> receivers;
  for (const char* const subscriber : {"s1", "s2", "s3"}) {
    stage.connection(subscriber).ask(subscribe(name), success());
    receivers.emplace_back(stage.connection(subscriber));
  }
  std::vector<Publisher> publishers;
  for (const char* const publisher : {"p1", "p2", "p3"})
    publishers.emplace_back(stage, publisher, name);
  for (std::uint64_t round = 0; round < rounds; ++round) {
    for (std::uint64_t i = 0; i < messages; i += 2) {
      for (Publisher& publisher : publishers) publisher.send(2);
    }
    for (Publisher& publisher : publishers) publisher.settle();
    for (Receiver& receiver : receivers) receiver.take(messages * publishers.size());
  }
}

/// Several publish, each to a channel of its own: no subscriber gets anything of the others.
void channels_apart(Stage& stage) {
  std::vector<Publisher> publishers;
  for (int i = 1; i <= 4; ++i) {
    const std::string name = stage.channel(fmt::format("ch{}", i));
    stage.connection(fmt::format("s{}", i)).ask(subscribe(name), success());
    publishers.emplace_back(stage, fmt::format("p{}", i), name);
  }
  for (std::uint64_t round = 0; round < rounds; ++round) {
    for (Publisher& publisher : publishers) publisher.send(messages);
    for (Publisher& publisher : publishers) publisher.settle();
    for (std::size_t i = 0; i < publishers.size(); ++i) {
      for (std::uint64_t n = round * messages; n < (round + 1) * messages; ++n)
        stage.connection(fmt::format("s{}", i + 1))
            .delivery(publishers[i].channel(), publishers[i].payload(n));
    }
  }
}

std::uint64_t number_in(const Message& message) {
  const base::Bytes payload = message.bytes_of("payload");
  const std::string_view text = base::as_text(payload);
  const std::string_view digits = text.substr(std::min(text.find(':') + 1, text.size()));
  const auto number = base::leading_number<std::uint64_t>(digits);
  return number ? number->number : 0;
}

/// Takes the publication with that number and any before it, without a gap. Returns the first.
std::uint64_t take_until(Conversation& connection, std::uint64_t last) {
  std::optional<std::uint64_t> first;
  for (std::uint64_t next = 0; !first || next <= last; ++next) {
    const Message message = connection.delivery();
    const std::uint64_t number = number_in(message);
    if (!first) next = *(first = number);
    if (number == next) continue;
    connection.refuse(
        message, "payload", fmt::format("number {}", next),
        fmt::format("a subscriber received number {} where {} came next", number, next),
        out_of_order(message));
  }
  return *first;
}

/// A connection that subscribes while others publish receives everything published after it was
/// told that it is subscribed.
void subscribes_meanwhile(Stage& stage) {
  const std::string name = stage.channel("ch");
  stage.connection("stayer").ask(subscribe(name), success());
  Publisher publisher(stage, "publisher", name);
  Conversation& late = stage.connection("late");
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const std::uint64_t begin = publisher.send(0);
    publisher.send(messages);
    late.send(subscribe(name));
    const std::uint64_t told = publisher.send(messages);
    late.reply(success());
    const std::uint64_t end = publisher.send(messages);
    publisher.settle();
    const std::uint64_t first = take_until(late, end - 1);
    stage.require(first <= told,
                  fmt::format("number {} is the first that came to a connection that was told "
                              "before number {} that it is a subscriber",
                              first, told));
    late.ask(unsubscribe(name), success());
    const std::uint64_t stayed = take_until(stage.connection("stayer"), end - 1);
    stage.require(stayed == begin, fmt::format("a subscriber did not receive number {}", begin));
  }
}

/// Subscribes again after UNSUBSCRIBE has succeeded. A target that refuses takes the connection for
/// a subscriber still: whether a delivery shows that sooner is chance.
void subscribe_once_more(Stage& stage, Conversation& connection, const std::string& name) {
  const Message message = connection.ask(subscribe(name));
  if (message.succeeded()) return;
  const protocol::MessageName push = stage.format().dialect().pushes.front().name;
  connection.refuse(message, "status", "success",
                    "a connection that was told that it is no subscriber is one",
                    {.kind = Code::Kind::wrong_recipient, .message = std::string(push)});
}

/// A connection that unsubscribes while others publish receives nothing published after it was told
/// that it is not subscribed.
void unsubscribes_meanwhile(Stage& stage) {
  const std::string name = stage.channel("ch");
  stage.connection("stayer").ask(subscribe(name), success());
  Publisher publisher(stage, "publisher", name);
  Conversation& leaver = stage.connection("leaver");
  leaver.ask(subscribe(name), success());
  for (std::uint64_t round = 0; round < rounds; ++round) {
    if (round > 0) subscribe_once_more(stage, leaver, name);
    const std::uint64_t sure = publisher.send(messages);
    publisher.settle();
    take_until(leaver, sure - 1);
    publisher.send(messages);
    leaver.send(unsubscribe(name));
    const std::uint64_t most = publisher.send(messages);
    leaver.reply(success());
    const std::uint64_t end = publisher.send(messages);
    publisher.settle();
    leaver.ask(query(stage.channel("nothing")), failure());
    while (leaver.has_delivery()) {
      const Message message = leaver.delivery();
      if (number_in(message) < most) continue;
      leaver.refuse(
          message, "payload", "nothing published later",
          fmt::format("number {} came to a connection that was told before number {} "
                      "that it is no subscriber",
                      number_in(message), most),
          {.kind = Code::Kind::wrong_recipient, .message = std::string(message.layout().name())});
    }
    take_until(stage.connection("stayer"), end - 1);
  }
}

}  // namespace

BehaviourCases concurrent_publish_cases() {
  return {
      {"concurrency/publishers-in-order",
       "several publish to one channel: each one's messages come once and in their order",
       "PUBLISH",
       Level::must,
       {"silence.concurrency", "publish.delivers", "silence.delivery"},
       in_order,
       {.operations = {"SUBSCRIBE"}}},
      {"concurrency/channels-apart",
       "several publish at a time: each channel's subscribers receive what is theirs",
       "PUBLISH",
       Level::must,
       {"silence.concurrency", "publish.delivers", "subscribe.starts"},
       channels_apart,
       {.operations = {"SUBSCRIBE"}}},
      {"concurrency/subscribes-meanwhile",
       "who was told that it is a subscriber receives all that is published from then on",
       "SUBSCRIBE",
       Level::must,
       {"silence.concurrency", "subscribe.starts"},
       subscribes_meanwhile,
       {.operations = {"PUBLISH"}}},
      {"concurrency/unsubscribes-meanwhile",
       "who was told that it is no subscriber receives nothing that is published from then on",
       "UNSUBSCRIBE",
       Level::must,
       {"silence.concurrency", "unsubscribe.finishes"},
       unsubscribes_meanwhile,
       {.operations = {"PUBLISH"}}},
  };
}

}  // namespace hallmark::conformance
