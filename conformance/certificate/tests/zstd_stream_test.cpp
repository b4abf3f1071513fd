#include "conformance/certificate/zstd_stream.hpp"

#include <gtest/gtest.h>
#include <zstd.h>

namespace hallmark::certificate {
namespace {

std::string compressed(std::string_view text, std::size_t piece) {
  Compressor compressor;
  std::string all;
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size())))
    all += compressor.add(text.substr(0, piece));
  return all + compressor.finish();
}

/// Returns as much as the frame gives, or nothing if it is malformed.
std::optional<std::string> decompressed(std::string_view frame, bool& ended) {
  Decompressor decompressor;
  std::string all;
  for (;;) {
    const auto piece = decompressor.next(frame);
    if (!piece) return std::nullopt;
    all += *piece;
    ended = decompressor.ended();
    if (ended || (piece->empty() && frame.empty())) return all;
  }
}

std::string sample() {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += std::to_string(i * 7919 % 1000) + "\n";
  return text;
}

TEST(ZstdStream, GivesBackWhatWasCompressedInPieces) {
  for (const std::size_t piece : {std::size_t{1000}, std::size_t{1} << 20}) {
    bool ended = false;
    EXPECT_EQ(decompressed(compressed(sample(), piece), ended), sample());
    EXPECT_TRUE(ended);
  }
}

TEST(ZstdStream, OfNothingIsAFrameOfNothing) {
  bool ended = false;
  EXPECT_EQ(decompressed(compressed("", 1), ended), "");
  EXPECT_TRUE(ended);
}

TEST(ZstdStream, ThatIsCutOffDoesNotEnd) {
  const std::string frame = compressed(sample(), 1000);
  for (const std::size_t size : {std::size_t{4}, frame.size() / 2, frame.size() - 1}) {
    bool ended = true;
    ASSERT_TRUE(decompressed(std::string_view(frame).substr(0, size), ended)) << size;
    EXPECT_FALSE(ended) << size;
  }
}

TEST(ZstdStream, WithAChangedByteIsMalformed) {
  std::string frame = compressed(sample(), 1000);
  frame[frame.size() / 2] = static_cast<char>(frame[frame.size() / 2] ^ 1);
  bool ended = false;
  EXPECT_FALSE(decompressed(frame, ended));
}

TEST(ZstdStream, ThatNeedsAHugeWindowIsRefused) {
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, Decompressor::most_window + 2);
  const std::string text(std::size_t{64} << 20, 'x');
  std::string frame(ZSTD_compressBound(text.size()), '\0');
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
  frame.resize(ZSTD_compress2(context, frame.data(), frame.size(), text.data(), text.size()));
  ZSTD_freeCCtx(context);
  bool ended = false;
  EXPECT_FALSE(decompressed(frame, ended));
}

}  // namespace
}  // namespace hallmark::certificate
