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

  /// What there is of the frame after that much more text; often nothing.
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

  /// What the next piece of the frame gives, to be asked for until nothing more is given: at most
  /// 128 KiB at a time, and `compressed` loses what was used of it. Nothing: it is malformed.
  std::optional<std::string> next(std::string_view& compressed);
  /// What is wrong with the frame, one line; empty: nothing yet.
  const std::string& error() const;
  /// Whether the frame has ended.
  bool ended() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hallmark::certificate
