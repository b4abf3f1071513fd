#include "vectors/generator/suite.hpp"

// INSERT, QUERY and PURGE of counters.
namespace hallmark::vectors::generator {
namespace {

using protocol::Level;

/// A code that no dialect lists.
constexpr std::uint64_t unlisted = 0xff;

void insert_typical(Suite& suite) {
  Scenario& s = suite.add("INSERT", "typical", "a new counter is there with its quota and TTL");
  s.cites({"insert.code", "insert.layout", "insert.adds-counter", "insert.status",
           "width.value-size", "endianness.little"});
  const Lifetime lifetime = s.insert(s.key(), 7, seconds, 60);
  s.query(s.key(), 7, seconds, lifetime);
}

/// Under a reading by which the maximum is not valid, a number that is the maximum is refused.
void insert_quotas(Suite& suite) {
  const struct {
    std::string_view name;
    std::uint64_t quota;
  } rows[] = {{"quota-zero", 0}, {"quota-one", 1}, {"quota-max", suite.max()}};
  for (const auto& row : rows) {
    const bool valid = row.quota != suite.max() || suite.reads({"maximum-values", "valid"});
    Scenario& s = suite.add("INSERT", row.name,
                            valid ? "the quota at its boundary comes back unchanged"
                                  : "the largest number is no quota");
    s.cites({"insert.adds-counter", "insert.status", "width.maximum", "width.value-size"});
    const Lifetime lifetime = s.insert(s.key(), row.quota, hours, 1, valid);
    valid ? s.query(s.key(), row.quota, hours, lifetime) : s.fails("QUERY", s.key());
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

  const TtlUnit longest_unit = suite.longest_unit();
  const bool valid = suite.reads({"maximum-values", "valid"});
  Scenario& most =
      suite.add("INSERT", "ttl-max", "the largest TTL of the width, in the largest unit");
  most.level(Level::should).cites({"width.maximum", "silence.maximum-values"});
  const Lifetime longest = most.insert(most.key(), 5, longest_unit, most.max(), valid);
  valid ? most.query(most.key(), 5, longest_unit, longest) : most.fails("QUERY", most.key());
}

void insert_ttl_zero(Suite& suite) {
  const protocol::AnswerName answer = suite.answer("ttl-zero");
  Scenario& s = suite.add("INSERT", "ttl-zero",
                          answer == "expired"   ? "a counter with a TTL of 0 is gone at once"
                          : answer == "refused" ? "a TTL of 0 is refused"
                                                : "a counter with a TTL of 0 does not expire");
  s.level(Level::may).cites({"silence.ttl-zero"}).flag("silent");
  s.insert(s.key(), 5, seconds, 0, answer != "refused");
  if (answer != "forever") {
    s.fails("QUERY", s.key());
    return;
  }
  s.send("QUERY", Name(s.key()).with({}));
  s.succeeds({is("quota", 5), s.ttl_type(seconds), any("ttl")});
}

void insert_units(Suite& suite) {
  for (const TtlUnit unit : protocol::ttl_units(suite.dialect())) {
    Scenario& s = suite.add("INSERT", "ttl-type-" + std::string(name_of(unit)),
                            "a TTL in this unit, asked for in this unit");
    s.cites({"ttl-types.codes", "ttl-types.unit", "insert.layout"});
    const Lifetime lifetime = s.insert(s.key(), 3, unit, suite.telling_ttl(unit));
    if (!Suite::may_expire(unit)) {
      s.query(s.key(), 3, unit, lifetime);
      continue;
    }
    s.cites({"ttl.expires", "silence.expired-when", "silence.expiry-2.0"}).flag("expires-quickly");
    s.send("QUERY", Name(s.key()).with({}));
    s.expect_expiring(lifetime, [&](Field ttl) {
      return std::vector<Field>{is("status", 1), is("quota", 3), s.ttl_type(unit), std::move(ttl)};
    });
  }
}

/// Nobody says what an accepted unlisted unit means, so only the status is judged. No step can
/// expect a closed connection, so there is no vector for that answer.
void insert_unknown_unit(Suite& suite) {
  const protocol::AnswerName answer = suite.answer("ttl-type-unknown");
  if (answer == "closed") return;
  Scenario& s = suite.add("INSERT", "ttl-type-unknown",
                          answer == "refused" ? "a TTL type that is not listed is refused"
                                              : "a TTL type that is not listed is accepted");
  s.level(Level::may).cites({"silence.ttl-type-unknown"}).flag("silent");
  s.send("INSERT", Name(s.key()).with({{"quota", 5UL}, {"ttl_type", unlisted}, {"ttl", 100UL}}));
  s.status(answer == "accepted");
  if (answer == "refused") s.fails("QUERY", s.key());
}

void insert_existing(Suite& suite) {
  const bool replaced = suite.reads({"insert-existing", "replaced"});
  Scenario& s = suite.add("INSERT", "existing",
                          replaced ? "a key that exists takes the new quota and TTL"
                                   : "a key that exists is refused and keeps quota and TTL");
  s.level(Level::should).cites({"silence.insert-existing", "insert.status"});
  const Lifetime first = s.insert(s.key(), 9, minutes, 30);
  const Lifetime second = s.insert(s.key(), 1, hours, 2, replaced);
  replaced ? s.query(s.key(), 1, hours, second) : s.query(s.key(), 9, minutes, first);
}

void insert_over_buffer(Suite& suite) {
  const bool replaced = suite.reads({"kind-mismatch", "replaced"});
  Scenario& s = suite.add("INSERT", "over-buffer",
                          replaced ? "a key that holds a buffer becomes a counter"
                                   : "a key that holds a buffer is refused and keeps it");
  s.level(Level::should).cites({"silence.kind-mismatch", "record.kinds"});
  const Lifetime first = s.set(s.key(), ehlo, minutes, 30);
  const Lifetime second = s.insert(s.key(), 1, hours, 2, replaced);
  replaced ? s.query(s.key(), 1, hours, second) : s.get(s.key(), ehlo, minutes, first);
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
  for (const NameSize& size : suite.names()) {
    const bool empty = size.bytes.empty();
    const bool valid = !empty || suite.reads({"empty-names", "valid"});
    Scenario& s = suite.add(
        "INSERT", "key-" + std::string(size.id),
        (suite.has_pairs() ? "" : "a key of ") + size.title + (valid ? "" : " is refused"));
    s.level(empty ? Level::may : Level::must).flag(size.flag);
    s.cites({"insert.layout", "key.binary", empty ? "silence.empty-names" : "key.unique"});
    const Lifetime lifetime = s.insert(size.name, 6, hours, 1, valid);
    valid ? s.query(size.name, 6, hours, lifetime) : s.fails("QUERY", size.name);
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
      suite.add("QUERY", "missing", "a key that does not exist is answered with a failure only");
  missing.cites({"query.missing", "query.code"});
  missing.fails("QUERY", missing.key());

  Scenario& again = suite.add("QUERY", "again", "asking changes nothing");
  again.cites({"query.counters", "query.found"});
  const Lifetime kept = again.insert(again.key(), 2, hours, 3);
  for (int i = 0; i < 3; ++i) again.query(again.key(), 2, hours, kept);

  Scenario& purged = suite.add("QUERY", "purged", "a purged counter is gone");
  purged.cites({"query.missing", "purge.removes"});
  purged.insert(purged.key(), 2, hours, 3);
  purged.purge(purged.key());
  purged.fails("QUERY", purged.key());

  for (const NameSize& size : suite.names()) {
    Scenario& s =
        suite.add("QUERY", "missing-key-" + std::string(size.id),
                  suite.has_pairs() ? "missing: " + size.title : "a missing key of " + size.title);
    s.cites({"query.layout", "query.missing", "key.binary"}).flag(size.flag);
    s.fails("QUERY", size.name);
  }
}

void query_buffer(Suite& suite) {
  Scenario& s = suite.add("QUERY", "buffer", "a buffer is no counter");
  s.level(Level::should).cites({"query.counters", "silence.kind-mismatch"});
  s.set(s.key(), ehlo, hours, 1);
  s.fails("QUERY", s.key());
}

void purge_scenarios(Suite& suite) {
  Scenario& counter = suite.add("PURGE", "counter", "a counter is removed");
  counter.cites({"purge.code", "purge.layout", "purge.removes", "purge.status"});
  counter.insert(counter.key(), 2, hours, 3);
  counter.purge(counter.key());
  counter.fails("QUERY", counter.key());

  Scenario& other = suite.add("PURGE", "leaves-others", "only the named key is removed");
  other.cites({"purge.removes", "key.unique"});
  other.insert(other.key("gone"), 2, hours, 3);
  const Lifetime kept = other.insert(other.key("kept"), 8, hours, 3);
  other.purge(other.key("gone"));
  other.query(other.key("kept"), 8, hours, kept);

  for (const NameSize& size : suite.names()) {
    if (size.bytes.empty()) continue;
    Scenario& s =
        suite.add("PURGE", "key-" + std::string(size.id),
                  suite.has_pairs() ? "removing " + size.title : "removing a key of " + size.title);
    s.cites({"purge.layout", "key.binary"}).flag(size.flag);
    s.insert(size.name, 6, hours, 1);
    s.purge(size.name);
    s.fails("QUERY", size.name);
  }
}

/// Only 6.0 says what comes back.
void purge_missing(Suite& suite) {
  const bool accepted = suite.reads({"purge-missing", "accepted"});
  const Level level = suite.has_clause("purge.missing") ? Level::must : Level::should;
  Scenario& missing = suite.add("PURGE", "missing",
                                accepted ? "removing a key that does not exist succeeds"
                                         : "a key that does not exist cannot be removed");
  missing.level(level).cites({"purge.status", "purge.missing", "silence.purge-missing"});
  missing.purge(missing.key(), accepted);

  Scenario& twice = suite.add(
      "PURGE", "twice",
      accepted ? "a removed key can be removed again" : "a removed key cannot be removed again");
  twice.level(level);
  twice.cites({"purge.removes", "purge.status", "purge.missing", "silence.purge-missing"});
  twice.insert(twice.key(), 2, hours, 3);
  twice.purge(twice.key());
  twice.purge(twice.key(), accepted);
}

void purge_buffer(Suite& suite) {
  Scenario& s = suite.add("PURGE", "buffer", "a buffer is removed");
  s.cites({"purge.removes", "purge.status"});
  s.set(s.key(), ehlo, hours, 1);
  s.purge(s.key());
  s.fails("GET", s.key());
}

}  // namespace

void add_counter_scenarios(Suite& suite) {
  const bool has_buffers = suite.has({"SET", "GET"});
  insert_typical(suite);
  insert_quotas(suite);
  insert_byte_order(suite);
  insert_ttls(suite);
  insert_ttl_zero(suite);
  insert_units(suite);
  insert_unknown_unit(suite);
  insert_existing(suite);
  if (has_buffers) insert_over_buffer(suite);
  insert_after_purge(suite);
  insert_names(suite);
  insert_neighbours(suite);
  query_scenarios(suite);
  if (has_buffers) query_buffer(suite);
  purge_scenarios(suite);
  purge_missing(suite);
  if (has_buffers) purge_buffer(suite);
}

}  // namespace hallmark::vectors::generator
