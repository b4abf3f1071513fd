#include "conformance/cases/cases.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/cases/support.hpp"

namespace hallmark::conformance {
namespace {

using protocol::Level;

Ttl ms(std::uint64_t amount) { return {TtlUnit::milliseconds, amount}; }

/// There until its time point, gone from it on, and free to be inserted again at once.
void lives_and_expires(Stage& stage, Ttl ttl) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Message made = connection.ask(insert(key, 1, ttl), success());
  const Expiry expiry = expiry_of(made.window(), ttl);
  const Message found = connection.ask(query(key));
  // Nanoseconds and microseconds are over before anything can be asked.
  if (found.succeeded() || ttl.length() >= length_of(TtlUnit::milliseconds))
    expect_there(stage, connection, found, expiry);
  expect_gone(stage, connection, key, expiry);
  connection.ask(insert(key, 2), success());
}

void in_milliseconds(Stage& stage) { lives_and_expires(stage, ms(80)); }
void in_microseconds(Stage& stage) { lives_and_expires(stage, {TtlUnit::microseconds, 200}); }
void in_nanoseconds(Stage& stage) { lives_and_expires(stage, {TtlUnit::nanoseconds, 200}); }
void in_seconds(Stage& stage) { lives_and_expires(stage, {TtlUnit::seconds, 1}); }
void in_minutes(Stage& stage) { lives_and_expires(stage, {TtlUnit::minutes, 1}); }

void there_until_then(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Message made = connection.ask(insert(key, 1, ms(120)), success());
  const Expiry expiry = expiry_of(made.window(), ms(120));
  // Asked as late as can be: the last answers before the time point decide.
  for (Message found = connection.ask(query(key)); stage.now() < expiry.earliest;
       found = connection.ask(query(key))) {
    if (!found.succeeded()) return expect_there(stage, connection, found, expiry);
    stage.wait_until(std::min(expiry.earliest - length_of(TtlUnit::milliseconds) / 2,
                              stage.now() + length_of(TtlUnit::milliseconds)));
  }
}

void buffers(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Message made = connection.ask(set(key, "value", ms(80)), success());
  const Expiry expiry = expiry_of(made.window(), ms(80));
  expect_there(stage, connection, connection.ask(get(key)), expiry);
  stage.wait_until(expiry.latest);
  connection.ask(get(key), failure());
  connection.ask(set(key, "again"), success());
}

/// Every operation finds the record gone, not only the first that looks.
void gone_for_all(Stage& stage) {
  Conversation& connection = stage.connection();
  std::vector<Request> requests;
  Time latest = 0;
  const std::vector<std::function<Request(const std::string&)>> askers{
      [](const std::string& key) { return query(key); },
      [](const std::string& key) { return get(key); },
      [](const std::string& key) { return stat(key); },
      [](const std::string& key) { return update(key, Attribute::quota, Change::increase, 1); },
      [](const std::string& key) { return update(key, Attribute::ttl, Change::patch, 100); },
      [](const std::string& key) { return purge(key); }};
  for (std::size_t i = 0; i < askers.size(); ++i) {
    const std::string key = stage.key(fmt::format("k{}", i));
    requests.push_back(askers[i](key));
    latest = std::max(
        latest,
        expiry_of(connection.ask(insert(key, 1, ms(30)), success()).window(), ms(30)).latest);
  }
  stage.wait_until(latest);
  for (const Request& request : requests) connection.ask(request, failure());
}

/// Records that expire at different times do so each at its own.
void each_at_its_own(Stage& stage) {
  Conversation& connection = stage.connection();
  std::vector<std::pair<std::string, Expiry>> records;
  for (const std::uint64_t amount : {150U, 50U, 100U}) {
    const std::string key = stage.key(fmt::format("k{}", amount));
    records.emplace_back(
        key, expiry_of(connection.ask(insert(key, 1, ms(amount)), success()).window(), ms(amount)));
  }
  std::ranges::sort(records, {}, [](const auto& record) { return record.second.latest; });
  for (std::size_t i = 0; i < records.size(); ++i) {
    expect_gone(stage, connection, records[i].first, records[i].second);
    for (std::size_t later = i + 1; later < records.size(); ++later) {
      expect_there(stage, connection, connection.ask(query(records[later].first)),
                   records[later].second);
    }
  }
}

void zero(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  connection.ask(insert(key, 1, {TtlUnit::seconds, 0}), any_status());
  connection.ask(query(key));
  connection.ask(purge(key), any_status());
  connection.ask(insert(key, 2, {TtlUnit::seconds, 60}), success());
}

}  // namespace

BehaviourCases ttl_cases() {
  return {
      {"ttl/milliseconds",
       "a TTL in milliseconds",
       "INSERT",
       Level::must,
       {"ttl.valid-period", "ttl.expires", "ttl-types.codes", "ttl-types.unit"},
       in_milliseconds},
      {"ttl/microseconds",
       "a TTL in microseconds",
       "INSERT",
       Level::must,
       {"ttl.expires", "ttl-types.codes"},
       in_microseconds},
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
       {.slow = true, .exclusive = false}},
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
       buffers},
      {"ttl/gone-for-all",
       "an expired record is gone for every operation",
       "INSERT",
       Level::should,
       {"ttl.expires", "silence.expired-when"},
       gone_for_all},
      {"ttl/each-at-its-own",
       "records expire each at its own time point",
       "INSERT",
       Level::must,
       {"ttl.expires", "record.time-point"},
       each_at_its_own},
      {"ttl/zero",
       "a TTL of 0 has a status and leaves the key usable",
       "INSERT",
       Level::may,
       {"silence.ttl-zero"},
       zero},
  };
}

}  // namespace hallmark::conformance
