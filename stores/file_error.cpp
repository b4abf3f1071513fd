#include "stores/file_error.hpp"

#include <fmt/format.h>

#include <cerrno>

#include "base/descriptor.hpp"

namespace hallmark::stores {

Error file_error(const std::filesystem::path& path, const char* what, int reason) {
  auto kind = ErrorKind::failed;
  if (reason == ENOENT || reason == ENOTDIR) kind = ErrorKind::missing;
  if (reason == EACCES || reason == EPERM || reason == EROFS) kind = ErrorKind::denied;
  return {kind, fmt::format("cannot {} {}: {}", what, path.string(), base::errno_text(reason))};
}

}  // namespace hallmark::stores
