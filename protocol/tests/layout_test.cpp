#include "protocol/codec/layout.hpp"

#include <gtest/gtest.h>

#include "protocol/tests/throttr_7_1.hpp"

namespace hallmark::protocol {
namespace {

const Readings pairs(throttr_2_0, Profile::deployed);

const Operation& operation(const Dialect& dialect, MessageName name) {
  return *find_operation(dialect, name);
}

Layout reply_in(const Readings& readings, MessageName name) {
  return Layout::reply(operation(readings.dialect(), name), Width::u64, readings);
}

Layout request_in(const Readings& readings, MessageName name) {
  return Layout::request(operation(readings.dialect(), name), Width::u64, readings);
}

TEST(Layout, OfAReadingWithoutStatusHasNone) {
  EXPECT_NE(reply_in(as_released, "LIST").status(), nullptr);
  EXPECT_EQ(reply_in(as_written, "LIST").status(), nullptr);
  EXPECT_EQ(request_in(as_released, "LIST").status(), nullptr);
}

TEST(Layout, SaysWhereTheStatusStands) {
  const Layout now = reply_in(as_released, "QUERY");
  EXPECT_EQ(now.offset_of(*now.status()), 0U);
  const Layout then = reply_in(pairs, "QUERY");
  EXPECT_EQ(then.offset_of(*then.status()), 4U) << "behind the request id";
}

TEST(Layout, AddsUpWhatIsThereAndOfFixedLength) {
  const Layout set = request_in(as_released, "SET");
  EXPECT_EQ(set.fixed_size(set.message().fields), 19U) << "opcode, type, TTL and two sizes";
  const Layout list = reply_in(as_written, "LIST");
  EXPECT_EQ(list.fixed_size(list.message().fields), 0U);
}

TEST(Layout, StartsWithWhatTheReadingsLeave) {
  EXPECT_TRUE(reply_in(as_released, "LIST").first()->is<kinds::Status>());
  EXPECT_EQ(reply_in(as_written, "LIST").first()->name, FieldName("number_of_fragments"));
  EXPECT_FALSE(reply_in(as_released, "LIST").starts_with_opcode());
  EXPECT_TRUE(request_in(as_released, "LIST").starts_with_opcode());
  EXPECT_TRUE(Layout::push(throttr_7_1.pushes[0], Width::u8, as_released).starts_with_opcode());
}

TEST(Layout, CanStartWithItsOpcodeAStatusOrAnyNumber) {
  EXPECT_TRUE(request_in(as_released, "LIST").can_start_with(7));
  EXPECT_FALSE(request_in(as_released, "LIST").can_start_with(8));
  EXPECT_TRUE(reply_in(as_released, "LIST").can_start_with(1));
  EXPECT_FALSE(reply_in(as_released, "LIST").can_start_with(3));
  EXPECT_TRUE(reply_in(as_written, "LIST").can_start_with(3)) << "begins with a count";
}

TEST(Layout, IsKnownByTheFirstByteOfRequestsAndPushes) {
  const base::Bytes bytes{0x03, 0x00};
  EXPECT_EQ(operation_of(throttr_7_1, bytes)->name, MessageName("UPDATE"));
  EXPECT_EQ(push_of(throttr_7_1, bytes)->name, MessageName("DELIVERY"));
  EXPECT_EQ(operation_of(throttr_7_1, base::Bytes{0xff}), nullptr);
  EXPECT_EQ(push_of(throttr_7_3, bytes), nullptr);
  EXPECT_EQ(operation_of(throttr_7_1, {}), nullptr);
  EXPECT_EQ(push_of(throttr_7_1, {}), nullptr);
}

TEST(Layout, RepliesOfAStatusFollowEachOther) {
  EXPECT_EQ(status_replies({true, false, true}), (base::Bytes{0x01, 0x00, 0x01}));
}

}  // namespace
}  // namespace hallmark::protocol
