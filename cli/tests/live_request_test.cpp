#include "cli/live/live_request.hpp"

#include <gtest/gtest.h>

namespace hallmark::cli {
namespace {

struct OriginRow {
  const char* name;
  RequestOrigin request;
  bool own;
};

class LiveRequestFrom : public testing::TestWithParam<OriginRow> {};

TEST_P(LiveRequestFrom, IsToldFromOthers) {
  EXPECT_EQ(is_own_request(GetParam().request, "bench.example"), GetParam().own);
}

INSTANTIATE_TEST_SUITE_P(
    Pages, LiveRequestFrom,
    testing::Values(
        OriginRow{"AnAddress", {"127.0.0.1:9001", "", "", ""}, true},
        OriginRow{"AnAddressOfVersion6", {"[::1]:9001", "", "", ""}, true},
        OriginRow{"ThisMachine", {"localhost:9001", "", "none", "navigate"}, true},
        OriginRow{"TheNameThatWasAskedFor", {"BENCH.example:9001", "", "", ""}, true},
        OriginRow{
            "ItsOwnPage", {"localhost:9001", "http://localhost:9001", "same-origin", "cors"}, true},
        OriginRow{"ALinkElsewhere", {"localhost:9001", "", "cross-site", "navigate"}, true},
        OriginRow{"NoHost", {"", "", "", ""}, false},
        OriginRow{"ANameOfOthers", {"evil.example:9001", "", "", ""}, false},
        OriginRow{"ANameLikeAnAddress", {"127.0.0.1.evil.example", "", "", ""}, false},
        OriginRow{"AnotherPort", {"localhost:9001", "http://localhost:9002", "", ""}, false},
        OriginRow{"AnotherOrigin", {"localhost:9001", "https://evil.example", "", ""}, false},
        OriginRow{"AnOpaqueOrigin", {"localhost:9001", "null", "", ""}, false},
        OriginRow{"AnotherSite", {"localhost:9001", "", "cross-site", "no-cors"}, false}),
    [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace hallmark::cli
