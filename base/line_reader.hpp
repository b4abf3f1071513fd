#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/descriptor.hpp"

namespace hallmark::base {

/// Reads a text file line by line, so that a long one need not be in memory at once.
class LineReader {
 public:
  static constexpr std::size_t longest_line = std::size_t{1} << 20;

  /// `most_bytes` and `what` are as for `read_file`; so is the error.
  static Result<LineReader> open(const std::filesystem::path& path, std::uint64_t most_bytes,
                                 std::string_view what);

  /// The next line, without its line feed; valid until the next call. None: the file has ended.
  /// Error: as `open`, or a line is longer than `longest_line`.
  Result<std::optional<std::string_view>> next();

  /// The number of the line that `next` returned last; the first one is 1.
  std::uint64_t line_number() const { return line_number_; }

 private:
  LineReader(Descriptor file, const std::filesystem::path& path, std::uint64_t most_bytes,
             std::string_view what)
      : file_(std::move(file)), path_(path), what_(what), most_bytes_(most_bytes) {}
  Result<void> refill();

  Descriptor file_;
  std::filesystem::path path_;
  std::string what_;
  std::uint64_t most_bytes_;
  std::uint64_t read_bytes_ = 0;
  std::uint64_t line_number_ = 0;
  std::string buffer_;
  std::size_t position_ = 0;  ///< of the next line in the buffer
  bool at_end_ = false;
};

}  // namespace hallmark::base
