#include "base/line_reader.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/read_file.hpp"

namespace hallmark::base {

Result<LineReader> LineReader::open(const std::filesystem::path& path, std::uint64_t most_bytes,
                                    std::string_view what) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.open()) return unreadable(path, errno, what);
  LineReader reader(std::move(file), path, most_bytes, what);
  // A directory can be opened and not be read.
  if (auto read = reader.refill(); !read) return read.error();
  return reader;
}

Result<void> LineReader::refill() {
  buffer_.erase(0, position_);
  position_ = 0;
  std::array<char, 65'536> chunk;
  const auto got = read_some(file_, chunk);
  if (got < 0) return unreadable(path_, errno, what_);
  at_end_ = got == 0;
  read_bytes_ += static_cast<std::uint64_t>(got);
  if (read_bytes_ > most_bytes_) return too_large(path_, most_bytes_, what_);
  buffer_.append(chunk.data(), static_cast<std::size_t>(got));
  return {};
}

Result<std::optional<std::string_view>> LineReader::next() {
  std::size_t searched = position_;
  while (true) {
    const auto end = buffer_.find('\n', searched);
    const auto length = std::min(end, buffer_.size()) - position_;
    if (length > longest_line) {
      return Error{
          fmt::format("{}:{}: the line is longer than {} MiB, the most that a line of {} "
                      "may have",
                      path_.string(), line_number_ + 1, longest_line / mebibyte, what_)};
    }
    const bool last = end == std::string::npos && at_end_;
    if (last && length == 0) return std::optional<std::string_view>();
    if (last || end != std::string::npos) {
      const std::string_view line(buffer_.data() + position_, length);
      position_ += length + (last ? 0 : 1);
      ++line_number_;
      return std::optional(line);
    }
    searched = length;
    if (auto read = refill(); !read) return read.error();
  }
}

}  // namespace hallmark::base
