#include "exporters/identifier.hpp"

#include <gmock/gmock.h>

namespace hallmark::exporters {
namespace {

TEST(Identifier, OtherCharactersBecomeOneUnderscore) {
  EXPECT_EQ(identifier("throttr-7.1"), "throttr_7_1");
  EXPECT_EQ(identifier("bar before last_refill"), "bar_before_last_refill");
  EXPECT_EQ(identifier("IPv4"), "ipv4");
  EXPECT_EQ(identifier(" n_over="), "n_over");
}

TEST(Identifier, TheFirstIsALetter) { EXPECT_EQ(identifier("12|"), "n_12"); }

TEST(Quoted, QuotesAndBackslashesAreEscaped) { EXPECT_EQ(quoted("a\"b\\c"), "\"a\\\"b\\\\c\""); }

}  // namespace
}  // namespace hallmark::exporters
