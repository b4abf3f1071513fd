#include "conformance/judgement/diagnosis.hpp"

#include <gmock/gmock.h>

#include "base/hex.hpp"
#include "conformance/tests/fixture.hpp"

namespace hallmark::conformance::testing {
namespace {

using base::Bytes;

struct Row {
  std::string name;
  protocol::MessageName operation;
  std::string received;
  std::vector<vectors::Mismatch> mismatches;
  std::string cause;
};

class LikelyCause : public ::testing::TestWithParam<Row> {};

TEST_P(LikelyCause, Of) {
  const Bytes received = *base::from_hex(GetParam().received);
  const auto layout = format_u16().reply(format_u16().operation(GetParam().operation));
  EXPECT_EQ(likely_cause(format_u16(), {layout, received, GetParam().mismatches}),
            GetParam().cause);
}

const std::string id = "000102030405060708090a0b0c0d0e0f";

INSTANTIATE_TEST_SUITE_P(
    Rows, LikelyCause,
    ::testing::Values(
        Row{"width_u8", "QUERY", "0107043b", {}, "wrong width: the bytes fit u8"},
        Row{"width_u32", "QUERY", "0107000000043b000000", {}, "wrong width: the bytes fit u32"},
        Row{"no_status", "WHOAMI", id, {}, "missing status byte (status-prefix=no)"},
        Row{"index", "WHOAMI", "0105000000", {}, "the layout of the reading whoami=index"},
        Row{"big_endian",
            "QUERY",
            "010007043b00",
            {{"quota", 1, 2, "7", "1792"}},
            "byte order: quota is big-endian"},
        Row{"unit",
            "QUERY",
            "010700045fea",
            {{"ttl", 4, 2, "59 to 60, what is left of 60", "59999"}},
            "wrong unit: ttl is off by a factor of 1000"},
        Row{"no_unit_where_many_numbers_would_do",
            "QUERY",
            "010700041a0c",
            {{"ttl", 4, 2, "0 to 200, what is left of 200", "3098"}},
            ""},
        Row{"no_cause_that_leaves_a_field_unexplained",
            "QUERY",
            "010007043b00",
            {{"quota", 1, 2, "7", "1792"}, {"ttl", 4, 2, "30", "59"}},
            ""},
        Row{"nothing", "QUERY", "010800043b00", {{"quota", 1, 2, "7", "8"}}, ""},
        Row{"nothing_came", "QUERY", "", {}, ""}),
    [](const auto& row) { return row.param.name; });

TEST(RefutedCause, IsTheWidthOfAWholeMessageThatFitsNoOther) {
  const Bytes right = *base::from_hex("010700043b00");
  const auto layout = format_u16().reply(format_u16().operation("QUERY"));
  EXPECT_THAT(
      refuted_causes(format_u16(), layout, right),
      ::testing::IsSupersetOf({"wrong width: the bytes fit u8", "wrong width: the bytes fit u32"}));
}

TEST(RefutedCause, IsNoWidthWhereTheMessageHasNoNumber) {
  const Bytes not_found = *base::from_hex("00");
  const auto layout = format_u16().reply(format_u16().operation("QUERY"));
  EXPECT_THAT(refuted_causes(format_u16(), layout, not_found),
              ::testing::Not(::testing::Contains("wrong width: the bytes fit u8")));
}

}  // namespace
}  // namespace hallmark::conformance::testing
