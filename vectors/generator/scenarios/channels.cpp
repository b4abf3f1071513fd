#include <fmt/format.h>

#include "vectors/generator/suite.hpp"

// SUBSCRIBE, UNSUBSCRIBE, PUBLISH, CHANNELS and CHANNEL.
namespace hallmark::vectors::generator {
namespace {

using protocol::Level;

void subscribe_scenarios(Suite& suite) {
  Scenario& fresh = suite.add("SUBSCRIBE", "new", "a subscription starts");
  fresh.cites({"subscribe.code", "subscribe.layout", "subscribe.starts", "subscribe.status"});
  fresh.subscribe(fresh.key());
  fresh.on("b").publish(fresh.key(), ehlo).fence();
  fresh.on("a").receives(fresh.key(), ehlo);

  const bool accepted = suite.reads({"subscribe-twice", "accepted"});
  Scenario& twice =
      suite.add("SUBSCRIBE", "twice",
                accepted ? "a second subscription succeeds" : "a second subscription is refused");
  twice.level(Level::may).cites({"silence.subscribe-twice"}).flag("silent");
  twice.subscribe(twice.key());
  twice.subscribe(twice.key(), accepted);
}

void subscribe_names(Suite& suite) {
  for (const NameSize& size : suite.names()) {
    const bool empty = size.bytes.empty();
    const bool valid = !empty || suite.reads({"empty-names", "valid"});
    Scenario& s = suite.add("SUBSCRIBE", "channel-" + std::string(size.id),
                            "a channel of " + size.title + (valid ? "" : " is refused"));
    s.level(empty ? Level::may : Level::must).flag(size.flag);
    s.cites({"subscribe.layout", "subscribe.starts", "publish.layout"});
    if (empty) s.cites({"silence.empty-names"});
    s.subscribe(size.bytes, valid);
    if (!valid) continue;
    s.on("b").publish(size.bytes, ehlo).fence();
    s.on("a").receives(size.bytes, ehlo);
  }
}

void unsubscribe_scenarios(Suite& suite) {
  Scenario& ends =
      suite.add("UNSUBSCRIBE", "subscribed", "nothing is delivered after the subscription ends");
  ends.cites(
      {"unsubscribe.code", "unsubscribe.layout", "unsubscribe.finishes", "unsubscribe.status"});
  ends.subscribe(ends.key());
  ends.unsubscribe(ends.key());
  ends.on("b").publish_to_nobody(ends.key(), ehlo).fence();
  ends.on("a").fence();

  Scenario& other = suite.add("UNSUBSCRIBE", "leaves-others", "only the named subscription ends");
  other.cites({"unsubscribe.finishes"});
  other.subscribe(other.key("left"));
  other.subscribe(other.key("kept"));
  other.unsubscribe(other.key("left"));
  other.on("b").publish_to_nobody(other.key("left"), ehlo).publish(other.key("kept"), ehlo).fence();
  other.on("a").receives(other.key("kept"), ehlo).fence();
}

void unsubscribe_absent(Suite& suite) {
  const bool accepted = suite.reads({"unsubscribe-absent", "accepted"});
  Scenario& absent = suite.add("UNSUBSCRIBE", "absent",
                               accepted ? "ending a subscription that does not exist succeeds"
                                        : "a subscription that does not exist cannot end");
  absent.level(Level::should).cites({"silence.unsubscribe-absent", "unsubscribe.status"});
  absent.unsubscribe(absent.key(), accepted);

  Scenario& twice =
      suite.add("UNSUBSCRIBE", "twice",
                accepted ? "a subscription can be ended again" : "a subscription ends once");
  twice.level(Level::should).cites({"silence.unsubscribe-absent", "unsubscribe.finishes"});
  twice.subscribe(twice.key());
  twice.unsubscribe(twice.key());
  twice.unsubscribe(twice.key(), accepted);
}

void publish_payloads(Suite& suite) {
  for (const std::size_t size : {0U, 1U, 255U, 65'535U, 70'000U}) {
    if (size > suite.max()) continue;
    const bool valid = size != 0 || suite.reads({"empty-names", "valid"});
    Scenario& s = suite.add("PUBLISH", fmt::format("payload-{}", size),
                            valid ? fmt::format("a payload of {} bytes is delivered whole", size)
                                  : "a payload of 0 bytes is refused");
    s.cites({"publish.layout", "publish.delivers",
             size == 0 ? "silence.empty-names" : "silence.delivery", "event.layout"});
    if (size == 0) s.level(Level::may);
    if (size > 255) s.flag("long-value");
    const Bytes payload = pattern(size);
    s.subscribe(s.key());
    s.on("b").publish(s.key(), payload, valid).fence();
    s.on("a");
    if (valid) s.receives(s.key(), payload);
    s.fence();
  }
}

void publish_order(Suite& suite) {
  Scenario& s =
      suite.add("PUBLISH", "order", "publications arrive in the order in which they were sent");
  s.cites({"publish.delivers", "stream.reply-order"});
  s.subscribe(s.key());
  s.on("b");
  for (const char* payload : {"first", "second", "third"})
    s.publish(s.key(), base::to_bytes(payload));
  s.fence();
  s.on("a");
  for (const char* payload : {"first", "second", "third"})
    s.receives(s.key(), base::to_bytes(payload));
}

/// Skipped if publishers receive their own messages: then nothing says whether the message or the
/// status comes first.
void publish_own(Suite& suite) {
  if (suite.reads({"publish-self", "yes"})) return;
  Scenario& s = suite.add("PUBLISH", "own", "a publisher that subscribes does not receive its own");
  s.level(Level::should).cites({"silence.publish-self"});
  s.on("a").subscribe(s.key());
  s.on("b").subscribe(s.key());
  s.publish(s.key(), ehlo).fence();
  s.on("a").receives(s.key(), ehlo).fence();
}

void publish_scenarios(Suite& suite) {
  Scenario& typical =
      suite.add("PUBLISH", "typical", "a subscriber receives what another connection publishes");
  typical.cites({"publish.code", "publish.layout", "publish.delivers", "silence.delivery",
                 "silence.publish-reply", "publish.status", "event.layout"});
  typical.subscribe(typical.key());
  typical.on("b").publish(typical.key(), ehlo).fence();
  typical.on("a").receives(typical.key(), ehlo).fence();

  Scenario& several =
      suite.add("PUBLISH", "several-subscribers", "every subscriber receives it once");
  several.cites({"publish.delivers", "event.layout"});
  several.on("a").subscribe(several.key());
  several.on("b").subscribe(several.key());
  several.on("c").publish(several.key(), ehlo).fence();
  several.on("a").receives(several.key(), ehlo).fence();
  several.on("b").receives(several.key(), ehlo).fence();

  Scenario& nobody =
      suite.add("PUBLISH", "nobody", "a publication without subscribers harms nobody");
  nobody.level(Level::may).cites({"silence.publish-nobody"}).flag("silent");
  nobody.publish_to_nobody(nobody.key(), ehlo).fence();

  Scenario& others =
      suite.add("PUBLISH", "other-channel", "a subscriber of another channel receives nothing");
  others.cites({"publish.delivers", "subscribe.starts"});
  others.on("a").subscribe(others.key("heard"));
  others.on("b").publish_to_nobody(others.key("unheard"), ehlo).fence();
  others.on("a").fence();
}

/// Subscribers are told by the ids that WHOAMI gives.
bool knows_ids(const Suite& suite) { return !suite.reads({"whoami", "index"}); }

EntryPattern subscriber(std::string_view name) { return {{remembered("connection_id", name)}}; }

void channel_subscribers(Suite& suite) {
  Scenario& one = suite.add("CHANNEL", "one-subscriber", "the subscriber's id stands in the reply");
  one.cites({"channel.code", "channel.found"});
  one.whoami("a");
  one.subscribe(one.key());
  one.send("CHANNEL", {{"channel", one.key()}});
  one.succeeds({holds("subscribers", {subscriber("a")}, true)});

  Scenario& two =
      suite.add("CHANNEL", "two-subscribers", "both subscribers stand in the reply, each once");
  two.cites({"channel.found"});
  two.on("a").whoami("a").subscribe(two.key());
  two.on("b").whoami("b").subscribe(two.key());
  two.send("CHANNEL", {{"channel", two.key()}});
  two.succeeds({holds("subscribers", {subscriber("a"), subscriber("b")}, true)});
}

void channel_missing(Suite& suite) {
  const auto fails = [](Scenario& s, const Bytes& channel) {
    s.send("CHANNEL", {{"channel", channel}});
    s.status(false);
  };
  Scenario& missing = suite.add("CHANNEL", "missing",
                                "a channel that nobody subscribed to is answered with one byte");
  missing.cites({"channel.missing", "channel.code"});
  fails(missing, missing.key());

  Scenario& left = suite.add("CHANNEL", "left", "a channel whose last subscriber left is gone");
  left.level(Level::should).cites({"channel.missing", "unsubscribe.finishes"});
  left.subscribe(left.key());
  left.unsubscribe(left.key());
  fails(left, left.key());

  for (const NameSize& size : suite.names()) {
    if (size.bytes.empty()) continue;
    Scenario& s = suite.add("CHANNEL", "missing-" + std::string(size.id),
                            "a missing channel of " + size.title);
    s.cites({"channel.missing"}).flag(size.flag);
    fails(s, size.bytes);
  }
}

EntryPattern channel_entry(Field channel, Field subscribers) {
  return {{std::move(subscribers), std::move(channel)}};
}

EntryPattern channel_entry(const Bytes& channel, std::uint64_t subscribers) {
  return channel_entry(is("channel", channel), is("subscribed_connections", subscribers));
}

void channels_scenarios(Suite& suite) {
  Scenario& s = suite.add("CHANNELS", "subscribed",
                          "channels with subscribers are listed with their number, each once");
  s.cites({"channels.code", "channels.fragments", "channels.entry", "channels.names-last",
           "silence.channels-subscribers", "silence.status-prefix", "reply.status-first"});
  s.on("a").subscribe(s.key("one"));
  s.subscribe(s.key("two"));
  s.on("b").subscribe(s.key("two"));
  s.send("CHANNELS", {});
  s.succeeds({holds("channels", {channel_entry(s.key("one"), 1), channel_entry(s.key("two"), 2)})});

  Scenario& many = suite.add("CHANNELS", "many", "many channels, in one fragment or several");
  many.cites({"channels.fragments", "channels.names-last", "silence.fragments"});
  std::vector<EntryPattern> entries;
  for (int i = 0; i < 60; ++i) {
    const Bytes channel = many.key(fmt::format("{:02}", i));
    many.subscribe(channel);
    entries.push_back(channel_entry(channel, 1));
  }
  many.send("CHANNELS", {});
  many.succeeds({holds("channels", std::move(entries))});
}

/// Other connections subscribe to the star as well.
void own_channels(Suite& suite) {
  const Bytes star = base::to_bytes("*");
  Scenario& listed = suite.add(
      "CHANNELS", "own", "a connection is a subscriber of * and of its own id in hexadecimal");
  listed.cites({"channels.own", "channels.entry"});
  listed.whoami("own");
  listed.send("CHANNELS", {});
  listed.succeeds({holds(
      "channels",
      {channel_entry(is("channel", star), between("subscribed_connections", 1, ~std::uint64_t{0})),
       channel_entry(remembered_in_hex("channel", "own"), is("subscribed_connections", 1))})});

  Scenario& asked = suite.add("CHANNEL", "star", "a connection stands among the subscribers of *");
  asked.cites({"channels.own", "channel.found"});
  asked.whoami("own");
  asked.send("CHANNEL", {{"channel", star}});
  asked.succeeds({holds("subscribers", {subscriber("own")})});
}

}  // namespace

void add_channel_scenarios(Suite& suite) {
  subscribe_scenarios(suite);
  subscribe_names(suite);
  unsubscribe_scenarios(suite);
  unsubscribe_absent(suite);
  publish_payloads(suite);
  publish_scenarios(suite);
  publish_order(suite);
  publish_own(suite);
  if (knows_ids(suite)) channel_subscribers(suite);
  channel_missing(suite);
  channels_scenarios(suite);
  if (suite.has_clause("channels.own")) own_channels(suite);
}

}  // namespace hallmark::vectors::generator
