#include <fmt/format.h>

#include "vectors/generator/suite.hpp"

// SUBSCRIBE, UNSUBSCRIBE, PUBLISH, CHANNELS and CHANNEL.
namespace hallmark::vectors::generator {
namespace {

using protocol::Level;

const Bytes ehlo = protocol::to_bytes("EHLO");

void subscribe_scenarios(Suite& suite) {
  Scenario& fresh = suite.add("SUBSCRIBE", "new", "a subscription starts");
  fresh.cites({"subscribe.code", "subscribe.layout", "subscribe.starts", "subscribe.status"});
  fresh.subscribe(fresh.key());
  fresh.on("b").publish(fresh.key(), ehlo).fence();
  fresh.on("a").expect_push("DELIVERY", {is("payload", ehlo)});

  Scenario& twice =
      suite.add("SUBSCRIBE", "twice", "a second subscription gets a reply of the documented form");
  twice.level(Level::may).cites({"silence.subscribe-twice"}).flag("silent");
  twice.subscribe(twice.key());
  twice.send("SUBSCRIBE", {{"channel", twice.key()}});
  twice.expect({one_of("status", {0, 1})});

  for (const NameSize& name : name_sizes()) {
    if (name.bytes.empty()) continue;
    Scenario& s = suite.add("SUBSCRIBE", "channel-" + std::string(name.id),
                            "a channel of " + std::string(name.title));
    s.cites({"subscribe.layout", "subscribe.starts", "publish.layout"}).flag(name.flag);
    s.subscribe(name.bytes);
    s.on("b").publish(name.bytes, ehlo).fence();
    s.on("a").expect_push("DELIVERY", {is("payload", ehlo)});
  }
}

void unsubscribe_scenarios(Suite& suite) {
  Scenario& ends =
      suite.add("UNSUBSCRIBE", "subscribed", "nothing is delivered after the subscription ends");
  ends.cites(
      {"unsubscribe.code", "unsubscribe.layout", "unsubscribe.finishes", "unsubscribe.status"});
  ends.subscribe(ends.key());
  ends.unsubscribe(ends.key());
  ends.on("b").publish(ends.key(), ehlo, 0).fence();
  ends.on("a").fence();

  Scenario& absent =
      suite.add("UNSUBSCRIBE", "absent", "a subscription that does not exist cannot end");
  absent.level(Level::should).cites({"silence.unsubscribe-absent", "unsubscribe.status"});
  absent.unsubscribe(absent.key(), 0);

  Scenario& twice = suite.add("UNSUBSCRIBE", "twice", "a subscription ends once");
  twice.level(Level::should).cites({"silence.unsubscribe-absent", "unsubscribe.finishes"});
  twice.subscribe(twice.key());
  twice.unsubscribe(twice.key());
  twice.unsubscribe(twice.key(), 0);

  Scenario& other = suite.add("UNSUBSCRIBE", "leaves-others", "only the named subscription ends");
  other.cites({"unsubscribe.finishes"});
  other.subscribe(other.key("left"));
  other.subscribe(other.key("kept"));
  other.unsubscribe(other.key("left"));
  other.on("b").publish(other.key("left"), ehlo, 0).publish(other.key("kept"), ehlo).fence();
  other.on("a").expect_push("DELIVERY", {is("payload", ehlo)}).fence();
}

void publish_payloads(Suite& suite) {
  for (const std::size_t size : {0U, 1U, 255U, 65'535U, 70'000U}) {
    if (size > suite.max()) continue;
    Scenario& s = suite.add("PUBLISH", fmt::format("payload-{}", size),
                            fmt::format("a payload of {} bytes is delivered whole", size));
    s.cites({"publish.layout", "publish.delivers",
             size == 0 ? "silence.empty-names" : "silence.delivery"});
    if (size == 0) s.level(Level::may);
    if (size > 255) s.flag("long-value");
    const Bytes payload = pattern(size);
    s.subscribe(s.key());
    s.on("b").publish(s.key(), payload).fence();
    s.on("a").expect_push("DELIVERY", {is("payload", payload)}).fence();
  }
}

void publish_scenarios(Suite& suite) {
  Scenario& typical =
      suite.add("PUBLISH", "typical", "a subscriber receives what another connection publishes");
  typical.cites({"publish.code", "publish.layout", "publish.delivers", "silence.delivery",
                 "silence.publish-reply"});
  typical.subscribe(typical.key());
  typical.on("b").publish(typical.key(), ehlo).fence();
  typical.on("a").expect_push("DELIVERY", {is("payload", ehlo)}).fence();

  Scenario& several =
      suite.add("PUBLISH", "several-subscribers", "every subscriber receives it once");
  several.cites({"publish.delivers"});
  several.on("a").subscribe(several.key());
  several.on("b").subscribe(several.key());
  several.on("c").publish(several.key(), ehlo).fence();
  several.on("a").expect_push("DELIVERY", {is("payload", ehlo)}).fence();
  several.on("b").expect_push("DELIVERY", {is("payload", ehlo)}).fence();

  Scenario& order =
      suite.add("PUBLISH", "order", "publications arrive in the order in which they were sent");
  order.cites({"publish.delivers", "stream.reply-order"});
  order.subscribe(order.key());
  order.on("b");
  for (const char* payload : {"first", "second", "third"})
    order.publish(order.key(), protocol::to_bytes(payload));
  order.fence();
  order.on("a");
  for (const char* payload : {"first", "second", "third"}) {
    order.expect_push("DELIVERY", {is("payload", protocol::to_bytes(payload))});
  }

  Scenario& own =
      suite.add("PUBLISH", "own", "a publisher that subscribes does not receive its own");
  own.level(Level::should).cites({"silence.publish-self"});
  own.on("a").subscribe(own.key());
  own.on("b").subscribe(own.key());
  own.publish(own.key(), ehlo).fence();
  own.on("a").expect_push("DELIVERY", {is("payload", ehlo)}).fence();

  Scenario& nobody =
      suite.add("PUBLISH", "nobody", "a publication without subscribers harms nobody");
  nobody.level(Level::may).cites({"silence.publish-nobody"});
  nobody.publish(nobody.key(), ehlo, 0).fence();

  Scenario& others =
      suite.add("PUBLISH", "other-channel", "a subscriber of another channel receives nothing");
  others.cites({"publish.delivers", "subscribe.starts"});
  others.on("a").subscribe(others.key("heard"));
  others.on("b").publish(others.key("unheard"), ehlo, 0).fence();
  others.on("a").fence();
}

std::vector<Field> channel_found(std::vector<EntryPattern> subscribers) {
  return {is("status", 1), holds("subscribers", std::move(subscribers), true)};
}

EntryPattern subscriber(std::string_view name) {
  return {{remembered("connection_id", name), any("subscribed_at"), any("read_bytes"),
           any("write_bytes")}};
}

void channel_scenarios(Suite& suite) {
  Scenario& one = suite.add("CHANNEL", "one-subscriber", "the subscriber's id stands in the reply");
  one.cites({"channel.code", "channel.found"});
  one.whoami("a");
  one.subscribe(one.key());
  one.send("CHANNEL", {{"channel", one.key()}});
  one.expect(channel_found({subscriber("a")}));

  Scenario& two =
      suite.add("CHANNEL", "two-subscribers", "both subscribers stand in the reply, each once");
  two.cites({"channel.found"});
  two.on("a").whoami("a").subscribe(two.key());
  two.on("b").whoami("b").subscribe(two.key());
  two.send("CHANNEL", {{"channel", two.key()}});
  two.expect(channel_found({subscriber("a"), subscriber("b")}));

  Scenario& missing = suite.add("CHANNEL", "missing",
                                "a channel that nobody subscribed to is answered with one byte");
  missing.cites({"channel.missing", "channel.code"});
  missing.send("CHANNEL", {{"channel", missing.key()}});
  missing.expect({is("status", 0)});

  Scenario& left = suite.add("CHANNEL", "left", "a channel whose last subscriber left is gone");
  left.level(Level::should).cites({"channel.missing", "unsubscribe.finishes"});
  left.subscribe(left.key());
  left.unsubscribe(left.key());
  left.send("CHANNEL", {{"channel", left.key()}});
  left.expect({is("status", 0)});

  for (const NameSize& name : name_sizes()) {
    if (name.bytes.empty()) continue;
    Scenario& s = suite.add("CHANNEL", "missing-" + std::string(name.id),
                            "a missing channel of " + std::string(name.title));
    s.cites({"channel.missing"}).flag(name.flag);
    s.send("CHANNEL", {{"channel", name.bytes}});
    s.expect({is("status", 0)});
  }
}

EntryPattern channel_entry(const Bytes& channel, std::uint64_t subscribers) {
  return {{any("read_bytes"), any("write_bytes"), is("subscribed_connections", subscribers),
           is("channel", channel)}};
}

void channels_scenarios(Suite& suite) {
  Scenario& s = suite.add("CHANNELS", "subscribed",
                          "channels with subscribers are listed with their number, each once");
  s.cites({"channels.code", "channels.fragments", "channels.entry", "channels.names-last",
           "silence.channels-subscribers", "silence.status-prefix"});
  s.on("a").subscribe(s.key("one"));
  s.subscribe(s.key("two"));
  s.on("b").subscribe(s.key("two"));
  s.send("CHANNELS", {});
  s.expect({is("status", 1),
            holds("channels", {channel_entry(s.key("one"), 1), channel_entry(s.key("two"), 2)})});

  Scenario& many = suite.add("CHANNELS", "many", "many channels, in one fragment or several");
  many.cites({"channels.fragments", "channels.names-last", "silence.fragments"});
  std::vector<EntryPattern> entries;
  for (int i = 0; i < 60; ++i) {
    const Bytes channel = many.key(fmt::format("{:02}", i));
    many.subscribe(channel);
    entries.push_back(channel_entry(channel, 1));
  }
  many.send("CHANNELS", {});
  many.expect({is("status", 1), holds("channels", std::move(entries))});
}

}  // namespace

void add_channel_scenarios(Suite& suite) {
  subscribe_scenarios(suite);
  unsubscribe_scenarios(suite);
  publish_payloads(suite);
  publish_scenarios(suite);
  channel_scenarios(suite);
  channels_scenarios(suite);
}

}  // namespace hallmark::vectors::generator
