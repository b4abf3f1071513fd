#include "base/gzip.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

namespace hallmark::base {
namespace {

std::string gunzip(std::string packed, std::size_t most) {
  constexpr int window_of_gzip = 15 + 16;
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, window_of_gzip), Z_OK);
  std::string plain(most, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(plain.data());
  stream.avail_out = static_cast<uInt>(plain.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  plain.resize(stream.total_out);
  inflateEnd(&stream);
  return plain;
}

TEST(Gzip, IsUndoneByOthers) {
  std::string text;
  for (int i = 0; i < 10'000; ++i) text += "case " + std::to_string(i) + '\n';
  const std::string packed = gzip(text).value();
  EXPECT_LT(packed.size(), text.size() / 2);
  EXPECT_EQ(gunzip(packed, text.size() + 1), text);
  EXPECT_EQ(gunzip(gzip("").value(), 1), "");
}

TEST(Gzip, SaysNoTime) { EXPECT_EQ(gzip("a").value().substr(4, 4), std::string(4, '\0')); }

}  // namespace
}  // namespace hallmark::base
