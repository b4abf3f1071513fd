#include "base/read_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <array>
#include <cerrno>

#include "base/descriptor.hpp"

namespace hallmark::base {
namespace {

std::string size_text(std::size_t bytes) {
  return bytes % mebibyte == 0 ? fmt::format("{} MiB", bytes / mebibyte)
                               : fmt::format("{} bytes", bytes);
}

}  // namespace

Error unreadable(const std::filesystem::path& path, int reason, std::string_view what) {
  return {fmt::format("cannot read {}: {}; expected {}", path.string(), errno_text(reason), what)};
}

Error too_large(const std::filesystem::path& path, std::size_t most_bytes, std::string_view what) {
  return {fmt::format("{} is larger than {}, the most that {} may have", path.string(),
                      size_text(most_bytes), what)};
}

Result<std::string> read_file(const std::filesystem::path& path, std::size_t most_bytes,
                              std::string_view what) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.open()) return unreadable(path, errno, what);
  std::string text;
  std::array<char, 65'536> chunk;
  while (true) {
    const auto got = read_some(file, chunk);
    if (got < 0) return unreadable(path, errno, what);
    if (got == 0) break;
    text.append(chunk.data(), static_cast<std::size_t>(got));
    if (text.size() > most_bytes) return too_large(path, most_bytes, what);
  }
  return text;
}

}  // namespace hallmark::base
