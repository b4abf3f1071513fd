#include "conformance/isolation/trials.hpp"
#include "conformance/suites/throttr/cases.hpp"

#include <fmt/format.h>

#include "conformance/suites/throttr/support.hpp"

namespace hallmark::conformance {
namespace {

using protocol::Level;

void adds_counter(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  connection.ask(query(key), failure());
  const Message inserted = connection.ask(insert(key, 7, minute), success());
  expect_counter(stage, connection, key, 7, minute, inserted.window());
}

void seen_from_elsewhere(Stage& stage) {
  const std::string key = stage.key("k");
  const Message inserted = stage.connection("c1").ask(insert(key, 9, minute), success());
  expect_counter(stage, stage.connection("c2"), key, 9, minute, inserted.window());
  stage.close("c1");
  expect_counter(stage, stage.connection("c2"), key, 9, minute, inserted.window());
}

void refuses_existing(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Message first = connection.ask(insert(key, 7, minute), success());
  connection.ask(insert(key, 8, ms(50)), failure());
  expect_counter(stage, connection, key, 7, minute, first.window());
}

void replaces_existing(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  connection.ask(insert(key, 7, ms(250)), success());
  connection.ask(update(key, Attribute::quota, Change::decrease, 3));
  const Message second = connection.ask(insert(key, 8, minute), success());
  expect_counter(stage, connection, key, 8, minute, second.window());
}

void refuses_buffer(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Message made = connection.ask(set(key, "value", minute), success());
  connection.ask(insert(key, 8, minute), failure());
  connection.ask(query(key), failure());
  expect_buffer(stage, connection, key, "value", minute, made.window());
}

void replaces_buffer(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  connection.ask(set(key, "value", {TtlUnit::hours, 2}), success());
  const Message made = connection.ask(insert(key, 8, minute), success());
  connection.ask(get(key), failure());
  expect_counter(stage, connection, key, 8, minute, made.window());
}

void again_after_purge(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  connection.ask(insert(key, 7, minute), success());
  connection.ask(purge(key), success());
  const Message again = connection.ask(insert(key, 3, {TtlUnit::hours, 2}), success());
  expect_counter(stage, connection, key, 3, {TtlUnit::hours, 2}, again.window());
}

void extremes(Stage& stage) {
  const Series quotas{"the quota", "the quotas"};
  const std::uint64_t most = stage.format().largest_valid();
  Trials trials(stage);
  for (const std::uint64_t quota : {std::uint64_t{0}, std::uint64_t{1}, most - 1, most}) {
    trials.attempt({quotas, fmt::format("{}", quota)}, [=, &stage] {
      Conversation& connection = stage.connection();
      const std::string key = stage.key(fmt::format("q{}", quota));
      const Message inserted = connection.ask(insert(key, quota, minute), success());
      expect_counter(stage, connection, key, quota, minute, inserted.window());
    });
  }
  trials.conclude();
}

void refuses_maximum(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  connection.ask(insert(key, stage.maximum(), minute), failure());
  connection.ask(insert(key, 1, {TtlUnit::seconds, stage.maximum()}), failure());
  connection.ask(query(key), failure());
}

/// Nobody else may use a key that everybody could.
void empty_key(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.own_key("");
  const bool valid = stage.reads({"empty-names", "valid"});
  const Message made = connection.ask(insert(key, 5, minute), status(valid));
  if (!valid) connection.ask(query(key), failure());
  if (valid) expect_counter(stage, connection, key, 5, minute, made.window());
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
       {"insert.code", "insert.layout", "insert.adds-counter", "insert.status", "reply.layout",
        "request-types.four"},
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
       refuses_existing,
       {.unless = {{"insert-existing", "replaced"}}}},
      {"insert/existing-replaced",
       "INSERT on a key that exists gives it that quota and TTL",
       "INSERT",
       Level::should,
       {"silence.insert-existing"},
       replaces_existing,
       {.when = {{"insert-existing", "replaced"}}}},
      {"insert/on-a-buffer",
       "INSERT on a buffer fails and leaves it",
       "INSERT",
       Level::should,
       {"silence.kind-mismatch", "query.counters"},
       refuses_buffer,
       {.operations = {"SET", "GET"}, .unless = {{"kind-mismatch", "replaced"}}}},
      {"insert/replaces-a-buffer",
       "INSERT on a buffer makes it a counter",
       "INSERT",
       Level::should,
       {"silence.kind-mismatch"},
       replaces_buffer,
       {.operations = {"SET", "GET"}, .when = {{"kind-mismatch", "replaced"}}}},
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
       {"width.maximum", "width.value-size", "endianness.little", "silence.maximum-values"},
       extremes},
      {"insert/maximum-refused",
       "the largest number of the width is no quota and no TTL",
       "INSERT",
       Level::should,
       {"silence.maximum-values"},
       refuses_maximum,
       {.when = {{"maximum-values", "invalid"}}}},
      {"insert/empty-key",
       "a key of length 0 is valid or refused, as the target says",
       "INSERT",
       Level::may,
       {"silence.empty-names"},
       empty_key,
       {.exclusive = true}},
      {"insert/one-of-many-wins",
       "of INSERTs of one key from several connections one succeeds",
       "INSERT",
       Level::should,
       {"silence.insert-existing", "key.unique"},
       one_wins,
       {.unless = {{"insert-existing", "replaced"}}}},
  };
}

}  // namespace hallmark::conformance
