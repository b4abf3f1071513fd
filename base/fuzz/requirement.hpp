#pragma once
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/text.hpp"

/// The parts that fuzz targets share: bytes in, and requirements that end the program.
namespace hallmark::fuzz {

/// Ends the program if the requirement does not hold; libFuzzer then keeps the input. `shown` is
/// printed with it.
inline void require(bool holds, std::string_view what, std::string_view shown = {}) {
  if (holds) return;
  const std::string quoted = base::printable(shown);
  std::fprintf(stderr, "required: %.*s: %s\n", static_cast<int>(what.size()), what.data(),
               quoted.c_str());
  std::abort();
}

/// The most bytes that a message about a file may have.
inline constexpr std::size_t longest_message = 2000;

/// Requires a message as people get it about a file: one line, not empty, without anything that
/// could steer a terminal, and short whatever the file holds.
inline void require_line(std::string_view message) {
  require(!message.empty(), "a refusal says why");
  require(base::printable(message) == message, "a refusal is one line that may be printed",
          message);
  require(message.size() <= longest_message, "a refusal is short", message);
}

/// Requires a message about a word of the command line: whoever prints it quotes that word, and
/// must not get more than the word brought along.
inline void require_line_about(std::string_view word, std::string_view message) {
  require(!message.empty(), "a refusal says why", word);
  require(message.size() <= longest_message + 8 * word.size(), "a refusal is short", message);
  if (base::printable(word) == word)
    require(base::printable(message) == message, "a refusal is one line that may be printed",
            message);
}

/// The bytes of one run.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : left_(data, size) {}

  /// Takes the first byte; 0 if none is left.
  std::uint8_t first() {
    if (left_.empty()) return 0;
    const std::uint8_t byte = left_.front();
    left_ = left_.subspan(1);
    return byte;
  }

  /// Takes the last byte; 0 if none is left. A target that chooses by it takes files as seeds as
  /// they are.
  std::uint8_t last() {
    if (left_.empty()) return 0;
    const std::uint8_t byte = left_.back();
    left_ = left_.first(left_.size() - 1);
    return byte;
  }

  base::ByteView bytes() const { return left_; }
  std::string_view text() const { return base::as_text(left_); }

  /// Takes the text up to a separator, or all of it.
  std::string_view until(char separator) {
    const std::string_view all = text();
    const std::string_view part = all.substr(0, all.find(separator));
    left_ = left_.subspan(std::min(part.size() + 1, left_.size()));
    return part;
  }

 private:
  base::ByteView left_;
};

/// A file in memory, for readers that take a path.
class MemoryFile {
 public:
  MemoryFile() : file_(::memfd_create("fuzz", MFD_CLOEXEC)) {
    require(file_ >= 0, "there is memory for a file");
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(file_); }

  void hold(std::string_view content) {
    const bool held =
        ::ftruncate(file_, 0) == 0 &&
        ::pwrite(file_, content.data(), content.size(), 0) == static_cast<ssize_t>(content.size());
    require(held, "the file takes its content");
  }

  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

}  // namespace hallmark::fuzz
