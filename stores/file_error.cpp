#include "stores/file_error.hpp"

#include <fmt/format.h>

#include <cerrno>

#include "base/descriptor.hpp"
#include "base/missing_scheme.hpp"
#include "stores/address.hpp"

namespace hallmark::stores {

Error file_error(const std::filesystem::path& path, const char* what, int reason) {
  auto kind = ErrorKind::failed;
  if (reason == ENOENT || reason == ENOTDIR) kind = ErrorKind::missing;
  if (reason == EISDIR) kind = ErrorKind::usage;
  if (reason == EACCES || reason == EPERM || reason == EROFS) kind = ErrorKind::denied;
  const auto meant = base::with_missing_scheme<Address>(path.string());
  if (kind == ErrorKind::missing && meant) {
    return {kind,
            fmt::format("cannot {} {}: {}; did you mean {}?", what,
                        base::without_password(path.string()), base::errno_text(reason), *meant)};
  }
  return {kind, fmt::format("cannot {} {}: {}", what, path.string(), base::errno_text(reason))};
}

}  // namespace hallmark::stores
