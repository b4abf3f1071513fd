#include "conformance/isolation/trials.hpp"
#include "conformance/suites/throttr/cases.hpp"

#include <fmt/format.h>

#include "conformance/suites/throttr/support.hpp"
#include "protocol/throttr_words.hpp"

namespace hallmark::conformance {
namespace {

using protocol::Level;

void query_missing(Stage& stage) {
  Conversation& connection = stage.connection();
  connection.ask(query(stage.key("absent")), failure());
}

void query_changes_nothing(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Message inserted = connection.ask(insert(key, 5, minute), success());
  for (int i = 0; i < 10; ++i) expect_counter(stage, connection, key, 5, minute, inserted.window());
}

void comes_back(Stage& stage, Ttl ttl) {
  // More nanoseconds than the judge's clock has are left to the vectors.
  if (ttl.amount > ~Time{0} / 2 / length_of(ttl.unit)) return;
  Conversation& connection = stage.connection();
  const std::string key = stage.key(fmt::format("{} {}", ttl.amount, name_of(ttl.unit)));
  const Message inserted = insert_and_spend(stage, connection, key, ttl);
  const Message found = connection.ask(query(key));
  expect_in_time(stage, connection, found, expiry_of(inserted.window(), ttl));
  connection.judge(
      found, counter_fields(stage.format(), spent_quota, ttl, inserted.window(), found.window()));
}

void every_unit(Stage& stage) {
  const Series units{"the unit", "the units"};
  const Series longest{"the longest TTL in", "the longest TTLs in"};
  Trials trials(stage);
  for (const TtlUnit unit : protocol::ttl_units(stage.format().dialect())) {
    // Shorter ones are over before anything can be asked.
    if (length_of(unit) < length_of(TtlUnit::milliseconds)) continue;
    const std::string name(name_of(unit));
    trials.attempt({units, name}, [=, &stage] { comes_back(stage, {unit, 100}); });
    trials.attempt({longest, name}, [=, &stage] {
      comes_back(stage, {unit, stage.format().largest_valid()});
    });
  }
  trials.conclude();
}

void ttl_counts_down(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Ttl ttl{TtlUnit::milliseconds, 250};
  const Message inserted = insert_and_spend(stage, connection, key, ttl);
  for (const Time after : {Time{20}, Time{60}, Time{100}}) {
    stage.wait_until(inserted.window().latest + after * length_of(TtlUnit::milliseconds));
    const Message found = connection.ask(query(key));
    expect_in_time(stage, connection, found, expiry_of(inserted.window(), ttl));
    connection.judge(
        found, counter_fields(stage.format(), spent_quota, ttl, inserted.window(), found.window()));
  }
}

void not_a_buffer(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Message made = connection.ask(set(key, "value", minute), success());
  connection.ask(query(key), failure());
  expect_buffer(stage, connection, key, "value", minute, made.window());
}

}  // namespace

BehaviourCases query_cases() {
  return {
      {"query/missing",
       "QUERY of a missing key is the byte 00",
       "QUERY",
       Level::must,
       {"query.code", "query.layout", "query.missing"},
       query_missing},
      {"query/changes-nothing",
       "QUERY changes neither quota nor TTL",
       "QUERY",
       Level::must,
       {"query.found", "query.counters", "silence.ttl-left"},
       query_changes_nothing},
      {"query/every-unit",
       "the TTL comes back in the unit it was set in",
       "QUERY",
       Level::must,
       {"ttl-types.codes", "ttl-types.unit", "query.found"},
       every_unit},
      {"query/ttl-counts-down",
       "the TTL counts down, unless it is shown as it was set",
       "QUERY",
       Level::should,
       {"silence.ttl-left", "ttl-types.unit"},
       ttl_counts_down},
      {"query/not-a-buffer",
       "QUERY of a buffer fails and leaves it",
       "QUERY",
       Level::should,
       {"query.counters", "record.kinds"},
       not_a_buffer,
       {.operations = {"SET", "GET"}}},
  };
}

}  // namespace hallmark::conformance
