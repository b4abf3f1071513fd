#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

/// A Zstandard frame (RFC 8878), piece by piece.
namespace hallmark::certificate {

class Compressor {
 public:
  Compressor();
  ~Compressor();
  Compressor(Compressor&&) noexcept;

  /// Takes more text. Returns the part of the frame that is complete by now, which is often empty.
  std::string add(std::string_view text);
  /// The end of the frame, with its checksum.
  std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

class Decompressor {
 public:
  /// A frame that needs more memory to be read than 2^`most_window` bytes is refused.
  static constexpr int most_window = 23;

  Decompressor();
  ~Decompressor();

  /// The next piece of text, at most 128 KiB; call it until nothing more is given. `compressed`
  /// loses the bytes that were used. Returns nothing if the frame is malformed.
  std::optional<std::string> next(std::string_view& compressed);
  /// The mistake in the frame, one line; empty if there is none yet.
  const std::string& error() const;
  /// True if the frame has ended.
  bool ended() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hallmark::certificate
