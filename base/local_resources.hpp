#pragma once
#include <algorithm>
#include <cerrno>
#include <span>

namespace hallmark::base {

/// Error numbers by which the system says that this machine lacks something for a connection: a
/// port, a descriptor or memory. The other side is not to blame.
inline std::span<const int> lacking_resources() {
  static constexpr int errors[] = {EADDRNOTAVAIL, EMFILE, ENFILE, ENOBUFS, ENOMEM};
  return errors;
}

inline bool is_lack_of_resources(int error) {
  return std::ranges::find(lacking_resources(), error) != lacking_resources().end();
}

}  // namespace hallmark::base
