#include "conformance/suites/throttr/cases.hpp"
#include "conformance/suites/throttr/concurrency/race.hpp"

/// Records whose time runs out while several connections use them.
namespace hallmark::conformance {
namespace {

using enum oracle::RecordAction;
using protocol::Level;

constexpr std::uint32_t few_clients = 4;
constexpr Ttl soon{TtlUnit::milliseconds, 25};
constexpr Time between = 2 * length_of(TtlUnit::milliseconds);

/// A record is not gone before its time and not back after it; its key is free then.
void runs_out(Stage& stage) {
  Race race(stage, few_clients);
  const std::uint32_t key = race.key();
  race.alone(0, key, {insert, 100, {}, soon});
  const Time over = stage.now() + soon.length() + 5 * between;
  while (stage.now() < over) {
    for (std::uint32_t client = 0; client < few_clients; ++client)
      race.plan(client, key, client % 2 == 0 ? Move{increase, 1} : Move{query});
    race.run();
    stage.wait_until(stage.now() + between);
  }
  race.plan_all(key, {insert, 7});
  race.run();
  race.plan_all(key, {query});
  race.run();
}

/// A key is removed and made again: it lives as long as its new TTL says.
void made_again(Stage& stage) {
  Race race(stage, few_clients);
  std::vector<std::uint32_t> keys;
  for (std::uint32_t i = 0; i < few_clients; ++i) {
    keys.push_back(race.key());
    race.alone(i, keys[i], {insert, 1, {}, soon});
  }
  const Time over = stage.now() + soon.length();
  for (const std::uint32_t key : keys) {
    race.plan(0, key, {purge});
    for (std::uint32_t client = 1; client < few_clients; ++client)
      race.plan(client, key, {insert, 2});
    race.run();
    race.alone(0, key, {insert, 3});
  }
  stage.wait_until(over);
  for (const std::uint32_t key : keys) race.plan_all(key, {query});
  race.run();
}

}  // namespace

BehaviourCases concurrent_expiry_cases() {
  return {
      {"concurrency/runs-out",
       "a record that several connections use is gone when its time is over, and stays so",
       "UPDATE",
       Level::must,
       {"silence.concurrency", "ttl.valid-period", "ttl.expires", "silence.expired-when"},
       runs_out,
       {.unless = {{"expiry-2.0", "restored"}}, .readings = {"insert-existing"}}},
      {"concurrency/made-again",
       "a record does not end at the time point of one that had its key before",
       "INSERT",
       Level::must,
       {"silence.concurrency", "ttl.valid-period", "record.time-point", "purge.removes"},
       made_again,
       {.unless = {{"expiry-2.0", "restored"}}, .readings = {"insert-existing"}}},
  };
}

}  // namespace hallmark::conformance
