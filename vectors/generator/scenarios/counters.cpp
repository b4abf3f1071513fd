#include "vectors/generator/suite.hpp"

// INSERT, QUERY and PURGE of counters.
namespace hallmark::vectors::generator {
namespace {

using protocol::Level;

struct Unit {
  TtlUnit type;
  std::string_view name;
};
constexpr Unit units[] = {{nanoseconds, "nanoseconds"},   {microseconds, "microseconds"},
                          {milliseconds, "milliseconds"}, {seconds, "seconds"},
                          {minutes, "minutes"},           {hours, "hours"}};

/// Units in which even the largest number of a narrow width is over before anybody can ask.
bool may_expire(TtlUnit type) { return type <= milliseconds; }

void insert_typical(Suite& suite) {
  Scenario& s = suite.add("INSERT", "typical", "a new counter is there with its quota and TTL");
  s.cites({"insert.code", "insert.layout", "insert.adds-counter", "insert.status",
           "width.value-size", "endianness.little"});
  const Lifetime lifetime = s.insert(s.key(), 7, seconds, 60);
  s.query(s.key(), 7, seconds, lifetime);
}

void insert_quotas(Suite& suite) {
  const struct {
    std::string_view name;
    std::uint64_t quota;
  } rows[] = {{"quota-zero", 0}, {"quota-one", 1}, {"quota-max", suite.max()}};
  for (const auto& row : rows) {
    Scenario& s = suite.add("INSERT", row.name, "the quota at its boundary comes back unchanged");
    s.cites({"insert.adds-counter", "insert.status", "width.maximum", "width.value-size"});
    const Lifetime lifetime = s.insert(s.key(), row.quota, hours, 1);
    s.query(s.key(), row.quota, hours, lifetime);
  }
}

void insert_byte_order(Suite& suite) {
  // A quota whose bytes all differ tells the byte order; one byte has none.
  const std::uint64_t quota = 0x0807060504030201 & suite.max();
  Scenario& s = suite.add("INSERT", "byte-order", "the quota's lowest byte comes first");
  s.cites({"insert.layout", "endianness.little", "width.value-size"});
  const Lifetime lifetime = s.insert(s.key(), quota, hours, 1);
  s.query(s.key(), quota, hours, lifetime);
}

void insert_ttls(Suite& suite) {
  Scenario& one = suite.add("INSERT", "ttl-one", "a TTL of one unit");
  one.cites({"insert.adds-counter", "ttl.valid-period", "silence.ttl-left"});
  const Lifetime hour = one.insert(one.key(), 5, hours, 1);
  one.query(one.key(), 5, hours, hour);

  Scenario& most =
      suite.add("INSERT", "ttl-max", "the largest TTL of the width, in the largest unit");
  most.level(Level::should).cites({"width.maximum", "silence.maximum-values"});
  const Lifetime longest = most.insert(most.key(), 5, hours, most.max());
  most.query(most.key(), 5, hours, longest);

  Scenario& zero =
      suite.add("INSERT", "ttl-zero", "a TTL of 0 gets a reply of the documented form");
  zero.level(Level::may).cites({"silence.ttl-zero"}).flag("silent");
  zero.send("INSERT",
            {{"quota", 5UL}, {"ttl_type", code(seconds)}, {"ttl", 0UL}, {"key", zero.key()}});
  zero.expect({one_of("status", {0, 1})});
  zero.send("QUERY", {{"key", zero.key()}});
  zero.expect_any(
      {{is("status", 0)}, {is("status", 1), any("quota"), any("ttl_type"), any("ttl")}});
}

void insert_units(Suite& suite) {
  for (const Unit& unit : units) {
    Scenario& s = suite.add("INSERT", "ttl-type-" + std::string(unit.name),
                            "a TTL in this unit, asked for in this unit");
    s.cites({"ttl-types.codes", "ttl-types.unit", "insert.layout"});
    const Lifetime lifetime = s.insert(s.key(), 3, unit.type, 200);
    if (!may_expire(unit.type)) {
      s.query(s.key(), 3, unit.type, lifetime);
      continue;
    }
    s.flag("expires-quickly");
    s.send("QUERY", {{"key", s.key()}});
    s.expect_until(
        lifetime,
        {is("status", 1), is("quota", 3), is("ttl_type", unit.type), left("ttl", lifetime)},
        {is("status", 0)});
  }
}

void insert_existing(Suite& suite) {
  Scenario& s =
      suite.add("INSERT", "existing", "a key that exists is refused and keeps quota and TTL");
  s.level(Level::should).cites({"silence.insert-existing", "insert.status"});
  const Lifetime lifetime = s.insert(s.key(), 9, minutes, 30);
  s.send("INSERT", {{"quota", 1UL}, {"ttl_type", code(hours)}, {"ttl", 2UL}, {"key", s.key()}});
  s.expect({is("status", 0)});
  s.query(s.key(), 9, minutes, lifetime);
}

void insert_over_buffer(Suite& suite) {
  Scenario& s =
      suite.add("INSERT", "over-buffer", "a key that holds a buffer is refused and keeps it");
  s.level(Level::should).cites({"silence.kind-mismatch", "record.kinds"});
  const Bytes value = protocol::to_bytes("EHLO");
  const Lifetime lifetime = s.set(s.key(), value, minutes, 30);
  s.send("INSERT", {{"quota", 1UL}, {"ttl_type", code(hours)}, {"ttl", 2UL}, {"key", s.key()}});
  s.expect({is("status", 0)});
  s.get(s.key(), value, minutes, lifetime);
}

void insert_after_purge(Suite& suite) {
  Scenario& s = suite.add("INSERT", "after-purge", "a purged key can be inserted again at once");
  s.cites({"insert.adds-counter", "purge.removes"});
  s.insert(s.key(), 9, minutes, 30);
  s.purge(s.key());
  const Lifetime lifetime = s.insert(s.key(), 4, hours, 2);
  s.query(s.key(), 4, hours, lifetime);
}

void insert_names(Suite& suite) {
  for (const NameSize& name : name_sizes()) {
    Scenario& s =
        suite.add("INSERT", "key-" + std::string(name.id), "a key of " + std::string(name.title));
    s.level(name.bytes.empty() ? Level::may : Level::must).flag(name.flag);
    s.cites(
        {"insert.layout", "key.binary", name.bytes.empty() ? "silence.empty-names" : "key.unique"});
    if (name.bytes.empty()) {
      s.flag("silent");
      s.send("INSERT",
             {{"quota", 6UL}, {"ttl_type", code(hours)}, {"ttl", 1UL}, {"key", name.bytes}});
      s.expect({one_of("status", {0, 1})});
      continue;
    }
    const Lifetime lifetime = s.insert(name.bytes, 6, hours, 1);
    s.query(name.bytes, 6, hours, lifetime);
  }
}

void insert_neighbours(Suite& suite) {
  Scenario& s = suite.add("INSERT", "neighbours",
                          "keys that are prefixes of each other are different records");
  s.cites({"key.unique", "record.kinds"});
  Bytes longer = s.key();
  longer.push_back(0);
  const Lifetime first = s.insert(s.key(), 1, hours, 1);
  const Lifetime second = s.insert(longer, 2, hours, 2);
  s.query(s.key(), 1, hours, first);
  s.query(longer, 2, hours, second);
}

void query_scenarios(Suite& suite) {
  Scenario& found = suite.add("QUERY", "found", "status, quota, TTL type and TTL of a counter");
  found.cites({"query.code", "query.layout", "query.found", "query.counters", "silence.ttl-left"});
  const Lifetime lifetime = found.insert(found.key(), 7, seconds, 90);
  found.query(found.key(), 7, seconds, lifetime);

  Scenario& missing =
      suite.add("QUERY", "missing", "a key that does not exist is answered with one byte");
  missing.cites({"query.missing", "query.code"});
  missing.fails("QUERY", missing.key());

  Scenario& again = suite.add("QUERY", "again", "asking changes nothing");
  again.cites({"query.counters", "query.found"});
  const Lifetime kept = again.insert(again.key(), 2, hours, 3);
  for (int i = 0; i < 3; ++i) again.query(again.key(), 2, hours, kept);

  Scenario& buffer = suite.add("QUERY", "buffer", "a buffer is no counter");
  buffer.level(Level::should).cites({"query.counters", "silence.kind-mismatch"});
  buffer.set(buffer.key(), protocol::to_bytes("EHLO"), hours, 1);
  buffer.fails("QUERY", buffer.key());

  Scenario& purged = suite.add("QUERY", "purged", "a purged counter is gone");
  purged.cites({"query.missing", "purge.removes"});
  purged.insert(purged.key(), 2, hours, 3);
  purged.purge(purged.key());
  purged.fails("QUERY", purged.key());

  for (const NameSize& name : name_sizes()) {
    Scenario& s = suite.add("QUERY", "missing-key-" + std::string(name.id),
                            "a missing key of " + std::string(name.title));
    s.cites({"query.layout", "query.missing", "key.binary"}).flag(name.flag);
    s.fails("QUERY", name.bytes);
  }
}

void purge_scenarios(Suite& suite) {
  Scenario& counter = suite.add("PURGE", "counter", "a counter is removed");
  counter.cites({"purge.code", "purge.layout", "purge.removes", "purge.status"});
  counter.insert(counter.key(), 2, hours, 3);
  counter.purge(counter.key());
  counter.fails("QUERY", counter.key());

  Scenario& buffer = suite.add("PURGE", "buffer", "a buffer is removed");
  buffer.cites({"purge.removes", "purge.status"});
  buffer.set(buffer.key(), protocol::to_bytes("EHLO"), hours, 1);
  buffer.purge(buffer.key());
  buffer.fails("GET", buffer.key());

  Scenario& missing = suite.add("PURGE", "missing", "a key that does not exist cannot be removed");
  missing.cites({"purge.status"});
  missing.fails("PURGE", missing.key());

  Scenario& twice = suite.add("PURGE", "twice", "a removed key cannot be removed again");
  twice.cites({"purge.removes", "purge.status"});
  twice.insert(twice.key(), 2, hours, 3);
  twice.purge(twice.key());
  twice.fails("PURGE", twice.key());

  Scenario& other = suite.add("PURGE", "leaves-others", "only the named key is removed");
  other.cites({"purge.removes", "key.unique"});
  other.insert(other.key("gone"), 2, hours, 3);
  const Lifetime kept = other.insert(other.key("kept"), 8, hours, 3);
  other.purge(other.key("gone"));
  other.query(other.key("kept"), 8, hours, kept);

  for (const NameSize& name : name_sizes()) {
    if (name.bytes.empty()) continue;
    Scenario& s = suite.add("PURGE", "key-" + std::string(name.id),
                            "removing a key of " + std::string(name.title));
    s.cites({"purge.layout", "key.binary"}).flag(name.flag);
    s.insert(name.bytes, 6, hours, 1);
    s.purge(name.bytes);
    s.fails("QUERY", name.bytes);
  }
}

}  // namespace

const std::vector<NameSize>& name_sizes() {
  static const std::vector<NameSize> sizes = [] {
    Bytes all(255);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint8_t>(255 - i);
    return std::vector<NameSize>{
        {"empty", "length 0", {}, "empty-name"},
        {"one-byte", "one byte", {0xfe}, "short-name"},
        {"longest", "255 bytes", Bytes(255, 'k'), "long-name"},
        {"binary", "255 bytes, each value from 255 down to 1", all, "binary-name"},
        {"zeros", "16 zero bytes", Bytes(16, 0), "binary-name"},
    };
  }();
  return sizes;
}

void add_counter_scenarios(Suite& suite) {
  insert_typical(suite);
  insert_quotas(suite);
  insert_byte_order(suite);
  insert_ttls(suite);
  insert_units(suite);
  insert_existing(suite);
  insert_over_buffer(suite);
  insert_after_purge(suite);
  insert_names(suite);
  insert_neighbours(suite);
  query_scenarios(suite);
  purge_scenarios(suite);
}

}  // namespace hallmark::vectors::generator
