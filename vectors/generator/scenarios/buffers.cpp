#include <fmt/format.h>

#include "vectors/generator/suite.hpp"

// SET and GET of buffers.
namespace hallmark::vectors::generator {
namespace {

using protocol::Level;

const Bytes ehlo = protocol::to_bytes("EHLO");

void set_values(Suite& suite) {
  for (const std::size_t size : {0U, 1U, 255U, 65'535U, 70'000U}) {
    if (size > suite.max()) continue;
    Scenario& s = suite.add("SET", fmt::format("value-{}", size),
                            fmt::format("a value of {} bytes comes back whole", size));
    s.cites({"set.layout", "set.adds-buffer", "get.found", "width.maximum",
             size == 0 ? "silence.empty-names" : "width.value-size"});
    if (size == 0) s.level(Level::may);
    if (size > 255) s.flag("long-value");
    const Bytes value = pattern(size);
    const Lifetime lifetime = s.set(s.key(), value, hours, 1);
    s.get(s.key(), value, hours, lifetime);
  }
}

void set_contents(Suite& suite) {
  Scenario& typical = suite.add("SET", "typical", "a new buffer is there with its value and TTL");
  typical.cites(
      {"set.code", "set.layout", "set.adds-buffer", "set.status", "silence.set-value-size"});
  const Lifetime lifetime = typical.set(typical.key(), ehlo, seconds, 60);
  typical.get(typical.key(), ehlo, seconds, lifetime);

  Scenario& requests =
      suite.add("SET", "value-of-requests", "a value that reads like requests is only a value");
  requests.cites({"set.layout", "stream.framing"});
  Bytes value = *protocol::from_hex("0703010318080408021016");
  const Lifetime hour = requests.set(requests.key(), value, hours, 1);
  requests.get(requests.key(), value, hours, hour);

  constexpr struct {
    TtlUnit type;
    std::string_view name;
  } units[] = {{nanoseconds, "nanoseconds"},   {microseconds, "microseconds"},
               {milliseconds, "milliseconds"}, {seconds, "seconds"},
               {minutes, "minutes"},           {hours, "hours"}};
  for (const auto& unit : units) {
    Scenario& s = suite.add("SET", "ttl-type-" + std::string(unit.name),
                            "a TTL in this unit, asked for in this unit");
    s.cites({"ttl-types.codes", "ttl-types.unit", "set.layout"});
    const Lifetime set = s.set(s.key(), ehlo, unit.type, 200);
    if (unit.type > milliseconds) {
      s.get(s.key(), ehlo, unit.type, set);
      continue;
    }
    s.flag("expires-quickly");
    s.send("GET", {{"key", s.key()}});
    s.expect_until(
        set, {is("status", 1), is("ttl_type", unit.type), left("ttl", set), is("value", ehlo)},
        {is("status", 0)});
  }
}

void set_existing(Suite& suite) {
  Scenario& again =
      suite.add("SET", "existing", "a key that holds a buffer takes the new value and TTL");
  again.level(Level::should).cites({"silence.set-existing", "set.status"});
  again.set(again.key(), ehlo, minutes, 30);
  const Bytes longer = protocol::to_bytes("a longer value than before");
  const Lifetime replaced = again.set(again.key(), longer, hours, 2);
  again.get(again.key(), longer, hours, replaced);

  Scenario& counter =
      suite.add("SET", "over-counter", "a key that holds a counter is refused and keeps it");
  counter.level(Level::should).cites({"silence.kind-mismatch", "record.kinds"});
  const Lifetime kept = counter.insert(counter.key(), 9, minutes, 30);
  counter.send("SET",
               {{"ttl_type", code(hours)}, {"ttl", 2UL}, {"key", counter.key()}, {"value", ehlo}});
  counter.expect({is("status", 0)});
  counter.query(counter.key(), 9, minutes, kept);

  Scenario& purged = suite.add("SET", "after-purge",
                               "a purged key can be set again at once, also as the other kind");
  purged.cites({"set.adds-buffer", "purge.removes", "record.kinds"});
  purged.insert(purged.key(), 9, minutes, 30);
  purged.purge(purged.key());
  const Lifetime fresh = purged.set(purged.key(), ehlo, hours, 2);
  purged.get(purged.key(), ehlo, hours, fresh);
}

void set_ttls(Suite& suite) {
  Scenario& most = suite.add("SET", "ttl-max", "the largest TTL of the width, in the largest unit");
  most.level(Level::should).cites({"width.maximum", "silence.maximum-values"});
  const Lifetime longest = most.set(most.key(), ehlo, hours, most.max());
  most.get(most.key(), ehlo, hours, longest);

  Scenario& one = suite.add("SET", "ttl-one", "a TTL of one unit");
  one.cites({"set.adds-buffer", "ttl.valid-period"});
  const Lifetime hour = one.set(one.key(), ehlo, hours, 1);
  one.get(one.key(), ehlo, hours, hour);

  Scenario& zero = suite.add("SET", "ttl-zero", "a TTL of 0 gets a reply of the documented form");
  zero.level(Level::may).cites({"silence.ttl-zero"}).flag("silent");
  zero.send("SET",
            {{"ttl_type", code(seconds)}, {"ttl", 0UL}, {"key", zero.key()}, {"value", ehlo}});
  zero.expect({one_of("status", {0, 1})});
  zero.send("GET", {{"key", zero.key()}});
  zero.expect_any(
      {{is("status", 0)}, {is("status", 1), any("ttl_type"), any("ttl"), is("value", ehlo)}});
}

void set_names(Suite& suite) {
  for (const NameSize& name : name_sizes()) {
    if (name.bytes.empty()) continue;
    Scenario& s =
        suite.add("SET", "key-" + std::string(name.id), "a key of " + std::string(name.title));
    s.cites({"set.layout", "key.binary"}).flag(name.flag);
    const Lifetime lifetime = s.set(name.bytes, ehlo, hours, 1);
    s.get(name.bytes, ehlo, hours, lifetime);
  }
}

void get_scenarios(Suite& suite) {
  Scenario& found = suite.add("GET", "found", "status, TTL type, TTL and value of a buffer");
  found.cites({"get.code", "get.layout", "get.found", "get.buffers", "silence.ttl-left"});
  const Lifetime lifetime = found.set(found.key(), ehlo, seconds, 90);
  found.get(found.key(), ehlo, seconds, lifetime);

  Scenario& missing =
      suite.add("GET", "missing", "a key that does not exist is answered with one byte");
  missing.cites({"get.missing", "get.code"});
  missing.fails("GET", missing.key());

  Scenario& again = suite.add("GET", "again", "asking changes nothing");
  again.cites({"get.buffers", "get.found"});
  const Lifetime kept = again.set(again.key(), ehlo, hours, 3);
  for (int i = 0; i < 3; ++i) again.get(again.key(), ehlo, hours, kept);

  Scenario& counter = suite.add("GET", "counter", "a counter is no buffer");
  counter.level(Level::should).cites({"get.buffers", "silence.kind-mismatch"});
  counter.insert(counter.key(), 5, hours, 1);
  counter.fails("GET", counter.key());

  Scenario& purged = suite.add("GET", "purged", "a purged buffer is gone");
  purged.cites({"get.missing", "purge.removes"});
  purged.set(purged.key(), ehlo, hours, 3);
  purged.purge(purged.key());
  purged.fails("GET", purged.key());

  for (const NameSize& name : name_sizes()) {
    Scenario& s = suite.add("GET", "missing-key-" + std::string(name.id),
                            "a missing key of " + std::string(name.title));
    s.cites({"get.layout", "get.missing", "key.binary"}).flag(name.flag);
    s.fails("GET", name.bytes);
  }
}

}  // namespace

void add_buffer_scenarios(Suite& suite) {
  set_contents(suite);
  set_values(suite);
  set_existing(suite);
  set_ttls(suite);
  set_names(suite);
  get_scenarios(suite);
}

}  // namespace hallmark::vectors::generator
