#include <fmt/format.h>

#include <algorithm>

#include "conformance/suites/throttr/cases.hpp"
#include "conformance/suites/throttr/concurrency/race.hpp"
#include "conformance/suites/throttr/support.hpp"

/// Buffers that several connections use at a time, and keys that would be both kinds.
namespace hallmark::conformance {
namespace {

using enum oracle::RecordAction;
using protocol::Level;

/// A value like no other. All lengths are as likely: what a shorter one leaves of a longer one is
/// seen. Both ends tell whose it is.
std::string own_value(Race& race, std::uint64_t longest) {
  const std::string number = std::to_string(race.random().below(100'000));
  const char letter = static_cast<char>('a' + race.random().below(26));
  const std::uint64_t letters = race.random().below(longest - number.size() + 1);
  const std::uint64_t behind = letters / 3;
  return std::string(letters - behind, letter) + number + std::string(behind, letter);
}

/// No value is torn, none is old, and none is nobody's.
void overwritten(Stage& stage) {
  Race race(stage, usual_clients);
  const std::uint32_t key = race.key();
  race.alone(0, key, {set, 0, "first"});
  for (std::uint64_t round = 0; round < usual_rounds; ++round) {
    for (std::uint32_t client = 0; client < usual_clients; ++client) {
      if (client % 3 != 2) race.plan(client, key, {set, 0, own_value(race, 200)});
      race.plan(client, key, {get});
    }
    race.run();
    race.plan_all(key, {get});
    race.run();
  }
}

void set_against_purge(Stage& stage) {
  Race race(stage, usual_clients);
  const std::uint32_t key = race.key();
  for (std::uint64_t round = 0; round < usual_rounds; ++round) {
    for (std::uint32_t client = 0; client < usual_clients; ++client) {
      race.plan(client, key,
                race.random().one_in(2) ? Move{set, 0, own_value(race, 100)} : Move{purge});
      race.plan(client, key, {get});
    }
    race.run();
  }
}

/// A key holds a counter or a buffer: who comes second is refused, or replaces it.
void one_kind(Stage& stage) {
  Race race(stage, usual_clients);
  for (std::uint64_t round = 0; round < usual_rounds; ++round) {
    const std::uint32_t key = race.key();
    for (std::uint32_t client = 0; client < usual_clients; ++client) {
      race.plan(client, key,
                client % 2 == 0 ? Move{insert, client} : Move{set, 0, own_value(race, 50)});
    }
    race.run();
    for (std::uint32_t client = 0; client < usual_clients; ++client)
      race.plan(client, key, {client % 2 == 0 ? query : get});
    race.run();
  }
}

/// A connection, and what it alone reads.
struct Reader {
  std::string name;
  std::string key;
  std::string value;
};

/// Values that take a while to be written: no reply holds bytes of another one.
void read_apart(Stage& stage) {
  constexpr std::size_t rounds = 8;
  constexpr std::size_t at_a_time = 20;
  const std::size_t longest = std::min(longest_value(stage.format()), large_value_size);
  std::vector<Reader> readers;
  for (const char letter : {'a', 'b', 'c', 'd', 'e', 'f'}) {
    const std::string name(1, letter);
    readers.push_back({name, stage.key(name), std::string(longest - readers.size(), letter)});
    rest_on_value(stage, readers.back().key, readers.back().value);
  }
  for (std::size_t round = 0; round < rounds; ++round) {
    for (const Reader& one : readers) {
      const Outgoing request = encoded(stage.format(), conformance::get(one.key));
      stage.connection(one.name).send_together(std::vector<Outgoing>(at_a_time, request));
    }
    for (const Reader& one : readers) {
      const Patterns own{is("status", 1), any("ttl_type"), any("ttl"), is("value", one.value)};
      for (std::size_t i = 0; i < at_a_time; ++i) stage.connection(one.name).reply(own);
    }
  }
}

}  // namespace

BehaviourCases concurrent_buffer_cases() {
  return {
      {"concurrency/read-apart",
       "connections that read values of their own at a time get each its own",
       "GET",
       Level::must,
       {"silence.concurrency", "get.found"},
       read_apart},
      {"concurrency/overwritten",
       "values that several connections write are read whole and in one order",
       "GET",
       Level::must,
       {"silence.concurrency", "set.adds-buffer", "get.found", "silence.set-existing"},
       overwritten},
      {"concurrency/set-against-purge",
       "a buffer that is made and removed all the time is there or not",
       "SET",
       Level::must,
       {"silence.concurrency", "set.adds-buffer", "purge.removes", "get.missing"},
       set_against_purge,
       {.readings = {"set-existing", "purge-missing"}}},
      {"concurrency/one-kind",
       "a key that is made a counter and a buffer at a time is one of them",
       "SET",
       Level::must,
       {"silence.concurrency", "record.kinds", "silence.kind-mismatch"},
       one_kind,
       {.readings = {"insert-existing", "set-existing"}}},
  };
}

}  // namespace hallmark::conformance
