#include <fmt/format.h>
#include <gmock/gmock.h>

#include <atomic>
#include <random>
#include <thread>

#include "audit/run.hpp"
#include "audit/tests/planted.hpp"
#include "audit/tests/stocked.hpp"
#include "reference/model/states/strategy.hpp"

namespace hallmark::audit {
namespace {

using namespace std::chrono_literals;
using stores::Connection;
using stores::Outcome;
using stores::Result;
using test::now;
using test::Stock;
using test::Stocked;
using ::testing::HasSubstr;

constexpr std::string_view config = R"({"rules":[
    {"match":"fw:*","strategy":"fixed-window","merge":"{key}:{quota}",
     "quotas":["default","hourly","daily"]},
    {"match":"one:*","strategy":"fixed-window","quota":"default"},
    {"match":"lb:*","strategy":"leaky-bucket"},
    {"match":"tb:*","strategy":"token-bucket"}]})";

/// Writes that fail from a given one on, as if the process had been killed there: in the middle of
/// what was sent at once, too.
class Dying final : public Connection {
 public:
  Dying(std::unique_ptr<Connection> inner, std::size_t& writes_left)
      : inner_(std::move(inner)), writes_left_(writes_left) {}

  Result<std::vector<stores::Held>> get(std::span<const std::string> keys,
                                        WithExpiry expiry) override {
    return inner_->get(keys, expiry);
  }
  Result<std::vector<Outcome>> compare_and_set(std::span<const stores::Change> changes) override {
    return some(changes, [&](auto part) { return inner_->compare_and_set(part); });
  }
  Result<std::vector<Outcome>> compare_and_delete(
      std::span<const stores::Removal> removals) override {
    return some(removals, [&](auto part) { return inner_->compare_and_delete(part); });
  }
  Result<std::uint64_t> erase(std::span<const std::string> keys) override {
    return inner_->erase(keys);
  }

 private:
  Result<std::vector<Outcome>> some(auto items, const auto& write) {
    const std::size_t count = std::min(items.size(), writes_left_);
    writes_left_ -= count;
    auto done = count > 0 ? write(items.first(count)) : Result<std::vector<Outcome>>({});
    if (count == items.size()) return done;
    return stores::Error{stores::ErrorKind::lost, "killed"};
  }

  std::unique_ptr<Connection> inner_;
  std::size_t& writes_left_;
};

/// Old states of every sort, some of which stay: merges of one to three parts, into nothing, into a
/// key that is there, and into one that cannot take them.
Stock old_states() {
  Stock stock;
  for (int i = 0; i < 40; ++i) {
    const auto expiry = i % 3 == 0 ? std::optional<std::chrono::milliseconds>(1h) : std::nullopt;
    stock[fmt::format("tb:{}", i)] = {fmt::format("v2|{}.5|{}|", i, now), expiry};
    stock[fmt::format("lb:{}", i)] = {fmt::format("v1|{}|{}|10|2", i, now), expiry};
    stock[fmt::format("one:{}", i)] = {fmt::format("v2|{}|{}|", i, now), expiry};
    stock[fmt::format("x:{}", i)] = {test::healthy(static_cast<std::uint64_t>(i)), expiry};
    stock[fmt::format("fw:{}:hourly", i)] = {fmt::format("v2|{}|{}|", i, now), expiry};
    if (i % 2 == 0)
      stock[fmt::format("fw:{}:default", i)] = {fmt::format("v1|{}|{}|60", i + 1, now - 5), 2h};
    if (i % 5 == 0)
      stock[fmt::format("fw:{}:daily", i)] = {fmt::format("v2|{}|{}|", i + 2, now), 3h};
    if (i % 7 == 0)
      stock[fmt::format("fw:{}", i)] = {fmt::format("23|1|hourly|{}|{}", 100, now), 10min};
    if (i % 11 == 0) stock[fmt::format("fw:{}", i)] = {"hello", {}};
  }
  return stock;
}

RunOptions migrating() {
  RunOptions options;
  options.limits.now = now;
  options.migrate = Migrate::yes;
  return options;
}

RunResult migrate(const stores::Address& address, const RunOptions& options,
                  std::size_t batch = 1000) {
  Rules rules = Rules::parse(config).value();
  auto result = audit::run({.address = address, .scan = {.batch = batch}}, rules, options);
  EXPECT_TRUE(result.has_value()) << result.error().message;
  return *std::move(result);
}

void fill(const stores::Address& address, const Stock& stock) {
  const auto connection = stores::connect(address).value();
  std::vector<std::string> keys;
  for (const auto& [key, stocked] : test::contents(address)) keys.push_back(key);
  connection->erase(keys).value();
  put(*connection, stock);
}

/// Writes that a whole migration of `old_states` takes.
std::size_t writes_of(const stores::Address& address) {
  std::size_t left = 1'000'000;
  RunOptions options = migrating();
  options.around = [&](auto inner) { return std::make_unique<Dying>(std::move(inner), left); };
  EXPECT_EQ(migrate(address, options).audit.error, "");
  return 1'000'000 - left;
}

/// Killed at every `step`th write, and run again until nothing kills it any more.
void survives_being_killed(const stores::Address& address, std::size_t step) {
  fill(address, old_states());
  const std::size_t writes = writes_of(address);
  const std::string expected = shown(test::contents(address));
  ASSERT_GT(writes, 200U);
  for (std::size_t at = 0; at < writes; at += step) {
    fill(address, old_states());
    std::size_t left = at;
    RunOptions options = migrating();
    options.around = [&](auto inner) { return std::make_unique<Dying>(std::move(inner), left); };
    ASSERT_EQ(migrate(address, options, 50).audit.error, "killed") << at;
    // A second death, a little further on.
    left = 1 + at / 2;
    migrate(address, options, 50);
    ASSERT_EQ(migrate(address, migrating(), 50).audit.error, "") << at;
    ASSERT_EQ(shown(test::contents(address)), expected) << "killed at write " << at;
  }
}

TEST(RedisMigration, RewritesWhatCanBeAndKeepsExpiry) {
  const stores::test::RedisServer server;
  const Stock before = old_states();
  fill(server.address(), before);
  const RunResult result = migrate(server.address(), migrating());
  const Stock after = test::contents(server.address());
  EXPECT_EQ(after.at("tb:3").value, fmt::format("12|3.5|{}", now));
  EXPECT_EQ(after.at("lb:4").value, fmt::format("32|4|{}", now));
  EXPECT_EQ(after.at("one:5").value, fmt::format("23|1|default|5|{}", now));
  EXPECT_EQ(after.at("x:5").value, fmt::format("42|{}", now - 5'000'000));
  EXPECT_EQ(after.at("fw:10").value,
            fmt::format("23|3|default|11|{}|hourly|10|{}|daily|12|{}", now - 5, now, now));
  EXPECT_EQ(after.at("fw:7").value, fmt::format("23|1|hourly|100|{}", now));
  EXPECT_EQ(after.count("fw:10:hourly"), 0U);
  EXPECT_EQ(after.at("fw:11:hourly").value, before.at("fw:11:hourly").value);
  EXPECT_EQ(after.at("fw:11").value, "hello");
  for (const auto& [key, stocked] : before) {
    if (key.starts_with("fw:")) continue;
    EXPECT_EQ(after.at(key).expires_in.has_value(), stocked.expires_in.has_value()) << key;
  }
  // The longest of 1 h, 2 h and, where there is one, never.
  EXPECT_FALSE(after.at("fw:10").expires_in.has_value());
  EXPECT_GT(after.at("fw:12").expires_in.value(), 119min);
  EXPECT_LE(after.at("fw:12").expires_in.value(), 2h);
  EXPECT_GT(result.migration->not_done, 0U);
  EXPECT_THAT(result.migration->not_done_first.front().reason, HasSubstr("is no fixed window"));
}

TEST(RedisMigration, CountsWhatItFoundAndWhatItDidExactly) {
  const stores::test::RedisServer server;
  const Stock stock = old_states();
  fill(server.address(), stock);
  RunOptions options = migrating();
  options.migrate = Migrate::dry_run;
  const RunResult dry = migrate(server.address(), options, 10);
  EXPECT_EQ(shown(test::contents(server.address())), shown(stock));
  const RunResult done = migrate(server.address(), migrating(), 10);
  EXPECT_EQ(dry.audit.entries, stock.size());
  EXPECT_EQ(done.audit.entries, stock.size());
  EXPECT_EQ(dry.migration->rewritten, done.migration->rewritten);
  EXPECT_EQ(dry.migration->merged_keys, done.migration->merged_keys);
  EXPECT_EQ(dry.migration->merged_parts, done.migration->merged_parts);
  EXPECT_EQ(dry.migration->not_done, done.migration->not_done);
  const RunResult again = migrate(server.address(), migrating(), 10);
  EXPECT_TRUE(again.migration->rewritten.empty());
  EXPECT_EQ(again.migration->merged_keys, 0U);
}

TEST(RedisMigration, ADryRunWritesNothing) {
  const stores::test::RedisServer server;
  fill(server.address(), old_states());
  server.run({"CONFIG", "RESETSTAT"});
  RunOptions options = migrating();
  options.migrate = Migrate::dry_run;
  migrate(server.address(), options);
  EXPECT_THAT(test::counted_commands(server),
              testing::Each(testing::AnyOf("scan", "mget", "get", "pttl", "type", "dbsize", "ping",
                                           "hello", "select", "info", "config|resetstat")));
}

TEST(RedisMigration, KilledAtAnyWriteAndRunAgainItEndsTheSame) {
  const stores::test::RedisServer server;
  survives_being_killed(server.address(), 3);
}

TEST(PostgresMigration, KilledAtAnyWriteAndRunAgainItEndsTheSame) {
  const stores::test::PostgresServer server;
  server.create_table();
  survives_being_killed(server.address(), 11);
}

TEST(PostgresMigration, EndsAsOnRedis) {
  const stores::test::PostgresServer postgres;
  postgres.create_table();
  const stores::test::RedisServer redis;
  fill(postgres.address(), old_states());
  fill(redis.address(), old_states());
  const RunResult one = migrate(postgres.address(), migrating(), 10);
  const RunResult other = migrate(redis.address(), migrating(), 10);
  EXPECT_EQ(shown(test::contents(postgres.address())), shown(test::contents(redis.address())));
  EXPECT_EQ(one.migration->rewritten, other.migration->rewritten);
  EXPECT_EQ(one.migration->merged_keys, other.migration->merged_keys);
  EXPECT_EQ(one.audit.entries, other.audit.entries);
}

/// The counts of a quota in what a window's key, or that of its part, holds.
std::int64_t count_in(const Stock& stock, const std::string& key, const std::string& quota) {
  const auto found = stock.find(key);
  if (found == stock.end()) return 0;
  const auto parsed =
      model::parse_stored(found->second.value, {.strategy = "fixed-window"}).value();
  const auto state = model::fixed_window_of(parsed, quota).value();
  for (const model::QuotaState& one : state.quotas) {
    if (one.name == quota) return one.count;
  }
  return 0;
}

/// Counts requests by compare-and-set, as limiters do: in an old part while there is one, else in
/// the key that it became.
class Writer {
 public:
  Writer(const stores::Address& address, std::uint32_t seed)
      : connection_(stores::connect(address).value()), random_(seed) {}

  void write_until(const std::atomic<bool>& done, std::size_t at_least) {
    for (std::size_t i = 0; i < at_least || !done; ++i) write_one();
  }

  std::map<std::string, std::int64_t> counted;

 private:
  void write_one() {
    const int i = std::uniform_int_distribution(0, 39)(random_);
    if (std::bernoulli_distribution(0.5)(random_)) {
      const std::string key = fmt::format("one:{}", i);
      if (increment(key, "default")) ++counted[key];
    } else {
      const std::string key = fmt::format("w:{}", i);
      if (increment(key + ":hourly", "hourly") || increment(key, "hourly")) ++counted[key];
    }
  }

  bool increment(const std::string& key, const std::string& quota) {
    const auto held = connection_->get(key).value();
    if (held.presence != stores::Presence::text) return false;
    const model::FixedWindow window{{{quota, 1'000'000'000, 3600 * nanoseconds_a_second}}};
    const auto decision = model::decide(window, held.value, now + 1);
    if (!decision || !decision->allowed) throw std::logic_error("a request was denied");
    // Before version 3, limiters wrote what they read.
    std::string text = *decision->state;
    if (held.value.starts_with("v2|")) {
      const auto parsed = model::parse_stored(text).value();
      const auto state = model::fixed_window_of(parsed, quota).value();
      text = fmt::format("v2|{}|{}|", state.quotas[0].count, state.quotas[0].start);
    }
    return connection_->compare_and_set({key, held.value, text, stores::Expiry::keep()}).value() ==
           Outcome::done;
  }

  std::unique_ptr<Connection> connection_;
  std::mt19937 random_;
};

constexpr std::string_view writers_config = R"({"rules":[
    {"match":"w:*","strategy":"fixed-window","merge":"{key}:{quota}","quotas":["hourly"]},
    {"match":"one:*","strategy":"fixed-window","quota":"default"}]})";

void keeps_what_others_write(const stores::Address& address) {
  Stock stock;
  for (int i = 0; i < 40; ++i) {
    stock[fmt::format("one:{}", i)] = {fmt::format("v2|{}|{}|", i, now), 1h};
    stock[fmt::format("w:{}:hourly", i)] = {fmt::format("v2|{}|{}|", i, now), 1h};
  }
  for (std::uint32_t round = 0; round < 10; ++round) {
    fill(address, stock);
    Writer writer(address, round);
    std::atomic<bool> done{false};
    std::thread thread([&] { writer.write_until(done, 50); });
    Rules rules = Rules::parse(writers_config).value();
    // Small batches: more moments at which the writer comes between.
    const auto result = audit::run({.address = address, .scan = {.batch = 5}}, rules, migrating());
    done = true;
    thread.join();
    ASSERT_TRUE(result.has_value());
    ASSERT_EQ(result->audit.error, "");
    audit::run({.address = address}, rules, migrating()).value();
    const Stock after = test::contents(address);
    for (int i = 0; i < 40; ++i) {
      const std::string one = fmt::format("one:{}", i);
      EXPECT_EQ(count_in(after, one, "default"), i + writer.counted[one]) << one << " " << round;
      const std::string merged = fmt::format("w:{}", i);
      EXPECT_EQ(after.count(merged + ":hourly"), 0U);
      EXPECT_EQ(count_in(after, merged, "hourly"), i + writer.counted[merged]) << merged;
    }
  }
}

TEST(RedisMigration, WhatOthersWriteMeanwhileIsKept) {
  const stores::test::RedisServer server;
  keeps_what_others_write(server.address());
}

TEST(PostgresMigration, WhatOthersWriteMeanwhileIsKept) {
  const stores::test::PostgresServer server;
  server.create_table();
  keeps_what_others_write(server.address());
}

/// Somebody else gets in before each set, and before each deletion.
class Between final : public Connection {
 public:
  using Action = std::function<void()>;
  Between(std::unique_ptr<Connection> inner, Action before_set, Action before_delete)
      : inner_(std::move(inner)),
        before_set_(std::move(before_set)),
        before_delete_(std::move(before_delete)) {}

  Result<std::vector<stores::Held>> get(std::span<const std::string> keys,
                                        WithExpiry expiry) override {
    return inner_->get(keys, expiry);
  }
  Result<std::vector<Outcome>> compare_and_set(std::span<const stores::Change> changes) override {
    before_set_();
    return inner_->compare_and_set(changes);
  }
  Result<std::vector<Outcome>> compare_and_delete(
      std::span<const stores::Removal> removals) override {
    before_delete_();
    return inner_->compare_and_delete(removals);
  }
  Result<std::uint64_t> erase(std::span<const std::string> keys) override {
    return inner_->erase(keys);
  }

 private:
  std::unique_ptr<Connection> inner_;
  Action before_set_, before_delete_;
};

/// An action that is done the first time only.
Between::Action once(Between::Action action) {
  return [action = std::move(action), first = true]() mutable {
    if (std::exchange(first, false)) action();
  };
}

class RedisWithOthers : public ::testing::Test {
 protected:
  void others_set(const std::string& key, const std::string& text) {
    server_.run({"SET", key, text});
  }

  MigrationResult migrate_with(
      const Stock& stock, Between::Action before_set, Between::Action before_delete = [] {}) {
    fill(server_.address(), stock);
    RunOptions options = migrating();
    options.around = [&](auto inner) {
      return std::make_unique<Between>(std::move(inner), std::move(before_set),
                                       std::move(before_delete));
    };
    return *migrate(server_.address(), options).migration;
  }

  std::string contents() const { return shown(test::contents(server_.address())); }

  stores::test::RedisServer server_;
};

TEST_F(RedisWithOthers, AKeyThatTheyMovedOnIsLeftToThem) {
  const MigrationResult result =
      migrate_with({{"a", {"v2|17|", {}}}, {"b", {"v2|18|", {}}}, {"c", {"v2|19|", {}}}}, once([&] {
                     others_set("a", "42|20");
                     others_set("b", "v2|21|");
                     server_.run({"DEL", "c"});
                   }));
  EXPECT_EQ(contents(), "a 42|20\nb 42|21\n");
  EXPECT_EQ(result.overtaken, 2U);
  EXPECT_EQ(result.rewritten.begin()->second, 1U);
}

TEST_F(RedisWithOthers, WhatTheyWriteToTheMergedKeyIsKept) {
  const MigrationResult result = migrate_with({{"fw:a:hourly", {"v2|3|17|", {}}},
                                               {"fw:b:hourly", {"v2|3|17|", {}}},
                                               {"fw:b", {"23|1|daily|1|17", {}}}},
                                              once([&] {
                                                others_set("fw:a", "23|1|default|9|17");
                                                others_set("fw:b", "23|1|daily|2|17");
                                              }));
  EXPECT_EQ(contents(), "fw:a 23|2|default|9|17|hourly|3|17\nfw:b 23|2|hourly|3|17|daily|2|17\n");
  EXPECT_EQ(result.merged_keys, 2U);
  EXPECT_EQ(result.merged_parts, 2U);
}

TEST_F(RedisWithOthers, WhatTheyWriteToAPartIsKept) {
  const MigrationResult result = migrate_with(
      {{"fw:a:hourly", {"v2|3|17|", {}}},
       {"fw:a:daily", {"v2|1|17|", {}}},
       {"fw:b:hourly", {"v2|3|17|", {}}}},
      [] {}, once([&] { others_set("fw:a:hourly", "v2|4|17|"); }));
  EXPECT_EQ(contents(), "fw:a 23|2|hourly|4|17|daily|1|17\nfw:b 23|1|hourly|3|17\n");
  EXPECT_EQ(result.merged_keys, 2U);
  EXPECT_EQ(result.merged_parts, 3U);
}

TEST_F(RedisWithOthers, AKeyThatNeverRestsIsGivenUpAndSaid) {
  int count = 0;
  const MigrationResult result = migrate_with(
      {{"a", {"v2|17|", {}}}}, [&] { others_set("a", fmt::format("v2|{}|", 100 + ++count)); });
  EXPECT_EQ(count, 10);
  EXPECT_EQ(result.not_done, 1U);
  EXPECT_THAT(result.not_done_first.front().reason, HasSubstr("written by others"));
  EXPECT_EQ(contents(), "a v2|110|\n");
}

/// Faults that a migration takes away, and such as it does not.
Stock faulty_states() {
  return {{"float", {fmt::format("12|5.0|{}", now), {}}},
          {"both", {fmt::format("12|-1.0|{}", now), {}}},
          {"mixed", {fmt::format("cmp1|42|{0}$12|5|{0}", now), {}}},
          {"fw:a:hourly", {fmt::format("v1|3|{}|0", now), {}}},
          {"fw:a:default", {fmt::format("v1|3|{}|60", now), {}}},
          {"fw:a:daily", {fmt::format("v1|3|{}|-1", now), {}}},
          {"fw:b:hourly", {fmt::format("v1|-3|{}|60", now), {}}},
          {"fw:c", {fmt::format("23|1|hourly|-5|{}", now - 1), {}}},
          {"fw:c:default", {fmt::format("v1|3|{}|60", now), {}}},
          {"fw:c:hourly", {fmt::format("v1|3|{}|60", now), {}}}};
}

void counts_what_it_repairs(const stores::Address& address) {
  fill(address, faulty_states());
  for (const Migrate how : {Migrate::dry_run, Migrate::yes}) {
    RunOptions options = migrating();
    options.migrate = how;
    // Batches of one: parts are merged before the scan comes to them.
    const RunResult result = migrate(address, options, 1);
    EXPECT_EQ(result.audit.faulty, 7U);
    EXPECT_EQ(result.migration->repaired, 5U);
  }
  RunOptions again = migrating();
  again.migrate = Migrate::no;
  EXPECT_EQ(migrate(address, again).audit.faulty, 2U);
}

/// Neither other parts nor the key that they become are counted or deleted.
void merges_chosen_parts_only(const stores::Address& address) {
  fill(address, faulty_states());
  Rules rules = Rules::parse(config).value();
  for (const Migrate how : {Migrate::dry_run, Migrate::yes}) {
    RunOptions options = migrating();
    options.migrate = how;
    const auto result =
        audit::run({.address = address, .scan = {.match = "fw:c:hourly"}}, rules, options);
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(result->audit.entries, 1U);
    EXPECT_EQ(result->migration->merged_parts, 1U);
    EXPECT_EQ(result->migration->merged_keys, 1U);
    EXPECT_EQ(result->migration->repaired, 0U);
  }
  const Stock after = test::contents(address);
  EXPECT_EQ(after.at("fw:c").value, fmt::format("23|1|hourly|3|{}", now));
  EXPECT_EQ(after.count("fw:c:default"), 1U);
  EXPECT_EQ(after.count("fw:c:hourly"), 0U);
}

TEST(RedisMigration, MergesChosenPartsOnly) {
  const stores::test::RedisServer server;
  merges_chosen_parts_only(server.address());
}

TEST(PostgresMigration, MergesChosenPartsOnly) {
  const stores::test::PostgresServer server;
  server.create_table();
  merges_chosen_parts_only(server.address());
}

TEST(RedisMigration, CountsWhatItRepairs) {
  const stores::test::RedisServer server;
  counts_what_it_repairs(server.address());
}

TEST(PostgresMigration, CountsWhatItRepairs) {
  const stores::test::PostgresServer server;
  server.create_table();
  counts_what_it_repairs(server.address());
}

TEST_F(RedisWithOthers, WhatTheyRepairedIsRepairedAndWhatTheyBrokeIsNot) {
  const std::string odd = fmt::format("12|5.0|{}", now);
  const MigrationResult result =
      migrate_with({{"a", {odd, {}}}, {"b", {odd, {}}}, {"c", {odd, {}}}}, once([&] {
                     others_set("a", fmt::format("12|4|{}", now));
                     others_set("b", fmt::format("12|-4|{}", now));
                     server_.run({"DEL", "c"});
                   }));
  EXPECT_EQ(result.overtaken, 3U);
  EXPECT_EQ(result.repaired, 2U);
}

TEST(RedisMigration, KeysThatOtherRulesClaimAreNoParts) {
  const stores::test::RedisServer server;
  const std::string window = fmt::format("v2|3|{}|", now);
  fill(server.address(), {{"fw:a:hourly", {window, {}}},
                          {"fw:a:default", {window, {}}},
                          {"fw:b:hourly", {window, {}}}});
  Rules rules = Rules::parse(R"({"rules":[{"match":"fw:a:default","strategy":"token-bucket"},
      {"match":"fw:b","strategy":"gcra"},
      {"match":"fw:*","strategy":"fixed-window","merge":"{key}:{quota}","quotas":["default","hourly"]}]})")
                    .value();
  audit::run({.address = server.address()}, rules, migrating()).value();
  EXPECT_EQ(
      shown(test::contents(server.address())),
      fmt::format("fw:a 23|1|hourly|3|{0}\nfw:a:default 12|3|{0}\nfw:b:hourly {1}\n", now, window));
}

TEST(RedisMigration, AServerKilledUnderwayLosesNothing) {
  stores::test::RedisServer server({.persistent = true});
  fill(server.address(), old_states());
  RunOptions options = migrating();
  int batches = 0;
  options.on_progress = [&](const stores::Progress&, std::uint64_t) {
    if (++batches == 5) server.kill();
  };
  EXPECT_NE(migrate(server.address(), options, 10).audit.error, "");
  server.restart();
  EXPECT_EQ(migrate(server.address(), migrating()).audit.error, "");
  const std::string after = shown(test::contents(server.address()));
  const stores::test::RedisServer other;
  fill(other.address(), old_states());
  migrate(other.address(), migrating());
  EXPECT_EQ(after, shown(test::contents(other.address())));
}

}  // namespace
}  // namespace hallmark::audit
