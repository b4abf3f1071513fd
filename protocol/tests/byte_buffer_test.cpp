#include "protocol/codec/byte_buffer.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <random>

namespace hallmark::protocol {
namespace {

TEST(ByteBuffer, AppendsAndConsumesLikeAQueue) {
  ByteBuffer buffer;
  std::deque<std::uint8_t> queue;
  std::mt19937 random(7);
  for (int round = 0; round < 5000; ++round) {
    base::Bytes chunk(random() % 40);
    for (auto& byte : chunk) byte = static_cast<std::uint8_t>(random());
    buffer.append(chunk);
    queue.insert(queue.end(), chunk.begin(), chunk.end());
    const std::size_t n = random() % (queue.size() + 1);
    buffer.consume(n);
    queue.erase(queue.begin(), queue.begin() + static_cast<std::ptrdiff_t>(n));
    ASSERT_TRUE(std::ranges::equal(buffer.view(), queue)) << "round " << round;
  }
}

TEST(ByteBuffer, DoesNotGrowWhileItIsDrained) {
  ByteBuffer buffer;
  for (int i = 0; i < 10000; ++i) {
    buffer.append(base::as_bytes("0123456789"));
    buffer.consume(10);
  }
  EXPECT_LE(buffer.capacity(), 256U);
}

TEST(ByteBuffer, ReleasesOnlyWhenEmptyAndLarge) {
  ByteBuffer buffer;
  buffer.grow(1000);
  buffer.release(100);
  EXPECT_EQ(buffer.size(), 1000U);
  buffer.consume(1000);
  buffer.release(4096);
  EXPECT_NE(buffer.capacity(), 0U);
  buffer.release(100);
  EXPECT_EQ(buffer.capacity(), 0U);
}

TEST(ByteBuffer, MovesItsMemory) {
  ByteBuffer first;
  first.append(base::as_bytes("abc"));
  ByteBuffer second = std::move(first);
  EXPECT_EQ(base::as_text(second.view()), "abc");
}

}  // namespace
}  // namespace hallmark::protocol
