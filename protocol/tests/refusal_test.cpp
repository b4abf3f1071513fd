#include "protocol/codec/refusal.hpp"

#include <gmock/gmock.h>

#include "protocol/tests/throttr_7_1.hpp"

namespace hallmark::protocol {
namespace {

struct RefusedReply {
  const char* name;
  const char* hex;
  const char* field;
  std::size_t offset;
  const char* reason;
};

class RefusalOfQuery : public testing::TestWithParam<RefusedReply> {};

TEST_P(RefusalOfQuery, NamesTheField) {
  const auto why = refusal(reply("QUERY"), *base::from_hex(GetParam().hex));
  ASSERT_TRUE(why.has_value());
  EXPECT_EQ(why->field, GetParam().field);
  EXPECT_EQ(why->offset, GetParam().offset);
  EXPECT_EQ(why->reason, GetParam().reason);
}

INSTANTIATE_TEST_SUITE_P(
    Replies, RefusalOfQuery,
    testing::Values(
        RefusedReply{"nothing", "", "status", 0, "ends after 0 of at least 1 bytes"},
        RefusedReply{"before_a_field", "01", "quota", 1, "ends after 1 of at least 3 bytes"},
        RefusedReply{"inside_a_field", "01070004ff", "ttl", 4, "ends after 5 of at least 6 bytes"},
        RefusedReply{"unlisted", "010700ff0100", "ttl_type", 3, "ff is not listed"},
        RefusedReply{"left_over", "01070004010000", "", 6, "1 byte is left over"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(Refusal, IsNothingForAMessage) {
  EXPECT_FALSE(refusal(reply("QUERY"), *base::from_hex("010700040100")).has_value());
}

TEST(Refusal, NamesTheFieldThatASizePromises) {
  const auto why = refusal(reply("GET"), *base::from_hex("0104010003006162"));
  ASSERT_TRUE(why.has_value());
  EXPECT_EQ(why->field, "value");
}

TEST(Refusal, OfADatagramNamesTheFieldThatIsWrong) {
  const Readings readings(ratelimit_udp, Profile::deployed);
  const Layout layout =
      Layout::reply(*find_operation(ratelimit_udp, "get_size"), Width::none, readings);
  EXPECT_EQ(refusal(layout, base::as_bytes("size=0 keys=01"))->field, "keys");
  EXPECT_EQ(refusal(layout, base::as_bytes("size=0"))->field, " keys=");
  EXPECT_FALSE(refusal(layout, base::as_bytes("7 size=0 keys=1")).has_value());
}

}  // namespace
}  // namespace hallmark::protocol
