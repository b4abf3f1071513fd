#include "stores/redis_scanner.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "stores/tests/collect.hpp"
#include "stores/tests/support/redis_server.hpp"

namespace hallmark::stores {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

TEST(RedisScanner, EveryKeyOverTcpAndUnixInBatchesOfAnySize) {
  const test::RedisServer server;
  server.fill("k:", 5000, "12|8.5|1761884055342794596");
  for (const auto& address : {server.address(), server.unix_address()}) {
    for (const std::size_t batch : {1UL, 10UL, 1000UL, 100'000UL}) {
      const auto texts = texts_of(collect(address, {.batch = batch}));
      EXPECT_EQ(texts.size(), 5000U) << batch;
      EXPECT_EQ(texts.at("k:4999"), "12|8.5|1761884055342794596");
    }
  }
}

TEST(RedisScanner, AnEmptyStoreHasNothing) {
  const test::RedisServer server;
  EXPECT_TRUE(collect(server.address()).empty());
}

TEST(RedisScanner, KeysThatMatchOfTheDatabaseThatIsNamed) {
  const test::RedisServer server;
  server.fill("other:", 3000, "x");
  server.run({"SET", "mine:1", "a"});
  EXPECT_THAT(texts_of(collect(server.address(), {.match = "mine:*"})),
              ElementsAre(Pair("mine:1", "a")));
  EXPECT_TRUE(collect(base::parse_endpoint<Address>(server.url() + "/3").value()).empty());
}

TEST(RedisScanner, BytesOfAnyKind) {
  const test::RedisServer server;
  const std::string_view odd("k\0\xff\r\n", 5);
  server.run({"SET", odd, odd});
  server.run({"SET", "empty", ""});
  EXPECT_THAT(texts_of(collect(server.address())), ElementsAre(Pair("empty", ""), Pair(odd, odd)));
}

TEST(RedisScanner, KeysOfOtherTypesAreReported) {
  const test::RedisServer server;
  server.run({"HSET", "h", "f", "v"});
  server.run({"SADD", "s", "m"});
  server.run({"SET", "t", "v"});
  std::map<std::string, std::string> others;
  const auto entries = collect(server.address());
  for (const auto& entry : entries) {
    if (entry.kind == EntryKind::other_type) others[entry.key] = entry.value;
  }
  EXPECT_THAT(others, ElementsAre(Pair("h", "hash"), Pair("s", "set")));
  EXPECT_EQ(entries.size(), 3U);
}

TEST(RedisScanner, ExpiryOnlyWhenAskedFor) {
  const test::RedisServer server;
  server.run({"SET", "k", "v", "PX", "100000"});
  EXPECT_EQ(collect(server.address())[0].expires_in, std::nullopt);
  const auto expiry = collect(server.address(), {.expiry = true})[0].expires_in;
  ASSERT_TRUE(expiry);
  EXPECT_GT(expiry->count(), 0);
  EXPECT_LE(expiry->count(), 100'000);
  server.run({"PERSIST", "k"});
  EXPECT_EQ(collect(server.address(), {.expiry = true})[0].expires_in, std::nullopt);
}

TEST(RedisScanner, ProgressCountsKeys) {
  const test::RedisServer server;
  server.fill("k", 100, "v");
  const auto scanner = open_scanner(server.address(), {});
  EXPECT_EQ((*scanner)->progress().total, 100U);
  while (!(*scanner)->next().value().empty()) {
  }
  EXPECT_GE((*scanner)->progress().done, 100U);
}

TEST(RedisScanner, KeysThatGoMeanwhileAreNoError) {
  const test::RedisServer server;
  server.fill("k", 10'000, "v");
  const auto scanner = open_scanner(server.address(), {.batch = 100});
  ASSERT_FALSE((*scanner)->next().value().empty());
  server.run({"FLUSHALL"});
  std::size_t after = 0;
  while (true) {
    const auto batch = (*scanner)->next();
    ASSERT_TRUE(batch) << batch.error().message;
    if (batch->empty()) break;
    after += batch->size();
  }
  EXPECT_LT(after, 1000U);
}

TEST(RedisScanner, AServerKilledInTheMiddleIsALostConnection) {
  test::RedisServer server;
  server.fill("k", 100'000, "v");
  const auto scanner = open_scanner(server.address(), {.batch = 100});
  ASSERT_TRUE((*scanner)->next());
  server.kill();
  // A batch that was on its way may still come.
  auto batch = (*scanner)->next();
  for (int i = 0; i < 10 && batch; ++i) batch = (*scanner)->next();
  EXPECT_TRUE(error_of(batch).retryable()) << error_of(batch).message;
  EXPECT_THAT(error_of(batch).message, HasSubstr("lost the connection to redis://127.0.0.1"));
  EXPECT_EQ(error_of(open_scanner(server.address(), {})).kind, ErrorKind::unreachable);
  server.restart();
  EXPECT_TRUE(collect(server.address()).empty());
}

TEST(RedisScanner, AServerThatFallsSilentMeetsTheDeadline) {
  const test::RedisServer server;
  server.fill("k", 10'000, "v");
  const auto scanner =
      open_scanner(server.address(), {.batch = 10}, {.timeout = std::chrono::seconds(2)});
  ASSERT_TRUE((*scanner)->next());
  server.pause();
  auto batch = (*scanner)->next();
  for (int i = 0; i < 10 && batch; ++i) batch = (*scanner)->next();
  server.resume();
  EXPECT_TRUE(error_of(batch).retryable());
  EXPECT_THAT(error_of(batch).message, HasSubstr("no answer in time"));
}

TEST(RedisScanner, AUserWhoMayOnlyReadNeedsNoMore) {
  const test::RedisServer server;
  server.run({"SET", "a", "1"});
  server.run({"ACL", "SETUSER", "reader", "on", ">pw", "~*", "+@read"});
  const auto url = fmt::format("redis://reader:pw@127.0.0.1:{}", server.port());
  EXPECT_EQ(collect(base::parse_endpoint<Address>(url).value()).size(), 1U);
  const auto refused =
      error_of(open_scanner(base::parse_endpoint<Address>(url + "/1").value(), {}));
  EXPECT_EQ(refused.kind, ErrorKind::denied);
  EXPECT_THAT(refused.message, HasSubstr("select"));
}

TEST(RedisScanner, WhyThereIsNoConnection) {
  const test::RedisServer server({.password = "secret"});
  const auto open = [](const std::string& url) {
    return error_of(open_scanner(base::parse_endpoint<Address>(url).value(), {}));
  };
  const auto port = std::to_string(server.port());
  EXPECT_EQ(open("redis://127.0.0.1:" + port).kind, ErrorKind::denied);
  EXPECT_THAT(open("redis://127.0.0.1:" + port).message, HasSubstr("Authentication required"));
  EXPECT_EQ(open("redis://:wrong@127.0.0.1:" + port).kind, ErrorKind::denied);
  EXPECT_EQ(open(server.url() + "/99").kind, ErrorKind::missing);
  EXPECT_TRUE(open_scanner(server.address(), {}));
  const auto refused = open(fmt::format("redis://127.0.0.1:{}", test::free_port()));
  EXPECT_EQ(refused.kind, ErrorKind::unreachable);
  EXPECT_THAT(refused.message, HasSubstr("Connection refused"));
  EXPECT_THAT(open("redis+unix:///no/such").message, HasSubstr("No such file"));
}

}  // namespace
}  // namespace hallmark::stores
