#include "stores/redis_connection.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stores/tests/collect.hpp"
#include "stores/tests/connection_contract.hpp"
#include "stores/tests/support/redis_server.hpp"

namespace hallmark::stores {
namespace {

TEST(RedisConnection, KeepsTheContract) {
  const test::RedisServer server;
  contract::run_all(server.address());
}

TEST(RedisConnection, KeepsTheContractOverAUnixSocket) {
  const test::RedisServer server;
  contract::run_all(server.unix_address());
}

TEST(RedisConnection, AKeyOfAnotherTypeIsToldAndNeverOverwritten) {
  const test::RedisServer server;
  server.run({"HSET", "h", "f", "v"});
  const auto connection = connect(server.address()).value();
  EXPECT_EQ(connection->get("h")->presence, Presence::other_type);
  EXPECT_EQ(connection->compare_and_set({"h", {}, "new", {}}).value(), Outcome::conflict);
  EXPECT_EQ(connection->compare_and_delete({"h", "v"}).value(), Outcome::conflict);
  EXPECT_EQ(server.run({"TYPE", "h"}), "hash");
}

TEST(RedisConnection, ScriptsThatTheServerForgotAreLoadedAgain) {
  const test::RedisServer server;
  const auto connection = connect(server.address()).value();
  EXPECT_EQ(connection->compare_and_set({"k", {}, "1", {}}).value(), Outcome::done);
  server.run({"SCRIPT", "FLUSH"});
  EXPECT_EQ(connection->compare_and_set({"k", "1", "2", {}}).value(), Outcome::done);
  server.run({"SCRIPT", "FLUSH"});
  EXPECT_EQ(connection->compare_and_delete({"k", "2"}).value(), Outcome::done);
}

TEST(RedisConnection, ARefusalLeavesTheConnectionUsable) {
  const test::RedisServer server;
  const auto connection = connect(server.address()).value();
  server.run({"CONFIG", "SET", "min-replicas-to-write", "1"});
  EXPECT_EQ(error_of(connection->compare_and_set({"k", {}, "1", {}})).kind, ErrorKind::failed);
  server.run({"CONFIG", "SET", "min-replicas-to-write", "0"});
  EXPECT_EQ(connection->get("k")->presence, Presence::absent);
  EXPECT_EQ(connection->compare_and_set({"k", {}, "1", {}}).value(), Outcome::done);
}

TEST(RedisConnection, TellsWhatThisMachineLacks) {
  const test::RedisServer server;
  contract::tells_what_this_machine_lacks(server.address());
  contract::tells_what_this_machine_lacks(server.unix_address());
}

TEST(RedisConnection, AServerKilledInTheMiddle) {
  test::RedisServer server({.persistent = true});
  contract::survives_a_kill(
      server.address(), [&] { server.kill(); }, [&] { server.restart(); });
}

TEST(RedisConnection, AServerThatFallsSilentMeetsTheDeadline) {
  const test::RedisServer server;
  contract::meets_the_deadline(
      server.address(), [&] { server.pause(); }, [&] { server.resume(); });
}

}  // namespace
}  // namespace hallmark::stores
