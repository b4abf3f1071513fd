#include "conformance/suites/throttr/cases.hpp"

#include <fmt/format.h>

#include "conformance/suites/throttr/support.hpp"

namespace hallmark::conformance {
namespace {

using protocol::Level;

void found(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string counter = stage.key("counter");
  const std::string buffer = stage.key("buffer");
  connection.ask(insert(counter, 1), success());
  connection.ask(set(buffer, "value"), success());
  const Patterns numbers{is("status", 1), any("reads_per_minute"), any("writes_per_minute"),
                         any("total_reads"), any("total_writes")};
  connection.ask(stat(counter), numbers);
  connection.ask(stat(buffer), numbers);
}

void stat_missing(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  connection.ask(stat(key), failure());
  connection.ask(insert(key, 1), success());
  connection.ask(purge(key), success());
  connection.ask(stat(key), failure());
}

void never_more(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  connection.ask(insert(key, 1), success());
  for (int i = 0; i < 5; ++i) connection.ask(query(key));
  connection.ask(update(key, Attribute::quota, Change::increase, 1), success());
  // The totals may lag by a minute; they never run ahead.
  connection.ask(stat(key), {is("status", 1), between("reads_per_minute", 0, 5),
                             between("writes_per_minute", 0, 2), between("total_reads", 0, 5),
                             between("total_writes", 0, 2)});
}

void same_in_stats(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  connection.ask(insert(key, 1), success());
  connection.ask(query(key));
  const Message before = connection.ask(stat(key));
  const Message stats = connection.ask(bare("STATS"));
  const Message after = connection.ask(stat(key));
  expect_fragments(connection, stats);
  expect_listed_once(
      connection, stats, "keys", "key", key,
      [&](const protocol::MessageView::Entry& entry) -> std::string {
        for (const protocol::FieldName field :
             std::initializer_list<protocol::FieldName>{"total_reads", "total_writes"}) {
          const std::uint64_t here = entry.number(field);
          if (here < before.number_or(field, 0) || here > after.number_or(field, 0)) {
            return fmt::format("{} is {}, STAT says {}", field, here, after.number_or(field, 0));
          }
        }
        return {};
      });
}

void forgets_purged(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string goes = stage.key("goes");
  const std::string stays = stage.key("stays");
  connection.ask(insert(goes, 1), success());
  connection.ask(set(stays, "value"), success());
  connection.ask(purge(goes), success());
  const Message stats = connection.ask(bare("STATS"));
  expect_not_listed(connection, stats, "keys", "key", goes);
  expect_listed_once(connection, stats, "keys", "key", stays);
}

/// Totals and numbers per minute move once a minute: two minutes later the totals hold everything.
void settles(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  connection.ask(insert(key, 1), success());
  for (int i = 0; i < 7; ++i) connection.ask(query(key));
  const Request add = update(key, Attribute::quota, Change::increase, 1);
  for (int i = 0; i < 2; ++i) connection.ask(add, success());
  const Message last = connection.ask(add, success());
  stage.wait_until(last.window().latest + length_of(TtlUnit::minutes));
  connection.ask(stat(key), {is("status", 1), between("reads_per_minute", 0, 7),
                             between("writes_per_minute", 0, 4), is("total_reads", 7),
                             between("total_writes", 3, 4)});
}

/// Like `settles`, for keys in STATS: each has its own numbers. No other case's key is likely to
/// have the same.
void settles_in_stats(Stage& stage) {
  constexpr std::uint64_t reads[] = {5, 11, 17};
  Conversation& connection = stage.connection();
  std::map<std::uint64_t, std::string> keys;
  for (const std::uint64_t times : reads) {
    const std::string& key = keys[times] = stage.key(fmt::format("read-{}", times));
    connection.ask(insert(key, 1), success());
    for (std::uint64_t i = 0; i < times; ++i) connection.ask(query(key));
  }
  const Message last = connection.ask(query(stage.key("missing")));
  stage.wait_until(last.window().latest + length_of(TtlUnit::minutes));
  const Message stats = connection.ask(bare("STATS"));
  for (const auto& [times, key] : keys) {
    expect_listed_once(
        connection, stats, "keys", "key", key,
        [expected = times](const protocol::MessageView::Entry& entry) -> std::string {
          const std::uint64_t here = entry.number("total_reads");
          if (here == expected) return {};
          return fmt::format("total_reads is {}, expected {}", here, expected);
        });
  }
}

}  // namespace

BehaviourCases stat_cases() {
  return {
      {"stat/found",
       "STAT of a counter and of a buffer",
       "STAT",
       Level::must,
       {"stat.code", "stat.layout", "stat.found"},
       found},
      {"stat/missing",
       "STAT of a key that is not there is one byte",
       "STAT",
       Level::must,
       {"stat.missing"},
       stat_missing},
      {"stat/never-more",
       "STAT never counts more than was asked",
       "STAT",
       Level::should,
       {"stat.found", "silence.metrics"},
       never_more},
      {"stat/settles",
       "a minute later the totals hold what was asked",
       "STAT",
       Level::should,
       {"stat.found", "silence.metrics"},
       settles,
       {.slow = true, .exclusive = false}},
  };
}

BehaviourCases stats_cases() {
  return {
      {"stats/same-as-stat",
       "STATS holds a key once, with the numbers of STAT",
       "STATS",
       Level::must,
       {"stats.code", "stats.fragments", "stats.entry", "stats.names-last"},
       same_in_stats},
      {"stats/forgets-purged",
       "STATS does not hold what was purged",
       "STATS",
       Level::must,
       {"stats.entry", "purge.removes"},
       forgets_purged},
      {"stats/settles",
       "a minute later each key has its own totals",
       "STATS",
       Level::must,
       {"stats.entry", "stats.names-last", "silence.metrics"},
       settles_in_stats,
       {.slow = true, .exclusive = false}},
  };
}

}  // namespace hallmark::conformance
