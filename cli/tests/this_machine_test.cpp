#include "cli/html/this_machine.hpp"

#include <gtest/gtest.h>

namespace hallmark::cli {
namespace {

TEST(QuotedForShell, leaves_plain_arguments) {
  EXPECT_EQ(quoted_for_shell("tcp://127.0.0.1:9000"), "tcp://127.0.0.1:9000");
}

TEST(QuotedForShell, quotes_what_a_shell_would_change) {
  EXPECT_EQ(quoted_for_shell(""), "''");
  EXPECT_EQ(quoted_for_shell("p99<5ms"), "'p99<5ms'");
  EXPECT_EQ(quoted_for_shell("it's"), R"('it'\''s')");
}

TEST(WithoutPassword, leaves_out_the_password_of_an_address) {
  EXPECT_EQ(without_password("postgres://app:secret@host/limits"), "postgres://app:…@host/limits");
  EXPECT_EQ(without_password("redis://:secret@127.0.0.1"), "redis://:…@127.0.0.1");
}

TEST(WithoutPassword, leaves_what_has_none) {
  for (const char* const argument :
       {"postgres://app@host/limits", "tcp://127.0.0.1:9000", "tcp://host:1/a:b@c", "a:b@c", ""})
    EXPECT_EQ(without_password(argument), argument);
}

TEST(ThisMachine, names_the_system_and_its_processors) {
  const auto facts = this_machine();
  ASSERT_EQ(facts.size(), 2U);
  EXPECT_EQ(facts[0]["name"].string(), "system");
  EXPECT_EQ(facts[1]["name"].string(), "processors");
}

}  // namespace
}  // namespace hallmark::cli
