#include <gtest/gtest.h>

#include "protocol/dialects/throttr_2_0.hpp"
#include "protocol/dialects/throttr_6_0.hpp"
#include "protocol/dialects/throttr_7_3.hpp"
#include "protocol/tests/fast_equality.hpp"

// The dialects besides 7.1, each at its narrowest and its widest value width.
namespace hallmark::protocol {
namespace {

using test::check_width;

TEST(FastCodec, EqualsTheGenericOneIn20) { check_width<tables::throttr_2_0, Width::u64>(); }
TEST(FastCodec, EqualsTheGenericOneIn60AtU8) { check_width<tables::throttr_6_0, Width::u8>(); }
TEST(FastCodec, EqualsTheGenericOneIn60AtU64) { check_width<tables::throttr_6_0, Width::u64>(); }
TEST(FastCodec, EqualsTheGenericOneIn73AtU8) { check_width<tables::throttr_7_3, Width::u8>(); }
TEST(FastCodec, EqualsTheGenericOneIn73AtU64) { check_width<tables::throttr_7_3, Width::u64>(); }

}  // namespace
}  // namespace hallmark::protocol
