#include "loadgen/reply_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "loadgen/tests/replies.hpp"

namespace hallmark::loadgen {
namespace {

using protocol::Width;

ReplyCheck check_of(const protocol::Dialect& dialect, Width width, std::string_view name) {
  const auto* operation = protocol::find_operation(dialect, name);
  return reply_checks(dialect,
                      width)[static_cast<std::size_t>(operation - dialect.operations.data())];
}

TEST(ReplyChecks, one_for_each_operation_and_push_of_every_dialect) {
  for (const auto* dialect : protocol::throttr_dialects) {
    for (const Width width : dialect->widths) {
      EXPECT_EQ(reply_checks(*dialect, width).size(), dialect->operations.size()) << dialect->name;
      EXPECT_EQ(push_checks(*dialect, width).size(), dialect->pushes.size()) << dialect->name;
    }
  }
}

TEST(ReplyChecks, none_for_a_dialect_that_is_not_listed) {
  const protocol::Dialect copy = protocol::throttr_7_1;
  EXPECT_TRUE(reply_checks(copy, Width::u16).empty());
  EXPECT_TRUE(push_checks(copy, Width::u16).empty());
}

TEST(ReplyChecks, replies_of_the_same_fields_share_one) {
  const auto insert = check_of(protocol::throttr_6_0, Width::u8, "insert");
  EXPECT_EQ(check_of(protocol::throttr_7_1, Width::u64, "update"), insert);
  EXPECT_EQ(check_of(protocol::throttr_7_3, Width::u16, "publish"), insert);
  EXPECT_EQ(check_of(protocol::throttr_7_3, Width::u16, "query"),
            check_of(protocol::throttr_6_0, Width::u16, "query"));
}

TEST(ReplyChecks, what_differs_is_not_shared) {
  const auto query = check_of(protocol::throttr_7_1, Width::u16, "query");
  EXPECT_NE(check_of(protocol::throttr_7_1, Width::u32, "query"), query);
  EXPECT_NE(check_of(protocol::throttr_7_1, Width::u16, "get"), query);
  EXPECT_NE(check_of(protocol::throttr_2_0, Width::u64, "query"),
            check_of(protocol::throttr_7_1, Width::u64, "query"));
  EXPECT_NE(check_of(protocol::throttr_6_0, Width::u16, "list"),
            check_of(protocol::throttr_7_1, Width::u16, "list"));
}

}  // namespace
}  // namespace hallmark::loadgen
