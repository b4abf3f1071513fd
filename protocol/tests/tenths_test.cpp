#include "protocol/codec/tenths.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

namespace hallmark::protocol {
namespace {

/// The output of the C library, read back as tenths.
std::uint64_t printed(double value) {
  char text[512];
  std::snprintf(text, sizeof text, "%.1f", value);
  std::string digits = text;
  digits.erase(digits.find('.'), 1);
  return std::strtoull(digits.c_str(), nullptr, 10);
}

TEST(Tenths, AreWhatPrintfPrintsOfRandomRates) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 300'000; ++i) {
    const double value = std::uniform_real_distribution<double>(0, 10'000)(random);
    ASSERT_EQ(tenths_of(value), printed(value)) << value;
  }
}

TEST(Tenths, AreWhatPrintfPrintsOfDoublesOfAnySize) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 300'000; ++i) {
    // 2^-30 up to 2^60, any mantissa; 2^60 has fewer than 2^64 tenths.
    const std::uint64_t exponent = 1023 - 30 + random() % 90;
    const auto value = std::bit_cast<double>(exponent << 52 | (random() >> 12));
    ASSERT_EQ(tenths_of(value), printed(value)) << value;
  }
}

TEST(Tenths, AreWhatPrintfPrintsAtTiesAndNextToThem) {
  for (int i = 0; i < 100'000; ++i) {
    // The quarters x.25 and x.75 are exact ties; x.05 and the like are near one.
    for (const double value : {i * 0.25, i * 0.05, i / 20.0, i + 0.15}) {
      ASSERT_EQ(tenths_of(value), printed(value)) << value;
      ASSERT_EQ(tenths_of(std::nextafter(value, 1e9)), printed(std::nextafter(value, 1e9)));
      const double below = std::nextafter(value, 0.0);
      ASSERT_EQ(tenths_of(below), printed(below)) << value;
    }
  }
}

TEST(Tenths, TooManyForSixtyFourBitsAreTheMost) {
  constexpr std::uint64_t most = 0xffff'ffff'ffff'ffff;
  EXPECT_EQ(tenths_of(1844674407370955162.0), most);
  EXPECT_EQ(tenths_of(1e300), most);
  EXPECT_EQ(tenths_of(std::numeric_limits<double>::infinity()), most);
  const double below = std::nextafter(1844674407370955162.0, 0.0);
  EXPECT_EQ(tenths_of(below), printed(below));
  EXPECT_EQ(tenths_of(0), 0U);
}

}  // namespace
}  // namespace hallmark::protocol
