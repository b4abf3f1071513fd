#include "stores/file_scanner.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <charconv>
#include <cstring>

#include "base/descriptor.hpp"
#include "base/glob.hpp"
#include "stores/file_error.hpp"

namespace hallmark::stores {
namespace {

constexpr std::size_t least_buffer = std::size_t{1} << 20;
/// The part of an overlong line that is shown.
constexpr std::size_t shown_of_overlong = 100;

/// Lines of a file, as views into a buffer that is refilled between two batches.
class FileScanner final : public Scanner {
 public:
  FileScanner(base::Descriptor file, std::uint64_t size, std::filesystem::path path,
              const ScanOptions& options)
      : file_(std::move(file)),
        path_(std::move(path)),
        options_(options),
        glob_(options.match),
        buffer_(std::max(least_buffer, 2 * options.longest_line)),
        size_(size) {
    numbers_.reserve(options.batch);
    entries_.reserve(options.batch);
  }

  Result<std::span<const Entry>> next() override;
  Progress progress() const override { return {base_ + position_, size_, true}; }

 private:
  using Number = std::array<char, 20>;

  Result<void> refill();
  Result<void> skip_overlong();
  void take_lines();
  bool take_line();
  void add(std::string_view text, std::uint64_t begin, std::uint64_t end, bool overlong);
  std::string_view line_number();

  base::Descriptor file_;
  std::filesystem::path path_;
  ScanOptions options_;
  base::Glob glob_;
  std::vector<char> buffer_;
  std::size_t position_ = 0;  ///< in the buffer: of the next line
  std::size_t filled_ = 0;
  std::uint64_t base_ = 0;  ///< the beginning of the buffer in the file
  bool at_end_ = false;
  std::uint64_t lines_ = 0;
  std::string overlong_;  ///< the beginning of the overlong line that was skipped
  std::vector<Number> numbers_;
  std::vector<Entry> entries_;
  std::uint64_t size_;
};

/// Moves what is left to the front of the buffer and reads until it is full or the file ends.
Result<void> FileScanner::refill() {
  std::memmove(buffer_.data(), buffer_.data() + position_, filled_ - position_);
  base_ += position_;
  filled_ -= position_;
  position_ = 0;
  while (!at_end_ && filled_ < buffer_.size()) {
    const auto count = ::read(file_.get(), buffer_.data() + filled_, buffer_.size() - filled_);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return file_error(path_, "read", errno);
    at_end_ = count == 0;
    filled_ += static_cast<std::size_t>(count);
  }
  return {};
}

/// The buffer is full and holds no end of the line: what follows is read past.
Result<void> FileScanner::skip_overlong() {
  const auto begin = base_ + position_;
  overlong_.assign(buffer_.data() + position_, shown_of_overlong);
  while (true) {
    const auto* const end = static_cast<const char*>(
        std::memchr(buffer_.data() + position_, '\n', filled_ - position_));
    if (end != nullptr || (at_end_ && filled_ == position_)) {
      if (end != nullptr) position_ = static_cast<std::size_t>(end - buffer_.data()) + 1;
      ++lines_;
      add(overlong_, begin, base_ + position_, true);
      return {};
    }
    position_ = filled_;
    if (auto read = refill(); !read) return read;
  }
}

std::string_view FileScanner::line_number() {
  auto& number = numbers_.emplace_back();
  const auto [end, error] = std::to_chars(number.data(), number.data() + number.size(), lines_);
  return {number.data(), static_cast<std::size_t>(end - number.data())};
}

/// `begin`, `end`: of the line in the file, with its terminator.
void FileScanner::add(std::string_view text, std::uint64_t begin, std::uint64_t end,
                      bool overlong) {
  const auto tab = text.find('\t');
  const bool named = tab != text.npos;
  const auto value_at = named ? tab + 1 : 0;
  Entry entry{.kind = overlong ? EntryKind::overlong : EntryKind::text,
              .key = named ? text.substr(0, tab) : line_number(),
              .value = text.substr(value_at, overlong ? shown_of_overlong : text.npos)};
  entry.line = {begin, begin + value_at, begin + text.size(), end};
  if (overlong) entry.line.value_end = end;
  if (glob_.matches(entry.key)) entries_.push_back(entry);
}

/// False: the buffer holds no whole line any more.
bool FileScanner::take_line() {
  const char* const begin = buffer_.data() + position_;
  const auto left = filled_ - position_;
  const auto* const end = static_cast<const char*>(std::memchr(begin, '\n', left));
  if (end == nullptr && !(at_end_ && left > 0)) return false;
  const auto length = end == nullptr ? left : static_cast<std::size_t>(end - begin);
  const auto with_end = length + (end == nullptr ? 0 : 1);
  ++lines_;
  std::string_view text(begin, length);
  if (text.ends_with('\r')) text.remove_suffix(1);
  const auto offset = base_ + position_;
  position_ += with_end;
  if (!text.empty()) add(text, offset, offset + with_end, length > options_.longest_line);
  return true;
}

void FileScanner::take_lines() {
  while (entries_.size() < options_.batch && numbers_.size() < options_.batch && take_line()) {
  }
}

Result<std::span<const Entry>> FileScanner::next() {
  entries_.clear();
  numbers_.clear();
  while (true) {
    take_lines();
    if (!entries_.empty()) break;
    numbers_.clear();
    if (at_end_ && position_ == filled_) break;
    const bool full = position_ == 0 && filled_ == buffer_.size();
    if (auto read = full ? skip_overlong() : refill(); !read) return read.error();
  }
  return std::span<const Entry>(entries_);
}

}  // namespace

Result<std::unique_ptr<Scanner>> open_file_scanner(const base::FileEndpoint& address,
                                                   const ScanOptions& options) {
  base::Descriptor file(::open(address.path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.open()) return file_error(address.path, "read", errno);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return file_error(address.path, "read", errno);
  if (S_ISDIR(status.st_mode)) return file_error(address.path, "read", EISDIR);
  ::posix_fadvise(file.get(), 0, 0, POSIX_FADV_SEQUENTIAL);
  const auto size = S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0;
  return std::unique_ptr<Scanner>(
      std::make_unique<FileScanner>(std::move(file), size, address.path, options));
}

}  // namespace hallmark::stores
