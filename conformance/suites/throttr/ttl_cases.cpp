#include <fmt/format.h>

#include <algorithm>

#include "conformance/suites/throttr/cases.hpp"
#include "conformance/suites/throttr/support.hpp"

namespace hallmark::conformance {
namespace {

using protocol::Level;

/// There until its time point and over from it on; a key that is gone is free at once.
void lives_and_expires(Stage& stage, Ttl ttl) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Message made = insert_and_spend(stage, connection, key, ttl);
  const Expiry expiry = expiry_of(made.window(), ttl);
  // Nanoseconds and microseconds may be over before anything is asked, and may be not.
  if (ttl.length() >= length_of(TtlUnit::milliseconds))
    expect_in_time(stage, connection, connection.ask(query(key)), expiry);
  expect_over(stage, connection, query(key), expiry);
  if (!stage.reads({"expiry-2.0", "restored"})) connection.ask(insert(key, 2), success());
}

void in_milliseconds(Stage& stage) { lives_and_expires(stage, ms(80)); }
void in_microseconds(Stage& stage) { lives_and_expires(stage, {TtlUnit::microseconds, 200}); }
/// As long as fits, and over before anything can be asked: a record that lives a thousand times as
/// long is not.
void in_nanoseconds(Stage& stage) {
  constexpr std::uint64_t most = 900'000;
  const std::uint64_t amount = std::min(stage.format().largest_valid(), most);
  lives_and_expires(stage, {TtlUnit::nanoseconds, amount});
}

void in_seconds(Stage& stage) { lives_and_expires(stage, {TtlUnit::seconds, 1}); }
void in_minutes(Stage& stage) { lives_and_expires(stage, {TtlUnit::minutes, 1}); }

void there_until_then(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Ttl ttl = ms(120);
  const Message made = insert_and_spend(stage, connection, key, ttl);
  const Expiry expiry = expiry_of(made.window(), ttl);
  // The last answers before the time point decide: the less time is left, the sooner is asked
  // again. How often is the same in each run, however fast: a target may answer only so many
  // requests of a connection.
  constexpr Time shortest = length_of(TtlUnit::milliseconds);
  for (Time left = ttl.length(); left > shortest / 2; left -= std::max(left / 8, shortest)) {
    stage.wait_until(expiry.earliest - left);
    if (stage.now() >= expiry.earliest) break;
    expect_in_time(stage, connection, connection.ask(query(key)), expiry);
  }
}

void buffers(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Message made = connection.ask(set(key, "value", ms(80)), success());
  const Expiry expiry = expiry_of(made.window(), ms(80));
  expect_in_time(stage, connection, connection.ask(get(key)), expiry);
  expect_over(stage, connection, get(key), expiry);
  connection.ask(set(key, "again"), success());
}

/// One request of every operation that finds nothing, for a key each.
std::vector<Request> requests_for_nothing(Stage& stage) {
  std::vector<Request> requests{query(stage.key("query")),
                                purge(stage.key("purge")),
                                update(stage.key("quota"), Attribute::quota, Change::increase, 1),
                                update(stage.key("ttl"), Attribute::ttl, Change::patch, 100),
                                get(stage.key("get")),
                                stat(stage.key("stat"))};
  std::erase_if(requests,
                [&](const Request& request) { return !stage.format().has(request.operation); });
  return requests;
}

/// Every operation finds the record gone, not only the first that looks.
void gone_for_all(Stage& stage) {
  Conversation& connection = stage.connection();
  std::vector<std::pair<Request, Expiry>> asked;
  for (Request& request : requests_for_nothing(stage)) {
    const base::Bytes& key = std::get<base::Bytes>(*request.values.find("key"));
    const Message made = connection.ask(insert(base::as_text(key), 1, ms(30)), success());
    asked.emplace_back(std::move(request), expiry_of(made.window(), ms(30)));
  }
  for (const auto& [request, expiry] : asked) {
    // Until the scheduler has come by, asking might prolong what is to be gone.
    if (stage.reads({"expired-when", "scheduler"}))
      expect_over(stage, connection, {"QUERY", {{"key", *request.values.find("key")}}}, expiry);
    stage.wait_until(expiry.latest);
    const bool may_succeed =
        request.operation == "PURGE" && stage.reads({"purge-missing", "accepted"});
    connection.ask(request, status(may_succeed));
  }
}

/// Records that expire at different times do so each at its own.
void each_at_its_own(Stage& stage) {
  Conversation& connection = stage.connection();
  std::vector<std::pair<std::string, Expiry>> records;
  for (const std::uint64_t amount : {150U, 50U, 100U}) {
    const std::string key = stage.key(fmt::format("k{}", amount));
    const Message made = insert_and_spend(stage, connection, key, ms(amount));
    records.emplace_back(key, expiry_of(made.window(), ms(amount)));
  }
  std::ranges::sort(records, {}, [](const auto& record) { return record.second.latest; });
  for (std::size_t i = 0; i < records.size(); ++i) {
    for (std::size_t later = i; later < records.size(); ++later) {
      const auto& [key, expiry] = records[later];
      if (stage.now() >= expiry.earliest) continue;
      expect_in_time(stage, connection, connection.ask(query(key)), expiry);
    }
    expect_over(stage, connection, query(records[i].first), records[i].second);
  }
}

// Pairs that come back as they were inserted. Every period is as long as the first.

void restored(Stage& stage) {
  constexpr int periods = 3;
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Ttl ttl = ms(150);
  const Message made = insert_and_spend(stage, connection, key, ttl);
  Expiry expiry = expiry_of(made.window(), ttl);
  for (int i = 0; i < periods; ++i) {
    expect_over(stage, connection, query(key), expiry);
    const Window began{expiry.earliest, expiry.latest};
    expiry = expiry_of(began, ttl);
    const Message found = connection.ask(query(key));
    if (found.window().latest >= expiry.earliest)
      stage.indeterminate("the request was answered too late to tell in which period");
    connection.judge(found,
                     counter_fields(stage.format(), whole_quota, ttl, began, found.window()));
    spend(stage, connection, key, expiry);
  }
}

void purged_for_good(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Message made = insert_and_spend(stage, connection, key, ms(50));
  connection.ask(purge(key), success());
  stage.wait_until(expiry_of(made.window(), ms(50)).latest);
  connection.ask(query(key), failure());
}

// A TTL of 0, as the reading says.

void zero_expires(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Message made = connection.ask(insert(key, 1, {TtlUnit::seconds, 0}), success());
  const Expiry at_once = expiry_of(made.window(), {TtlUnit::seconds, 0});
  if (stage.reads({"expired-when", "scheduler"}))
    expect_over(stage, connection, query(key), at_once);
  connection.ask(query(key), failure());
  connection.ask(insert(key, 2, minute), success());
}

void zero_refused(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  connection.ask(insert(key, 1, {TtlUnit::seconds, 0}), failure());
  connection.ask(query(key), failure());
  connection.ask(insert(key, 2, minute), success());
}

void zero_forever(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  connection.ask(insert(key, whole_quota, ms(0)), success());
  const Patterns there{is("status", 1), is("quota", whole_quota), any("ttl_type"), any("ttl")};
  connection.ask(query(key), there);
  stage.wait_until(stage.now() + 50 * length_of(TtlUnit::milliseconds));
  connection.ask(query(key), there);
}

}  // namespace

BehaviourCases ttl_cases() {
  return {
      {"ttl/milliseconds",
       "a TTL in milliseconds",
       "INSERT",
       Level::must,
       {"ttl.valid-period", "ttl.expires", "ttl-types.codes", "ttl-types.unit",
        "silence.expired-when", "silence.expiry-2.0"},
       in_milliseconds},
      {"ttl/microseconds",
       "a TTL in microseconds",
       "INSERT",
       Level::must,
       {"ttl.expires", "ttl-types.codes"},
       in_microseconds,
       {.unit = TtlUnit::microseconds}},
      {"ttl/nanoseconds",
       "a TTL in nanoseconds",
       "INSERT",
       Level::must,
       {"ttl.expires", "ttl-types.codes"},
       in_nanoseconds},
      {"ttl/seconds",
       "a TTL in seconds",
       "INSERT",
       Level::must,
       {"ttl.valid-period", "ttl.expires", "ttl-types.codes", "ttl-types.unit"},
       in_seconds},
      {"ttl/minutes",
       "a TTL in minutes",
       "INSERT",
       Level::must,
       {"ttl.valid-period", "ttl.expires", "ttl-types.codes", "ttl-types.unit"},
       in_minutes,
       {.slow = true, .unit = TtlUnit::minutes}},
      {"ttl/there-until-then",
       "a record is there at any time before its time point",
       "INSERT",
       Level::must,
       {"ttl.valid-period", "silence.expired-when"},
       there_until_then},
      {"ttl/buffers",
       "buffers expire as counters do",
       "SET",
       Level::must,
       {"ttl.valid-period", "ttl.expires"},
       buffers,
       {.operations = {"GET"}}},
      {"ttl/gone-for-all",
       "an expired record is gone for every operation",
       "INSERT",
       Level::should,
       {"ttl.expires", "silence.expired-when", "silence.expiry-2.0"},
       gone_for_all,
       {.unless = {{"expiry-2.0", "restored"}}, .readings = {"purge-missing"}}},
      {"ttl/each-at-its-own",
       "records expire each at its own time point",
       "INSERT",
       Level::must,
       {"ttl.expires", "record.time-point"},
       each_at_its_own},
      {"ttl/restored",
       "an expired pair has its quota and TTL again, period after period",
       "INSERT",
       Level::should,
       {"ttl.expires", "silence.expiry-2.0"},
       restored,
       {.when = {{"expiry-2.0", "restored"}}}},
      {"ttl/purged-for-good",
       "a pair that was purged does not come back",
       "PURGE",
       Level::must,
       {"purge.removes", "silence.expiry-2.0"},
       purged_for_good,
       {.when = {{"expiry-2.0", "restored"}}}},
      {"ttl/zero",
       "a TTL of 0 succeeds, and the record is gone at once",
       "INSERT",
       Level::may,
       {"silence.ttl-zero"},
       zero_expires,
       {.when = {{"ttl-zero", "expired"}}}},
      {"ttl/zero-refused",
       "a TTL of 0 is refused and leaves the key free",
       "INSERT",
       Level::may,
       {"silence.ttl-zero"},
       zero_refused,
       {.when = {{"ttl-zero", "refused"}}}},
      {"ttl/zero-forever",
       "a record with a TTL of 0 stays",
       "INSERT",
       Level::may,
       {"silence.ttl-zero"},
       zero_forever,
       {.when = {{"ttl-zero", "forever"}}}},
  };
}

}  // namespace hallmark::conformance
