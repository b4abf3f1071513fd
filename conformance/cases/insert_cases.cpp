#include "conformance/cases/cases.hpp"

#include <fmt/format.h>

#include "conformance/cases/support.hpp"

namespace hallmark::conformance {
namespace {

using protocol::Level;

constexpr Ttl minute{TtlUnit::seconds, 60};

void adds_counter(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  connection.ask(query(key), failure());
  const Message inserted = connection.ask(insert(key, 7, minute), success());
  expect_counter(connection, key, 7, minute, inserted.window());
}

void seen_from_elsewhere(Stage& stage) {
  const std::string key = stage.key("k");
  const Message inserted = stage.connection("c1").ask(insert(key, 9, minute), success());
  expect_counter(stage.connection("c2"), key, 9, minute, inserted.window());
  stage.close("c1");
  expect_counter(stage.connection("c2"), key, 9, minute, inserted.window());
}

void refuses_existing(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Message first = connection.ask(insert(key, 7, minute), success());
  connection.ask(insert(key, 8, {TtlUnit::milliseconds, 50}), failure());
  expect_counter(connection, key, 7, minute, first.window());
}

void again_after_purge(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  connection.ask(insert(key, 7, minute), success());
  connection.ask(purge(key), success());
  const Message again = connection.ask(insert(key, 3, {TtlUnit::hours, 2}), success());
  expect_counter(connection, key, 3, {TtlUnit::hours, 2}, again.window());
}

void extremes(Stage& stage) {
  Conversation& connection = stage.connection();
  for (const std::uint64_t quota :
       {std::uint64_t{0}, std::uint64_t{1}, stage.maximum() - 1, stage.maximum()}) {
    const std::string key = stage.key(fmt::format("q{}", quota));
    const Message inserted = connection.ask(insert(key, quota, minute), success());
    expect_counter(connection, key, quota, minute, inserted.window());
  }
}

void one_wins(Stage& stage) {
  const std::string key = stage.key("k");
  constexpr int rivals = 8;
  for (int i = 0; i < rivals; ++i)
    stage.connection(fmt::format("c{}", i)).send(insert(key, 1, minute));
  int winners = 0;
  for (int i = 0; i < rivals; ++i)
    winners += stage.connection(fmt::format("c{}", i)).reply().succeeded() ? 1 : 0;
  stage.require(winners == 1, fmt::format("{} of {} INSERTs of one key succeeded, expected one",
                                          winners, rivals));
}

}  // namespace

BehaviourCases insert_cases() {
  return {
      {"insert/adds-a-counter",
       "INSERT makes a counter that QUERY finds",
       "INSERT",
       Level::must,
       {"insert.code", "insert.layout", "insert.adds-counter", "insert.status"},
       adds_counter},
      {"insert/seen-from-elsewhere",
       "a counter belongs to no connection",
       "INSERT",
       Level::must,
       {"insert.adds-counter", "record.kinds"},
       seen_from_elsewhere},
      {"insert/existing-unchanged",
       "INSERT on a key that exists fails and changes nothing",
       "INSERT",
       Level::should,
       {"silence.insert-existing"},
       refuses_existing},
      {"insert/again-after-purge",
       "a purged key can be inserted again at once",
       "INSERT",
       Level::must,
       {"insert.adds-counter", "purge.removes"},
       again_after_purge},
      {"insert/extreme-quotas",
       "quotas 0, 1 and the largest are kept",
       "INSERT",
       Level::must,
       {"width.maximum", "width.value-size", "endianness.little"},
       extremes},
      {"insert/one-of-many-wins",
       "of INSERTs of one key from several connections one succeeds",
       "INSERT",
       Level::should,
       {"silence.insert-existing", "key.unique"},
       one_wins},
  };
}

}  // namespace hallmark::conformance
