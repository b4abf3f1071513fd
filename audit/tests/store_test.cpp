#include <fmt/format.h>
#include <gmock/gmock.h>

#include "audit/run.hpp"
#include "audit/tests/planted.hpp"
#include "audit/tests/stocked.hpp"

namespace hallmark::audit {
namespace {

using namespace std::chrono_literals;
using test::now;
using test::Stock;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::uint64_t healthy_keys = 100'000;

/// Healthy states with every planted fault among them, one in ten with an expiry.
Stock stock_with_faults(std::uint64_t healthy) {
  Stock stock;
  for (std::uint64_t i = 0; i < healthy; ++i) {
    const auto expiry = i % 10 == 0 ? std::optional<std::chrono::milliseconds>(1h) : std::nullopt;
    stock[fmt::format("rl:{}", i)] = {test::healthy(i), expiry};
  }
  for (const test::Planted& row : test::planted()) stock[row.key] = {row.text, {}};
  return stock;
}

std::vector<std::string> expected_findings() {
  std::vector<std::string> all;
  for (const test::Planted& row : test::planted()) {
    for (const Finding& one : row.findings)
      all.push_back(fmt::format("{} {} {} {}", row.key, name_of(one.kind), one.field, one.offset));
  }
  return all;
}

/// An audit that keeps each finding as `expected_findings` writes it.
struct Told {
  RunOptions options() {
    RunOptions made;
    made.limits.now = now;
    made.on_finding = [this](std::string_view key, std::string_view, const Finding& one) {
      findings.push_back(fmt::format("{} {} {} {}", key, name_of(one.kind), one.field, one.offset));
    };
    return made;
  }
  std::vector<std::string> findings;
};

RunResult audit_of(const stores::Address& address, const RunOptions& options) {
  Rules rules;
  auto result = audit::run({.address = address}, rules, options);
  EXPECT_TRUE(result.has_value()) << result.error().message;
  return *std::move(result);
}

TEST(RedisAudit, FindsEveryPlantedFaultAndChangesNothing) {
  const stores::test::RedisServer server;
  const Stock stock = stock_with_faults(healthy_keys);
  put(*stores::connect(server.address()).value(), stock);
  server.run({"HSET", "planted:hash", "a", "b"});
  server.run({"RPUSH", "planted:list", "a"});
  const std::string before = shown(test::contents(server.address()));
  std::vector<std::string> keys;
  for (const auto& [key, stocked] : stock) keys.push_back(key);
  const std::string times = test::expiry_times(server, keys);
  server.run({"CONFIG", "RESETSTAT"});

  Told told;
  const AuditResult audit = audit_of(server.address(), told.options()).audit;

  EXPECT_THAT(test::counted_commands(server),
              Each(testing::AnyOf("scan", "mget", "type", "dbsize", "ping", "hello", "select",
                                  "info", "config|resetstat")));
  EXPECT_EQ(shown(test::contents(server.address())), before);
  EXPECT_EQ(test::expiry_times(server, keys), times);
  auto expected = expected_findings();
  expected.insert(expected.end(), {"planted:hash other-type  0", "planted:list other-type  0"});
  EXPECT_THAT(told.findings, testing::UnorderedElementsAreArray(expected));
  EXPECT_EQ(audit.entries, stock.size() + 2);
  EXPECT_EQ(audit.faulty, test::planted().size() + 2);
  EXPECT_TRUE(audit.exact);
}

TEST(RedisAudit, MatchChoosesKeys) {
  const stores::test::RedisServer server;
  put(*stores::connect(server.address()).value(), stock_with_faults(1000));
  Rules rules;
  const auto result =
      audit::run({.address = server.address(), .scan = {.match = "planted:Json*"}}, rules, {});
  EXPECT_EQ(result->audit.entries, 3U);
  EXPECT_EQ(result->audit.of(Kind::json).count, 2U);
}

stores::Result<RunResult> audit_matching(const stores::Address& address, const std::string& match,
                                         bool allow_empty = false) {
  Rules rules;
  return audit::run({.address = address, .scan = {.match = match}}, rules,
                    {.allow_empty = allow_empty});
}

/// `address`: of a store that holds nothing but "rl:1".
void refuses_a_pattern_without_a_match(const stores::Address& address) {
  const auto refused = audit_matching(address, "no:*");
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().kind, stores::ErrorKind::usage);
  EXPECT_THAT(refused.error().message, HasSubstr("--match 'no:*' matches no key of"));
  EXPECT_THAT(refused.error().message, HasSubstr("--allow-empty"));
  EXPECT_EQ(audit_matching(address, "no:*", true)->audit.entries, 0U);
  EXPECT_EQ(audit_matching(address, "rl:*")->audit.entries, 1U);
}

TEST(RedisAudit, APatternWithoutAMatchIsAnErrorUnlessItMayBeEmpty) {
  const stores::test::RedisServer server;
  EXPECT_EQ(audit_matching(server.address(), "*")->audit.entries, 0U) << "no pattern, no error";
  server.run({"SET", "rl:1", "42|1"});
  refuses_a_pattern_without_a_match(server.address());
}

TEST(RedisAudit, AStoreThatIsLostLeavesWhatWasCounted) {
  stores::test::RedisServer server;
  put(*stores::connect(server.address()).value(), stock_with_faults(20'000));
  RunOptions options;
  options.limits.now = now;
  options.on_progress = [&](const stores::Progress& progress, std::uint64_t) {
    if (progress.done > 5'000) server.kill();
  };
  const AuditResult audit = audit_of(server.address(), options).audit;
  EXPECT_THAT(audit.error, HasSubstr("127.0.0.1"));
  EXPECT_TRUE(audit.lost);
  EXPECT_GT(audit.entries, 5'000U);
  EXPECT_LT(audit.entries, 20'000U);
}

TEST(RedisAudit, StopsAfterABatch) {
  const stores::test::RedisServer server;
  put(*stores::connect(server.address()).value(), stock_with_faults(10'000));
  RunOptions options;
  options.stop = [] { return true; };
  const AuditResult audit = audit_of(server.address(), options).audit;
  EXPECT_TRUE(audit.interrupted);
  EXPECT_GT(audit.entries, 0U);
  EXPECT_LT(audit.entries, 10'000U);
}

TEST(RedisAudit, EachKeyCountsOnceWhateverBecomesOfTheTableUnderTheScan) {
  const stores::test::RedisServer server;
  Stock stock;
  for (int i = 0; i < 40'000; ++i) stock[fmt::format("rl:{}", i)] = {"hello", {}};
  const auto connection = stores::connect(server.address()).value();
  put(*connection, stock);
  std::vector<std::string> found;
  RunOptions options;
  options.on_finding = [&](std::string_view key, std::string_view, const Finding&) {
    found.emplace_back(key);
  };
  bool once = true;
  options.on_progress = [&](const stores::Progress& progress, std::uint64_t) {
    if (progress.done < 2'000 || !std::exchange(once, false)) return;
    std::vector<std::string> keys;
    for (int i = 4'000; i < 40'000; ++i) keys.push_back(fmt::format("rl:{}", i));
    connection->erase(keys).value();
  };
  const AuditResult audit = audit_of(server.address(), options).audit;
  EXPECT_EQ(found.size(), audit.entries);
  std::ranges::sort(found);
  EXPECT_TRUE(std::ranges::adjacent_find(found) == found.end());
  for (int i = 0; i < 4'000; ++i)
    EXPECT_TRUE(std::ranges::binary_search(found, fmt::format("rl:{}", i))) << i;
}

class PostgresAudit : public ::testing::Test {
 protected:
  PostgresAudit() { server_.create_table(); }
  stores::test::PostgresServer server_;
};

TEST_F(PostgresAudit, FindsEveryPlantedFaultAndChangesNothing) {
  put(*stores::connect(server_.address()).value(), stock_with_faults(healthy_keys / 5));
  server_.run("INSERT INTO ratelimit_kv VALUES ('over:1', '12|NaN|1', now() - interval '1 hour')");
  const std::string digest =
      "SELECT md5(string_agg(md5(row(t.*)::text), '' ORDER BY key)) FROM ratelimit_kv t";
  const std::string before = server_.run(digest);
  Told told;
  const AuditResult audit = audit_of(server_.address(), told.options()).audit;
  EXPECT_EQ(server_.run(digest), before);
  EXPECT_THAT(told.findings, testing::UnorderedElementsAreArray(expected_findings()));
  EXPECT_EQ(audit.entries, healthy_keys / 5 + test::planted().size());
  EXPECT_EQ(audit.expired, 1U);
}

TEST_F(PostgresAudit, APatternWithoutAMatchIsAnErrorUnlessItMayBeEmpty) {
  server_.run("INSERT INTO ratelimit_kv VALUES ('rl:1', '42|1', NULL)");
  refuses_a_pattern_without_a_match(server_.address());
}

TEST_F(PostgresAudit, APatternThatOnlyExpiredRowsMatchIsNone) {
  server_.run("INSERT INTO ratelimit_kv VALUES ('rl:1', '42|1', now() - interval '1 hour')");
  EXPECT_EQ(audit_matching(server_.address(), "rl:*")->audit.expired, 1U);
}

TEST_F(PostgresAudit, AColumnOfAnotherTypeIsAMistakeOfUsage) {
  server_.run("CREATE TABLE other (key text PRIMARY KEY, value jsonb, expires_at timestamptz)");
  Rules rules;
  Source source{.address = server_.address()};
  source.access.table.name = "other";
  const auto result = audit::run(source, rules, {});
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().kind, stores::ErrorKind::usage);
  EXPECT_THAT(result.error().message, HasSubstr("column value is not of type text"));
}

TEST_F(PostgresAudit, ATableThatIsNotThereIsNamed) {
  Rules rules;
  Source source{.address = server_.address()};
  source.access.table.name = "no_such_table";
  const auto result = audit::run(source, rules, {});
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().kind, stores::ErrorKind::missing);
  EXPECT_THAT(result.error().message, HasSubstr("no_such_table"));
}

}  // namespace
}  // namespace hallmark::audit
