#include "vectors/generator/suite.hpp"

// UPDATE: both attributes, the three changes, on both kinds of record.
namespace hallmark::vectors::generator {
namespace {

using protocol::Level;

using enum protocol::Change;

struct QuotaRow {
  std::string_view name;
  std::string_view title;
  std::uint64_t before;
  Change change;
  std::uint64_t value;
  std::uint64_t after;
};

void quota_changes(Suite& suite) {
  const std::uint64_t max = suite.max();
  const QuotaRow rows[] = {
      {"quota-patch", "patch replaces the quota", 5, patch, 9, 9},
      {"quota-increase", "increase adds to the quota", 5, increase, 9, 14},
      {"quota-decrease", "decrease takes from the quota", 5, decrease, 2, 3},
      {"quota-patch-zero", "patch to 0", 5, patch, 0, 0},
      {"quota-patch-max", "patch to the width's maximum", 5, patch, max, max},
      {"quota-increase-zero", "increase by 0", 5, increase, 0, 5},
      {"quota-increase-to-max", "increase to exactly the width's maximum", 5, increase, max - 5,
       max},
      {"quota-decrease-zero", "decrease by 0", 5, decrease, 0, 5},
      {"quota-decrease-to-zero", "decrease to exactly 0", 5, decrease, 5, 0},
      {"quota-decrease-max", "decrease by the width's maximum", max, decrease, max, 0},
  };
  for (const QuotaRow& row : rows) {
    Scenario& s = suite.add("UPDATE", row.name, row.title);
    s.cites(
        {"update.code", "update.layout", "update.attributes", "update.changes", "update.status"});
    const Lifetime lifetime = s.insert(s.key(), row.before, hours, 1);
    s.update_quota(s.key(), row.change, row.value);
    s.query(s.key(), row.after, hours, lifetime);
  }
}

void quota_refusals(Suite& suite) {
  Scenario& below =
      suite.add("UPDATE", "quota-below-zero", "a decrease below 0 fails and changes nothing");
  below.level(Level::should).cites({"update.decrease-negative", "update.status"});
  const Lifetime kept = below.insert(below.key(), 5, hours, 1);
  below.update_quota(below.key(), decrease, 6, 0);
  below.query(below.key(), 5, hours, kept);

  Scenario& empty = suite.add("UPDATE", "quota-decrease-empty",
                              "a decrease of a quota of 0 fails and changes nothing");
  empty.level(Level::should).cites({"update.decrease-negative"});
  const Lifetime spent = empty.insert(empty.key(), 0, hours, 1);
  empty.update_quota(empty.key(), decrease, 1, 0);
  empty.query(empty.key(), 0, hours, spent);

  Scenario& over = suite.add("UPDATE", "quota-overflow",
                             "an increase past the maximum gets a reply of the documented form");
  over.level(Level::may).cites({"silence.increase-overflow"}).flag("silent");
  over.insert(over.key(), over.max(), hours, 1);
  over.send("UPDATE", {{"attribute", code(Attribute::quota)},
                       {"change", code(increase)},
                       {"value", 1UL},
                       {"key", over.key()}});
  over.expect({one_of("status", {0, 1})});
  over.send("QUERY", {{"key", over.key()}});
  over.expect(
      {is("status", 1), one_of("quota", {over.max(), 0}), is("ttl_type", hours), any("ttl")});

  Scenario& missing = suite.add("UPDATE", "missing",
                                "a key that does not exist cannot be changed, nor comes to be");
  missing.level(Level::should).cites({"silence.update-missing", "update.status"});
  missing.update_quota(missing.key(), patch, 1, 0);
  missing.fails("QUERY", missing.key());

  Scenario& ttl =
      suite.add("UPDATE", "missing-ttl", "the TTL of a key that does not exist cannot be changed");
  ttl.level(Level::should).cites({"silence.update-missing", "update.status"});
  ttl.send("UPDATE", {{"attribute", code(Attribute::ttl)},
                      {"change", code(patch)},
                      {"value", 1UL},
                      {"key", ttl.key()}});
  ttl.expect({is("status", 0)});
}

struct TtlRow {
  std::string_view name;
  std::string_view title;
  Change change;
  std::uint64_t value;
  std::uint64_t after;
};

constexpr TtlRow ttl_rows[] = {
    {"ttl-patch", "patch replaces the TTL, counted from now", patch, 50, 50},
    {"ttl-increase", "increase lengthens the TTL", increase, 5, 35},
    {"ttl-decrease", "decrease shortens the TTL", decrease, 3, 27},
};

void ttl_changes(Suite& suite) {
  for (const TtlRow& row : ttl_rows) {
    Scenario& s = suite.add("UPDATE", row.name, row.title);
    s.cites({"update.attributes", "update.changes", "update.ttl-reschedules", "record.time-point",
             "silence.ttl-update"});
    Lifetime lifetime = s.insert(s.key(), 4, minutes, 30);
    lifetime.full = row.after;
    lifetime = s.update_ttl(s.key(), row.change, row.value, lifetime);
    s.query(s.key(), 4, minutes, lifetime);

    Scenario& b = suite.add("UPDATE", "buffer-" + std::string(row.name),
                            std::string(row.title) + ", of a buffer");
    b.cites({"update.buffers-ttl-only", "update.ttl-reschedules", "silence.ttl-update"});
    const Bytes value = protocol::to_bytes("EHLO");
    Lifetime of_buffer = b.set(b.key(), value, minutes, 30);
    of_buffer.full = row.after;
    of_buffer = b.update_ttl(b.key(), row.change, row.value, of_buffer);
    b.get(b.key(), value, minutes, of_buffer);
  }
}

void ttl_units(Suite& suite) {
  for (const TtlUnit type : {seconds, minutes, hours}) {
    constexpr std::string_view names[] = {"seconds", "minutes", "hours"};
    Scenario& s = suite.add("UPDATE", "ttl-patch-" + std::string(names[code(type) - code(seconds)]),
                            "a TTL update counts in the unit of the record");
    s.cites({"silence.ttl-update", "ttl-types.unit"});
    Lifetime lifetime = s.insert(s.key(), 4, type, 100);
    lifetime.full = 200;
    lifetime = s.update_ttl(s.key(), patch, 200, lifetime);
    s.query(s.key(), 4, type, lifetime);
  }
}

void combined(Suite& suite) {
  Scenario& s = suite.add("UPDATE", "in-a-row", "changes of quota and TTL add up");
  s.cites({"update.changes", "update.attributes", "update.ttl-reschedules"});
  Lifetime lifetime = s.insert(s.key(), 2, minutes, 30);
  s.update_quota(s.key(), increase, 2);
  s.update_quota(s.key(), decrease, 4);
  s.update_quota(s.key(), patch, 9);
  lifetime.full = 50;
  lifetime = s.update_ttl(s.key(), patch, 50, lifetime);
  lifetime.full = 55;
  lifetime = s.update_ttl(s.key(), increase, 5, lifetime);
  lifetime.full = 52;
  lifetime = s.update_ttl(s.key(), decrease, 3, lifetime);
  s.query(s.key(), 9, minutes, lifetime);

  Scenario& b = suite.add("UPDATE", "buffer-quota", "a buffer has no quota to change");
  b.cites({"update.buffers-ttl-only", "update.status"});
  const Bytes value = protocol::to_bytes("EHLO");
  const Lifetime kept = b.set(b.key(), value, hours, 1);
  for (const Change change : {patch, increase, decrease}) b.update_quota(b.key(), change, 1, 0);
  b.get(b.key(), value, hours, kept);

  for (const NameSize& name : name_sizes()) {
    if (name.bytes.empty()) continue;
    Scenario& k = suite.add("UPDATE", "key-" + std::string(name.id),
                            "changing a key of " + std::string(name.title));
    k.cites({"update.layout", "key.binary"}).flag(name.flag);
    const Lifetime hour = k.insert(name.bytes, 6, hours, 1);
    k.update_quota(name.bytes, increase, 1);
    k.query(name.bytes, 7, hours, hour);
  }
}

}  // namespace

void add_update_scenarios(Suite& suite) {
  quota_changes(suite);
  quota_refusals(suite);
  ttl_changes(suite);
  ttl_units(suite);
  combined(suite);
}

}  // namespace hallmark::vectors::generator
