#pragma once
#include <algorithm>
#include <cerrno>
#include <span>
#include <string>

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

/// `text`, the system's words for that error, and what to do about it if this machine lacks
/// something.
inline std::string with_remedy(std::string text, int error) {
  switch (error) {
    case EADDRNOTAVAIL:
      return text.append(
          ": this machine has no port left for the target, or not the address; ask for fewer "
          "connections, or give more addresses of this machine with --from");
    case EMFILE:
      return text.append(
          ": this process may have no more descriptors; raise `ulimit -n`, or ask for fewer "
          "connections");
    case ENFILE: return text.append(": this machine has no descriptor left; raise fs.file-max");
    default: return text;
  }
}

}  // namespace hallmark::base
