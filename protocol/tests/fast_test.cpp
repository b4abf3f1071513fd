#include "protocol/codec/fast.hpp"

#include <gtest/gtest.h>

#include "base/hex.hpp"
#include "protocol/dialects/throttr_7_1.hpp"
#include "protocol/tests/fast_equality.hpp"

namespace hallmark::protocol {
namespace {

TEST(FastCodec, EqualsTheGenericOneAtU8) { test::check_width<tables::throttr_7_1, Width::u8>(); }
TEST(FastCodec, EqualsTheGenericOneAtU16) { test::check_width<tables::throttr_7_1, Width::u16>(); }
TEST(FastCodec, EqualsTheGenericOneAtU32) { test::check_width<tables::throttr_7_1, Width::u32>(); }
TEST(FastCodec, EqualsTheGenericOneAtU64) { test::check_width<tables::throttr_7_1, Width::u64>(); }

TEST(FastCodec, EncodesNamedValues) {
  using Insert = fast::Request<tables::throttr_7_1,
                               fast::operation_index(tables::throttr_7_1, "INSERT"), Width::u16>;
  const Readings readings(tables::throttr_7_1, Profile::deployed);
  ByteBuffer out;
  fast::encode<Insert>(
      out, readings,
      values("key"_f = base::as_bytes("abc"), "ttl"_f = 30U, "quota"_f = 2U, "ttl_type"_f = 4U));
  EXPECT_EQ(base::to_hex(out.view()), "010200041e0003616263");
}

TEST(FastCodec, KnowsWhichRepliesAreSent) {
  using Publish = fast::Reply<tables::throttr_7_1,
                              fast::operation_index(tables::throttr_7_1, "PUBLISH"), Width::u16>;
  EXPECT_FALSE(Publish::sent(Readings(tables::throttr_7_1, Profile::deployed)));
  EXPECT_TRUE(Publish::sent(Readings(tables::throttr_7_1, Profile::literal)));
}

}  // namespace
}  // namespace hallmark::protocol
