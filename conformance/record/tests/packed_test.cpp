#include "conformance/record/packed.hpp"

#include <gtest/gtest.h>

#include <random>

namespace hallmark::conformance {
namespace {

using base::Bytes;

Bytes cycled(std::size_t size, std::size_t period, std::uint8_t first = 0) {
  Bytes bytes;
  for (std::size_t i = 0; i < size; ++i)
    bytes.push_back(static_cast<std::uint8_t>(first + i % period));
  return bytes;
}

Bytes joined(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(Packed, HoldsWhatRepeatsOnce) {
  const Bytes message = joined({5, 6, 1, 0}, joined(cycled(65535, 256), {0x17}));
  const Packed packed(message);
  EXPECT_EQ(packed.size(), message.size());
  EXPECT_LT(packed.held().size(), 600U);
  EXPECT_EQ(packed.unpacked(), message);
}

TEST(Packed, HoldsWhatIsShortAsItIs) {
  const Packed packed(Bytes(200, 7));
  EXPECT_TRUE(packed.repeats().empty());
  EXPECT_EQ(packed.unpacked(), Bytes(200, 7));
  EXPECT_TRUE(Packed().empty());
  EXPECT_EQ(Packed().size(), 0U);
}

TEST(Packed, TellsOneByteMoreLessOrOther) {
  const Bytes bytes = cycled(10'000, 26, 'a');
  const Packed packed(bytes);
  EXPECT_TRUE(packed.is(bytes));
  EXPECT_FALSE(packed.is(cycled(9'999, 26, 'a')));
  EXPECT_FALSE(packed.is(cycled(10'001, 26, 'a')));
  Bytes other = bytes;
  other[7'777] ^= 1;
  EXPECT_FALSE(packed.is(other));
}

/// Pieces that repeat and pieces that do not, in any order.
TEST(Packed, GivesBackWhateverItWasMadeOf) {
  std::mt19937 random(11);
  for (int i = 0; i < 2'000; ++i) {
    Bytes bytes;
    for (std::size_t pieces = random() % 6; pieces > 0; --pieces) {
      const std::size_t size = random() % 2'000;
      if (random() % 2 == 0) {
        bytes = joined(std::move(bytes), cycled(size, 1 + random() % 300));
      } else {
        for (std::size_t k = 0; k < size; ++k)
          bytes.push_back(static_cast<std::uint8_t>(random() % (1 + random() % 4)));
      }
    }
    const Packed packed(bytes);
    ASSERT_EQ(packed.unpacked(), bytes) << i;
    ASSERT_EQ(packed.size(), bytes.size()) << i;
    ASSERT_TRUE(packed.is(bytes)) << i;
    if (bytes.empty()) continue;
    bytes[random() % bytes.size()] ^= 0x80;
    ASSERT_FALSE(packed.is(bytes)) << i;
  }
}

}  // namespace
}  // namespace hallmark::conformance
