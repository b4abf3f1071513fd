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

void quota_change(Suite& suite, const QuotaRow& row) {
  Scenario& s = suite.add("UPDATE", row.name, row.title);
  s.cites({"update.code", "update.layout", "update.attributes", "update.changes", "update.status"});
  const Lifetime lifetime = s.insert(s.key(), row.before, hours, 1);
  s.update_quota(s.key(), row.change, row.value);
  s.query(s.key(), row.after, hours, lifetime);
}

void quota_changes(Suite& suite) {
  const QuotaRow rows[] = {
      {"quota-patch", "patch replaces the quota", 5, patch, 9, 9},
      {"quota-increase", "increase adds to the quota", 5, increase, 9, 14},
      {"quota-decrease", "decrease takes from the quota", 5, decrease, 2, 3},
      {"quota-patch-zero", "patch to 0", 5, patch, 0, 0},
      {"quota-increase-zero", "increase by 0", 5, increase, 0, 5},
      {"quota-decrease-zero", "decrease by 0", 5, decrease, 0, 5},
      {"quota-decrease-to-zero", "decrease to exactly 0", 5, decrease, 5, 0},
  };
  for (const QuotaRow& row : rows) quota_change(suite, row);
}

/// If the maximum counts as invalid, nobody says which of these changes a server refuses: then
/// there are no vectors.
void quota_maxima(Suite& suite) {
  if (!suite.reads({"maximum-values", "valid"})) return;
  const std::uint64_t max = suite.max();
  const QuotaRow rows[] = {
      {"quota-patch-max", "patch to the width's maximum", 5, patch, max, max},
      {"quota-increase-to-max", "increase to exactly the width's maximum", 5, increase, max - 5,
       max},
      {"quota-decrease-max", "decrease by the width's maximum", max, decrease, max, 0},
  };
  for (const QuotaRow& row : rows) quota_change(suite, row);
}

/// The quota after a change that leaves its range, by the answer to the reading about it.
struct OutOfRange {
  bool refused;
  std::uint64_t after;
  std::string_view title;
};

OutOfRange below_zero(protocol::AnswerName answer, std::uint64_t before, std::uint64_t wrapped) {
  if (answer == "refused") return {true, before, "a decrease below 0 fails and changes nothing"};
  if (answer == "clamped") return {false, 0, "a decrease below 0 stops at 0"};
  return {false, wrapped, "a decrease below 0 goes on from the maximum"};
}

OutOfRange overflow(protocol::AnswerName answer, std::uint64_t before) {
  if (answer == "refused") {
    return {true, before, "an increase past the maximum fails and changes nothing"};
  }
  if (answer == "saturated") return {false, before, "an increase past the maximum stops there"};
  return {false, 0, "an increase past the maximum goes on from 0"};
}

void quota_out_of_range(Suite& suite) {
  const protocol::AnswerName answer = suite.answer("decrease-below-zero");
  const auto decreased = [&](std::string_view name, std::uint64_t before, std::uint64_t value) {
    const OutOfRange result = below_zero(answer, before, suite.max());
    Scenario& s = suite.add("UPDATE", name, result.title);
    s.level(Level::should).cites({"update.decrease-negative", "update.status"});
    const Lifetime kept = s.insert(s.key(), before, hours, 1);
    s.update_quota(s.key(), decrease, value, !result.refused);
    s.query(s.key(), result.after, hours, kept);
  };
  decreased("quota-below-zero", 5, 6);
  decreased("quota-decrease-empty", 0, 1);

  if (!suite.reads({"maximum-values", "valid"})) return;
  const OutOfRange result = overflow(suite.answer("increase-overflow"), suite.max());
  Scenario& over = suite.add("UPDATE", "quota-overflow", result.title);
  over.level(Level::may).cites({"silence.increase-overflow"}).flag("silent");
  const Lifetime kept = over.insert(over.key(), over.max(), hours, 1);
  over.update_quota(over.key(), increase, 1, !result.refused);
  over.query(over.key(), result.after, hours, kept);
}

void missing_keys(Suite& suite) {
  Scenario& missing = suite.add("UPDATE", "missing",
                                "a key that does not exist cannot be changed, nor comes to be");
  missing.level(Level::should).cites({"silence.update-missing", "update.status"});
  missing.update_quota(missing.key(), patch, 1, false);
  missing.fails("QUERY", missing.key());

  Scenario& ttl =
      suite.add("UPDATE", "missing-ttl", "the TTL of a key that does not exist cannot be changed");
  ttl.level(Level::should).cites({"silence.update-missing", "update.status"});
  ttl.send("UPDATE",
           Name(ttl.key()).with(
               {{"attribute", code(Attribute::ttl)}, {"change", code(patch)}, {"value", 1UL}}));
  ttl.status(false);
}

struct UnknownRow {
  protocol::ReadingName reading;
  std::string_view clause;
  std::string_view title;
  std::uint64_t attribute;
  std::uint64_t change;
};

/// One past the codes that are listed, and the last that the byte can hold. What is changed where
/// such a code is accepted, nobody says; a closed connection is nothing that a step could expect.
void unknown_codes(Suite& suite) {
  constexpr std::uint64_t quota = code(Attribute::quota);
  const UnknownRow rows[] = {
      {"attribute-unknown", "silence.attribute-unknown", "an attribute that is not listed", 2, 0},
      {"attribute-unknown", "silence.attribute-unknown", "an attribute that is not listed", 255, 0},
      {"change-unknown", "silence.change-unknown", "a change that is not listed", quota, 3},
      {"change-unknown", "silence.change-unknown", "a change that is not listed", quota, 255},
  };
  for (const UnknownRow& row : rows) {
    const protocol::AnswerName answer = suite.answer(row.reading);
    if (answer == "closed") continue;
    const std::uint64_t unlisted = std::max(row.attribute, row.change);
    Scenario& s =
        suite.add("UPDATE", std::string(row.reading) + "-" + std::to_string(unlisted),
                  std::string(row.title) + (answer == "refused" ? " is refused" : " is accepted"));
    s.level(Level::may).cites({row.clause}).flag("silent");
    const Lifetime kept = s.insert(s.key(), 5, hours, 1);
    s.send("UPDATE", Name(s.key()).with(
                         {{"attribute", row.attribute}, {"change", row.change}, {"value", 1UL}}));
    s.status(answer == "accepted");
    if (answer == "refused") s.query(s.key(), 5, hours, kept);
  }
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

/// Returns true if PATCH of a TTL counts from now. If it counts from the record's creation, several
/// remaining times would be right.
bool counts_from_now(const Suite& suite) {
  return suite.reads({"ttl-update", "unit-of-record-from-now"});
}

void ttl_changes(Suite& suite) {
  for (const TtlRow& row : ttl_rows) {
    if (row.change == patch && !counts_from_now(suite)) continue;
    Scenario& s = suite.add("UPDATE", row.name, row.title);
    s.cites({"update.attributes", "update.changes", "update.ttl-reschedules", "record.time-point",
             "silence.ttl-update"});
    Lifetime lifetime = s.insert(s.key(), 4, minutes, 30);
    lifetime = s.update_ttl(s.key(), row.change, minutes, row.value, lifetime, row.after);
    s.query(s.key(), 4, minutes, lifetime);

    if (!suite.has({"SET", "GET"})) continue;
    Scenario& b = suite.add("UPDATE", "buffer-" + std::string(row.name),
                            std::string(row.title) + ", of a buffer");
    b.cites({"update.buffers-ttl-only", "update.ttl-reschedules", "silence.ttl-update"});
    Lifetime of_buffer = b.set(b.key(), ehlo, minutes, 30);
    of_buffer = b.update_ttl(b.key(), row.change, minutes, row.value, of_buffer, row.after);
    b.get(b.key(), ehlo, minutes, of_buffer);
  }
}

void ttl_units(Suite& suite) {
  if (!counts_from_now(suite)) return;
  for (const TtlUnit unit : protocol::ttl_units(suite.dialect())) {
    if (unit < seconds) continue;
    Scenario& s = suite.add("UPDATE", "ttl-patch-" + std::string(name_of(unit)),
                            "a TTL update counts in the unit of the record");
    s.cites({"silence.ttl-update", "ttl-types.unit"});
    Lifetime lifetime = s.insert(s.key(), 4, unit, 100);
    lifetime = s.update_ttl(s.key(), patch, unit, 200, lifetime, 200);
    s.query(s.key(), 4, unit, lifetime);
  }
}

void ttl_patch_zero(Suite& suite) {
  const protocol::AnswerName answer = suite.answer("ttl-zero");
  if (answer == "forever" || !counts_from_now(suite)) return;
  Scenario& s = suite.add("UPDATE", "ttl-patch-zero",
                          answer == "expired" ? "a record whose TTL becomes 0 is gone at once"
                                              : "a TTL of 0 is refused and changes nothing");
  s.level(Level::may).cites({"silence.ttl-zero"}).flag("silent");
  const Lifetime kept = s.insert(s.key(), 5, minutes, 30);
  s.send("UPDATE",
         Name(s.key()).with(
             {{"attribute", code(Attribute::ttl)}, {"change", code(patch)}, {"value", 0UL}}));
  s.status(answer == "expired");
  answer == "expired" ? s.fails("QUERY", s.key()) : s.query(s.key(), 5, minutes, kept);
}

void ttl_past_now(Suite& suite) {
  const bool expired = suite.reads({"ttl-past-now", "expired"});
  Scenario& s =
      suite.add("UPDATE", "ttl-decrease-past-now",
                expired ? "a record whose TTL shrinks by more than is left is gone at once"
                        : "a TTL cannot shrink by more than is left");
  s.level(Level::may).cites({"silence.ttl-past-now"}).flag("silent");
  const Lifetime kept = s.insert(s.key(), 5, hours, 1);
  const std::uint64_t factor = protocol::ttl_wording(suite.dialect(), hours).factor;
  s.send("UPDATE", Name(s.key()).with({{"attribute", code(Attribute::ttl)},
                                       {"change", code(decrease)},
                                       {"value", 2 * factor}}));
  s.status(expired);
  expired ? s.fails("QUERY", s.key()) : s.query(s.key(), 5, hours, kept);
}

void ttl_beyond(Suite& suite) {
  const bool refused = suite.reads({"ttl-beyond", "refused"});
  const TtlUnit unit = suite.longest_unit();
  const std::uint64_t most_of_it = suite.max() - suite.max() / 4;
  Scenario& s = suite.add("UPDATE", "ttl-increase-beyond",
                          refused ? "a TTL cannot grow past the width's maximum"
                                  : "a TTL that grows past the width's maximum stops there");
  s.level(Level::may).cites({"silence.ttl-beyond"}).flag("silent");
  const Lifetime kept = s.insert(s.key(), 5, unit, most_of_it);
  const std::size_t since =
      s.send("UPDATE", Name(s.key()).with({{"attribute", code(Attribute::ttl)},
                                           {"change", code(increase)},
                                           {"value", most_of_it}}));
  s.status(!refused);
  s.query(s.key(), 5, unit, refused ? kept : s.lifetime(unit, suite.max(), since));
}

void combined(Suite& suite) {
  if (!counts_from_now(suite)) return;
  Scenario& s = suite.add("UPDATE", "in-a-row", "changes of quota and TTL add up");
  s.cites({"update.changes", "update.attributes", "update.ttl-reschedules"});
  Lifetime lifetime = s.insert(s.key(), 2, minutes, 30);
  s.update_quota(s.key(), increase, 2);
  s.update_quota(s.key(), decrease, 4);
  s.update_quota(s.key(), patch, 9);
  lifetime = s.update_ttl(s.key(), patch, minutes, 50, lifetime, 50);
  lifetime = s.update_ttl(s.key(), increase, minutes, 5, lifetime, 55);
  lifetime = s.update_ttl(s.key(), decrease, minutes, 3, lifetime, 52);
  s.query(s.key(), 9, minutes, lifetime);
}

void buffer_quota(Suite& suite) {
  Scenario& s = suite.add("UPDATE", "buffer-quota", "a buffer has no quota to change");
  s.cites({"update.buffers-ttl-only", "update.status"});
  const Lifetime kept = s.set(s.key(), ehlo, hours, 1);
  for (const Change change : {patch, increase, decrease}) s.update_quota(s.key(), change, 1, false);
  s.get(s.key(), ehlo, hours, kept);
}

void update_names(Suite& suite) {
  for (const NameSize& size : suite.names()) {
    if (size.bytes.empty()) continue;
    Scenario& s =
        suite.add("UPDATE", "key-" + std::string(size.id),
                  suite.has_pairs() ? "changing " + size.title : "changing a key of " + size.title);
    s.cites({"update.layout", "key.binary"}).flag(size.flag);
    const Lifetime hour = s.insert(size.name, 6, hours, 1);
    s.update_quota(size.name, increase, 1);
    s.query(size.name, 7, hours, hour);
  }
}

}  // namespace

void add_update_scenarios(Suite& suite) {
  quota_changes(suite);
  quota_maxima(suite);
  quota_out_of_range(suite);
  missing_keys(suite);
  unknown_codes(suite);
  ttl_changes(suite);
  ttl_units(suite);
  ttl_patch_zero(suite);
  ttl_past_now(suite);
  ttl_beyond(suite);
  combined(suite);
  if (suite.has({"SET", "GET"})) buffer_quota(suite);
  update_names(suite);
}

}  // namespace hallmark::vectors::generator
