#include "stores/postgres_connection.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stores/tests/collect.hpp"
#include "stores/tests/connection_contract.hpp"
#include "stores/tests/support/postgres_server.hpp"

namespace hallmark::stores {
namespace {

using testing::HasSubstr;

/// One cluster for all of it: making one takes longest.
class PostgresConnection : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    server_ = std::make_unique<test::PostgresServer>();
    server_->create_table();
  }
  static void TearDownTestSuite() { server_.reset(); }
  void TearDown() override { server_->run("TRUNCATE ratelimit_kv"); }

  static inline std::unique_ptr<test::PostgresServer> server_;
};

TEST_F(PostgresConnection, KeepsTheContract) { contract::run_all(server_->address()); }

TEST_F(PostgresConnection, KeepsTheContractWhateverIsolationIsUsual) {
  server_->run("ALTER DATABASE postgres SET default_transaction_isolation = 'serializable'");
  contract::run_all(server_->address());
  server_->run("ALTER DATABASE postgres RESET default_transaction_isolation");
}

TEST_F(PostgresConnection, ARefusalTakesBackItsTransactionAndLeavesTheConnectionUsable) {
  const auto connection = connect(server_->address()).value();
  const std::vector<Change> changes{
      {"good", {}, "1", {}}, {"bad", {}, "\xff", {}}, {"after", {}, "1", {}}};
  const auto error = error_of(connection->compare_and_set(changes));
  EXPECT_EQ(error.kind, ErrorKind::failed);
  EXPECT_THAT(error.message, HasSubstr("invalid byte sequence"));
  EXPECT_EQ(connection->get("good")->presence, Presence::absent);
  EXPECT_EQ(connection->compare_and_set({"good", {}, "1", {}}).value(), Outcome::done);
}

TEST_F(PostgresConnection, TellsWhatThisMachineLacks) {
  contract::tells_what_this_machine_lacks(server_->address());
}

TEST_F(PostgresConnection, WhatIsMissingIsToldWhenConnecting) {
  EXPECT_EQ(error_of(connect(server_->address(), {.table = {.name = "no"}})).kind,
            ErrorKind::missing);
}

TEST_F(PostgresConnection, ATableWithoutUniqueKeysIsRefusedByTheFirstInsertion) {
  server_->run("CREATE TABLE without_unique (key text, value text, expires_at timestamptz)");
  const auto connection =
      connect(server_->address(), {.table = {.name = "without_unique"}}).value();
  const auto error = error_of(connection->compare_and_set({"k", {}, "1", {}}));
  EXPECT_THAT(error.message, HasSubstr("no unique or exclusion constraint"));
}

TEST_F(PostgresConnection, ARoleThatMayOnlyReadIsDenied) {
  server_->run("CREATE ROLE reader LOGIN PASSWORD 'p'");
  server_->run("GRANT SELECT ON ratelimit_kv TO reader");
  const auto connection =
      connect(base::parse_endpoint<Address>(server_->url_of("reader", "p")).value());
  ASSERT_TRUE(connection) << connection.error().message;
  EXPECT_EQ((*connection)->get("k")->presence, Presence::absent);
  EXPECT_EQ(error_of((*connection)->compare_and_set({"k", {}, "1", {}})).kind, ErrorKind::denied);
}

TEST_F(PostgresConnection, AServerKilledInTheMiddle) {
  contract::survives_a_kill(
      server_->address(), [] { server_->kill(); }, [] { server_->restart(); });
}

TEST_F(PostgresConnection, AServerThatFallsSilentMeetsTheDeadline) {
  contract::meets_the_deadline(
      server_->address(), [] { server_->pause(); }, [] { server_->resume(); });
}

}  // namespace
}  // namespace hallmark::stores
