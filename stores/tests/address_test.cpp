#include "stores/address.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stores/tests/collect.hpp"

namespace hallmark::stores {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct RedisRow {
  const char* text;
  RedisAddress address;
  const char* shown;
};

TEST(Address, OfRedis) {
  const RedisRow rows[] = {
      {"redis://localhost", {.host = "localhost"}, "redis://localhost:6379"},
      {"redis://h:1/", {.host = "h", .port = 1}, "redis://h:1"},
      {"redis://h/7", {.host = "h", .database = 7}, "redis://h:6379/7"},
      {"redis://[::1]:7000/1",
       {.host = "::1", .port = 7000, .database = 1},
       "redis://[::1]:7000/1"},
      {"redis://u:p%40ss@h",
       {.host = "h", .user = "u", .password = "p@ss"},
       "redis://u:***@h:6379"},
      {"redis://:secret@h", {.host = "h", .password = "secret"}, "redis://:***@h:6379"},
      {"redis+unix:///run/r.sock", {.socket = "/run/r.sock"}, "redis+unix:///run/r.sock"},
      {"redis+unix:///a%20b?db=3", {.socket = "/a b", .database = 3}, "redis+unix:///a b?db=3"},
      {"redis+unix://:s@/r", {.socket = "/r", .password = "s"}, "redis+unix://:***@/r"},
  };
  for (const auto& row : rows) {
    const auto parsed = parse_address(row.text);
    ASSERT_TRUE(parsed) << row.text << ": " << parsed.error().message;
    EXPECT_EQ(*parsed, Address(row.address)) << row.text;
    EXPECT_EQ(to_string(*parsed), row.shown) << row.text;
  }
}

TEST(Address, OfPostgresIsLeftToItsLibraryAndShownWithoutPassword) {
  const std::string url = "postgres://me:secret@host:5432/db?sslmode=disable&password=other&a=b";
  EXPECT_EQ(parse_address(url).value(), Address(PostgresAddress{url}));
  EXPECT_EQ(to_string(PostgresAddress{url}),
            "postgres://me:***@host:5432/db?sslmode=disable&password=***&a=b");
  EXPECT_TRUE(std::holds_alternative<PostgresAddress>(*parse_address("postgresql://h/d")));
}

TEST(Address, OfAFile) {
  EXPECT_EQ(*parse_address("states.txt"), Address(FileAddress{"states.txt"}));
  EXPECT_EQ(*parse_address("file:redis://x"), Address(FileAddress{"redis://x"}));
  EXPECT_EQ(to_string(FileAddress{"a/b"}), "a/b");
}

TEST(Address, BadOnesAreExplained) {
  const std::pair<const char*, const char*> rows[] = {
      {"", "expected redis://host"},
      {"file:", "expected redis://host"},
      {"mysql://h", "'mysql://h': not a store"},
      {"redis://", "no host"},
      {"redis://h:0", "the port is not 1 to 65535"},
      {"redis://h:65536", "the port is not 1 to 65535"},
      {"redis://h:x", "the port is not 1 to 65535"},
      {"redis://[::1", "without its ]"},
      {"redis://h/x", "the database is not a number"},
      {"redis://a%zz@h", "a % without two"},
      {"redis+unix://r", "no absolute path"},
      {"redis+unix:///r?index=1", "db=N"},
  };
  for (const auto& [text, message] : rows) {
    const auto error = error_of(parse_address(text));
    EXPECT_EQ(error.kind, ErrorKind::usage) << text;
    EXPECT_THAT(error.message, HasSubstr(message)) << text;
  }
}

TEST(Address, NoErrorTellsAPassword) {
  EXPECT_THAT(error_of(parse_address("redis://me:secret@h:x")).message,
              AllOf(HasSubstr("me:***@h:x"), Not(HasSubstr("secret"))));
}

}  // namespace
}  // namespace hallmark::stores
