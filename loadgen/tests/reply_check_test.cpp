#include "loadgen/drivers/stream/reply_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "loadgen/tests/replies.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::loadgen {
namespace {

using protocol::Width;

ReplyChecks checks_of(const protocol::Dialect& dialect, Width width, std::string_view name) {
  const auto* operation = protocol::find_operation_called(dialect, name);
  return reply_checks(dialect,
                      width)[static_cast<std::size_t>(operation - dialect.operations.data())];
}

ReplyCheck check_of(const protocol::Dialect& dialect, Width width, std::string_view name) {
  return checks_of(dialect, width, name).one;
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

/// Takes them from a piece of memory of just their size, as those to `asked`.
ReplyRow row_of(const std::vector<base::Bytes>& replies, bool must_succeed,
                const std::vector<Pending>& asked, const Workload& workload) {
  const auto check = checks_of(workload.readings.dialect(), workload.width, "query").row;
  base::Bytes bytes;
  for (const auto& reply : replies) bytes.insert(bytes.end(), reply.begin(), reply.end());
  return check(base::Bytes(bytes), workload.readings, {.must_succeed = must_succeed},
               AskedRow{asked});
}

void expect(const ReplyRow& row, std::size_t replies, std::size_t bytes) {
  EXPECT_EQ(row.replies, replies);
  EXPECT_EQ(row.bytes, bytes);
}

TEST(RowChecks, take_what_is_complete_and_as_expected_and_no_more_than_asked) {
  const auto workload = workload_of("query=1");
  const auto good = reply_to("query", workload);
  const auto failed = reply_to("query", workload, false);
  const auto malformed = reply_to("query", workload, true, {{"ttl_type", 99U}});
  const base::Bytes cut(good.begin(), good.end() - 1);
  const auto row = [&](const std::vector<base::Bytes>& replies, bool must_succeed,
                       std::size_t asked) {
    return row_of(replies, must_succeed, std::vector<Pending>(asked), workload);
  };
  const std::size_t size = good.size();
  expect(row({good, good, good}, true, 10), 3, 3 * size);
  expect(row({good, good, good}, true, 2), 2, 2 * size);
  expect(row({good, good, cut}, true, 10), 2, 2 * size);
  expect(row({good, failed, good}, true, 10), 1, size);
  expect(row({good, failed, good}, false, 10), 3, 2 * size + failed.size());
  expect(row({malformed, good}, true, 10), 0, 0);
  expect(row({good}, true, 0), 0, 0);
  expect(row({}, true, 10), 0, 0);
}

/// A reply like the one before it is compared by words: of whatever size, no byte may be missed.
TEST(RowChecks, see_every_byte_that_differs_from_the_reply_before) {
  for (const auto& [width, dialect] : {std::pair{Width::u8, &protocol::throttr_7_1},
                                       {Width::u16, &protocol::throttr_7_1},
                                       {Width::u32, &protocol::throttr_7_1},
                                       {Width::u64, &protocol::throttr_7_1},
                                       {Width::u64, &protocol::throttr_2_0}}) {
    const auto workload = workload_of("query=1", width, *dialect);
    const auto good = reply_to("query", workload, true, {{"request_id", 0U}});
    const auto check = checks_of(*dialect, width, "query");
    for (std::size_t at = 0; at < good.size(); ++at) {
      auto other = good;
      other[at] ^= 0x81;
      base::Bytes bytes = good;
      bytes.insert(bytes.end(), other.begin(), other.end());
      const auto alone = check.one(other, workload.readings, {.must_succeed = true});
      const bool taken = alone.outcome.complete() && alone.success && alone.request_id == 0;
      const std::vector<Pending> each(2);
      for (const AskedRow& asked : {AskedRow{each}, AskedRow{PendingRow{{}, 0, 2}}}) {
        const auto row = check.row(bytes, workload.readings, {.must_succeed = true}, asked);
        EXPECT_EQ(row.replies, taken ? 2U : 1U) << dialect->name << " at " << at;
      }
    }
  }
}

TEST(RowChecks, end_at_a_request_of_which_more_is_to_be_said) {
  const auto workload = workload_of("query=1");
  const auto good = reply_to("query", workload);
  for (const Pending& other : {Pending{.part = 1}, Pending{.counted = false},
                               Pending{.expired = true}, Pending{.watched = true}}) {
    expect(row_of({good, good, good}, true, {Pending{}, other, Pending{}}, workload), 1,
           good.size());
  }
}

TEST(RowChecks, hold_ids_to_those_of_the_requests) {
  const auto workload = workload_of("query=1", Width::u64, protocol::throttr_2_0);
  const auto reply = [&](std::uint64_t id) {
    return reply_to("query", workload, true, {{"request_id", id}});
  };
  const std::vector<Pending> asked = {
      {.request_id = 5}, {.request_id = 8}, {.request_id = 0xffff'ffffU}};
  const std::size_t size = reply(0).size();
  expect(row_of({reply(5), reply(8), reply(0xffff'ffffU)}, true, asked, workload), 3, 3 * size);
  expect(row_of({reply(5), reply(0xffff'ffffU), reply(8)}, true, asked, workload), 1, size);
  expect(row_of({reply(6)}, true, asked, workload), 0, 0);
}

TEST(RowChecks, hold_ids_to_those_of_a_row) {
  const auto workload = workload_of("query=1", Width::u64, protocol::throttr_2_0);
  const auto check = checks_of(protocol::throttr_2_0, Width::u64, "query").row;
  constexpr std::uint32_t first = 0xffff'ffffU;
  constexpr std::uint32_t stride = 3;
  constexpr std::size_t count = 20;
  for (std::size_t wrong = 0; wrong <= count; ++wrong) {
    base::Bytes bytes;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t id = first + i * stride + (i == wrong ? 1 : 0);
      const auto reply = reply_to("query", workload, true, {{"request_id", std::uint64_t{id}}});
      bytes.insert(bytes.end(), reply.begin(), reply.end());
    }
    const AskedRow asked{PendingRow{{.request_id = first}, stride, count}};
    const auto row = check(bytes, workload.readings, {.must_succeed = true}, asked);
    EXPECT_EQ(row.replies, wrong);
  }
}

}  // namespace
}  // namespace hallmark::loadgen
