#include "stores/postgres_scanner.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stores/tests/collect.hpp"
#include "stores/tests/support/postgres_server.hpp"

namespace hallmark::stores {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

/// One cluster for all of it: making one takes longest.
class PostgresScanner : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    server_ = std::make_unique<test::PostgresServer>();
    server_->create_table();
  }
  static void TearDownTestSuite() { server_.reset(); }
  void TearDown() override { server_->run("TRUNCATE ratelimit_kv"); }

  static void fill(std::size_t count) {
    server_->run(fmt::format(
        "INSERT INTO ratelimit_kv SELECT 'k:' || i, '12|8.5|' || i FROM generate_series(1, {}) i",
        count));
  }
  static Error open(const std::string& url, const Access& access = {}) {
    return error_of(open_scanner(base::parse_endpoint<Address>(url).value(), {}, access));
  }

  static inline std::unique_ptr<test::PostgresServer> server_;
};

TEST_F(PostgresScanner, EveryRowInBatchesOfAnySize) {
  EXPECT_TRUE(collect(server_->address()).empty());
  fill(5000);
  for (const std::size_t batch : {7UL, 1000UL, 5000UL, 100'000UL}) {
    const auto entries = collect(server_->address(), {.batch = batch});
    EXPECT_EQ(entries.size(), 5000U);
    EXPECT_EQ(texts_of(entries).at("k:5000"), "12|8.5|5000");
  }
}

TEST_F(PostgresScanner, RowsThatAreOverAreToldApart) {
  server_->run(
      "INSERT INTO ratelimit_kv VALUES ('over', 'a', now() - interval '1 day'), "
      "('soon', 'b', now() + interval '1 hour'), ('never', 'c', null), "
      "('infinite', 'd', 'infinity'), ('long over', 'e', '-infinity')");
  std::map<std::string, Kept> found;
  for (auto& entry : collect(server_->address())) found[entry.key] = entry;
  EXPECT_EQ(found["over"].kind, EntryKind::expired);
  EXPECT_EQ(found["over"].value, "a");
  EXPECT_EQ(found["long over"].kind, EntryKind::expired);
  EXPECT_EQ(found["soon"].kind, EntryKind::text);
  EXPECT_LE(found["soon"].expires_in, std::chrono::hours(1));
  EXPECT_GT(found["soon"].expires_in, std::chrono::minutes(50));
  EXPECT_EQ(found["never"].expires_in, std::nullopt);
  EXPECT_EQ(found["infinite"].expires_in, std::nullopt);
  EXPECT_EQ(found["infinite"].kind, EntryKind::text);
}

TEST_F(PostgresScanner, KeysThatMatch) {
  server_->run("INSERT INTO ratelimit_kv VALUES ('a''%1', 'x'), ('a''%2', 'y'), ('b', 'z')");
  EXPECT_THAT(texts_of(collect(server_->address(), {.match = "a'%*"})),
              ElementsAre(Pair("a'%1", "x"), Pair("a'%2", "y")));
  EXPECT_EQ(collect(server_->address(), {.match = "*[2b]"}).size(), 2U);
}

TEST_F(PostgresScanner, ATableOfOtherNamesAndTypes) {
  server_->run("CREATE SCHEMA \"li'mits\"");
  server_->run(
      "CREATE TABLE \"li'mits\".\"My \"\"Table\" (\"K\" bytea PRIMARY KEY, \"select\" varchar(50), "
      "t timestamp)");
  server_->run(
      "INSERT INTO \"li'mits\".\"My \"\"Table\" VALUES ('\\x6b00ff', 'v', now() at time "
      "zone 'utc' - interval '2 days')");
  const Access access{.table = {"li'mits.My \"Table", "K", "select", "t"}};
  for (const char* const match : {"*", "k*"}) {
    const auto entries = collect(server_->address(), {.match = match}, access);
    ASSERT_EQ(entries.size(), 1U);
    EXPECT_EQ(entries[0].key, std::string("k\0\xff", 3));
    EXPECT_EQ(entries[0].value, "v");
    EXPECT_EQ(entries[0].kind, EntryKind::expired);
  }
  server_->run("DROP SCHEMA \"li'mits\" CASCADE");
}

TEST_F(PostgresScanner, ProgressEstimatesOnceTheTableIsAnalyzed) {
  fill(3000);
  server_->run("ANALYZE ratelimit_kv");
  const auto scanner = open_scanner(server_->address(), {.batch = 1000}).value();
  EXPECT_EQ(scanner->progress().total, 3000U);
  ASSERT_TRUE(scanner->next());
  EXPECT_EQ(scanner->progress().done, 1000U);
}

TEST_F(PostgresScanner, TheRowsAreThoseOfOneMomentAndNothingIsChanged) {
  fill(5000);
  const auto scanner = open_scanner(server_->address(), {.batch = 100}).value();
  std::size_t count = scanner->next()->size();
  server_->run("DELETE FROM ratelimit_kv");
  while (true) {
    const auto batch = scanner->next();
    ASSERT_TRUE(batch) << batch.error().message;
    if (batch->empty()) break;
    count += batch->size();
  }
  EXPECT_EQ(count, 5000U);
}

TEST_F(PostgresScanner, WhyThereIsNoConnectionOrNoTable) {
  server_->run("CREATE ROLE reader LOGIN PASSWORD 'right'");
  const auto denied = open(server_->url_of("reader", "wrong"));
  EXPECT_EQ(denied.kind, ErrorKind::denied);
  EXPECT_THAT(denied.message, HasSubstr("password authentication failed"));
  EXPECT_THAT(denied.message, testing::Not(HasSubstr("wrong@")));
  EXPECT_EQ(denied.message.find('\n'), std::string::npos);
  EXPECT_EQ(open(server_->url_of("reader", "right")).kind, ErrorKind::denied) << "no privilege";
  EXPECT_EQ(open(server_->url() + "x").kind, ErrorKind::missing) << "no such database";
  const auto table = open(server_->url(), {.table = {.name = "no"}});
  EXPECT_EQ(table.kind, ErrorKind::missing);
  EXPECT_THAT(table.message, HasSubstr("relation \"no\" does not exist"));
  EXPECT_EQ(open(server_->url(), {.table = {.value = "no"}}).kind, ErrorKind::missing);
  EXPECT_EQ(open("postgres://u:%zz@h/d").message,
            "'postgres://u:***@h/d' is no URL of PostgreSQL; expected "
            "postgres://user:password@host:port/database");
  EXPECT_EQ(open("postgres://no.such.host.invalid/d").kind, ErrorKind::unreachable);
  const auto refused = open(fmt::format("postgres://127.0.0.1:{}/x", test::free_port()));
  EXPECT_EQ(refused.kind, ErrorKind::unreachable);
  EXPECT_THAT(refused.message, HasSubstr("Connection refused"));
}

TEST_F(PostgresScanner, AColumnOfAnotherTypeIsRefused) {
  server_->run("CREATE TABLE numbers (key text, value int, expires_at timestamptz)");
  const auto scanner = open_scanner(server_->address(), {}, {.table = {.name = "numbers"}}).value();
  EXPECT_THAT(error_of(scanner->next()).message, HasSubstr("column value is not of type text"));
}

TEST_F(PostgresScanner, AServerKilledInTheMiddleIsALostConnection) {
  fill(50'000);
  const auto scanner = open_scanner(server_->address(), {.batch = 100}).value();
  ASSERT_TRUE(scanner->next());
  server_->kill();
  auto batch = scanner->next();
  for (int i = 0; i < 10 && batch; ++i) batch = scanner->next();
  EXPECT_TRUE(error_of(batch).retryable()) << error_of(batch).message;
  EXPECT_EQ(open(server_->url()).kind, ErrorKind::unreachable);
  server_->restart();
  EXPECT_EQ(collect(server_->address()).size(), 50'000U);
}

TEST_F(PostgresScanner, AServerThatFallsSilentMeetsTheDeadline) {
  fill(50'000);
  const auto scanner =
      open_scanner(server_->address(), {.batch = 10}, {.timeout = std::chrono::seconds(2)}).value();
  ASSERT_TRUE(scanner->next());
  server_->pause();
  auto batch = scanner->next();
  for (int i = 0; i < 10 && batch; ++i) batch = scanner->next();
  server_->resume();
  EXPECT_TRUE(error_of(batch).retryable());
  EXPECT_THAT(error_of(batch).message, HasSubstr("no answer in time"));
}

}  // namespace
}  // namespace hallmark::stores
