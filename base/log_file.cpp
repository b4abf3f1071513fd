#include "base/log_file.hpp"

#include <fcntl.h>

#include <utility>

#include "base/output_path.hpp"

namespace hallmark::base {
namespace {

constexpr std::size_t piece = std::size_t{64} << 10;

}  // namespace

Result<LogFile> LogFile::open(const std::filesystem::path& path, Start start) {
  const auto found = find_output(path);
  if (!found) return found.error();
  const int position = start == Start::empty ? O_TRUNC : O_APPEND;
  auto file = open_output(path, *found, O_CREAT | position);
  if (!file) return file.error();
  return LogFile(std::move(*file), path);
}

LogFile::~LogFile() {
  if (file_.open()) static_cast<void>(flush());
}

void LogFile::write(std::string_view content) {
  buffer_ += content;
  if (buffer_.size() >= piece) static_cast<void>(flush());
}

Result<void> LogFile::flush() {
  const std::string content = std::exchange(buffer_, {});
  if (reason_ == 0) reason_ = write_all(file_, content);
  if (reason_ != 0) return unwritable(path_, reason_);
  return {};
}

}  // namespace hallmark::base
