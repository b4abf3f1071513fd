#include "base/byte_stream.hpp"

#include <gtest/gtest.h>

namespace hallmark::base {
namespace {

TEST(ByteStream, ReadsWhatWasWritten) {
  ByteWriter out;
  for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{127}, std::uint64_t{128},
                                    std::uint64_t{1} << 63, UINT64_MAX})
    out.number(value);
  out.signed_number(INT64_MIN);
  out.text("rank");
  out.text("");
  const Bytes bytes = std::move(out).take();
  ByteReader in(bytes);
  EXPECT_EQ(in.number(), 0U);
  EXPECT_EQ(in.number(), 127U);
  EXPECT_EQ(in.number(), 128U);
  EXPECT_EQ(in.number(), std::uint64_t{1} << 63);
  EXPECT_EQ(in.number(), UINT64_MAX);
  EXPECT_EQ(in.signed_number(), INT64_MIN);
  EXPECT_EQ(in.text(), "rank");
  EXPECT_EQ(in.text(), "");
  EXPECT_TRUE(in.ok());
  EXPECT_TRUE(in.at_end());
}

TEST(ByteStream, AnEndThatComesTooEarlyIsRemembered) {
  ByteWriter out;
  out.text("a text");
  const Bytes whole = std::move(out).take();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
    ByteReader in(cut);
    EXPECT_EQ(in.text(), "") << length;
    EXPECT_FALSE(in.ok()) << length;
    EXPECT_EQ(in.number(), 0U) << length;
  }
}

TEST(ByteStream, ANumberOfMoreThanTenBytesIsNotRead) {
  const Bytes endless(20, 0xff);
  ByteReader in(endless);
  EXPECT_EQ(in.number(), 0U);
  EXPECT_FALSE(in.ok());
}

}  // namespace
}  // namespace hallmark::base
