#include "base/temporary_directory.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

#include "base/descriptor.hpp"

namespace hallmark::base {

namespace fs = std::filesystem;

Result<TemporaryDirectory> TemporaryDirectory::create(std::string_view prefix) {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  if (error) return Error{"cannot make a temporary directory: " + error.message()};
  std::string path = (parent / fmt::format("{}-XXXXXX", prefix)).string();
  if (::mkdtemp(path.data()) == nullptr) {
    return Error{fmt::format("cannot make a temporary directory in {}: {}", parent.string(),
                             errno_text(errno))};
  }
  return TemporaryDirectory(std::move(path));
}

TemporaryDirectory::TemporaryDirectory(TemporaryDirectory&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace hallmark::base
