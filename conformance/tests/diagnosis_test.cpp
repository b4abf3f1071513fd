#include "conformance/engine/diagnosis.hpp"

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
        Row{"nothing", "QUERY", "010800043b00", {{"quota", 1, 2, "7", "8"}}, ""},
        Row{"nothing_came", "QUERY", "", {}, ""}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace hallmark::conformance::testing
