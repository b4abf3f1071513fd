#include "base/number.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace hallmark::base {
namespace {

TEST(Number, IsAllOfTheText) {
  EXPECT_EQ(number_in<std::uint64_t>("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(number_in<std::int64_t>("-7"), -7);
  EXPECT_EQ(number_in<std::uint16_t>("65535"), 65535);
  EXPECT_EQ(number_in<double>("0.5"), 0.5);
  EXPECT_EQ(number_in<double>("5e-1"), 0.5);
}

TEST(Number, IsNothingElse) {
  for (const auto* const text :
       {"", " 1", "1 ", "+1", "-1", "1.", "0x1", "a", "18446744073709551616"})
    EXPECT_EQ(number_in<std::uint64_t>(text), std::nullopt) << text;
  EXPECT_EQ(number_in<std::uint16_t>("65536"), std::nullopt);
  EXPECT_EQ(number_in<double>("1e400"), std::nullopt);
}

TEST(Number, FixedNotationHasNoExponent) {
  EXPECT_EQ(number_in<double>("1.5", Notation::fixed), 1.5);
  EXPECT_EQ(number_in<double>("1e3", Notation::fixed), std::nullopt);
}

TEST(LeadingNumber, TellsItsLength) {
  const auto number = leading_number<std::uint32_t>("12 to 14");
  ASSERT_TRUE(number);
  EXPECT_EQ(number->number, 12U);
  EXPECT_EQ(number->length, 2U);
  EXPECT_FALSE(leading_number<std::uint32_t>("to 14"));
}

}  // namespace
}  // namespace hallmark::base
