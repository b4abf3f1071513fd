#include "stores/file_error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

namespace hallmark::stores {

Error file_error(const std::filesystem::path& path, const char* what, int reason) {
  auto kind = ErrorKind::failed;
  if (reason == ENOENT || reason == ENOTDIR) kind = ErrorKind::missing;
  if (reason == EACCES || reason == EPERM || reason == EROFS) kind = ErrorKind::denied;
  return {kind, fmt::format("cannot {} {}: {}", what, path.string(),
                            std::generic_category().message(reason))};
}

}  // namespace hallmark::stores
