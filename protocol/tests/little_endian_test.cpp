#include "protocol/little_endian.hpp"

#include <gtest/gtest.h>

#include "base/bytes.hpp"

namespace hallmark::protocol {
namespace {

TEST(LittleEndian, StoresAndLoadsEveryWidth) {
  for (const std::size_t width : {1U, 2U, 4U, 8U}) {
    const std::uint64_t value = 0x0123456789abcdef & max_of_width(width);
    base::Bytes bytes(width);
    store_little_endian(bytes.data(), value, width);
    EXPECT_EQ(bytes[0], 0xef);
    EXPECT_EQ(load_little_endian(bytes.data(), width), value) << width;
  }
}

TEST(MaxOfWidth, IsAllBitsSet) {
  EXPECT_EQ(max_of_width(1), 255U);
  EXPECT_EQ(max_of_width(2), 65535U);
  EXPECT_EQ(max_of_width(4), 4294967295U);
  EXPECT_EQ(max_of_width(8), 18446744073709551615U);
}

}  // namespace
}  // namespace hallmark::protocol
