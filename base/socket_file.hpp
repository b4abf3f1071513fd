#pragma once
#include <string>

#include "base/descriptor.hpp"

namespace hallmark::base {

/// The file that binding a Unix socket makes. It is told from one that somebody else put at its
/// path meanwhile, which is not removed.
class SocketFile {
 public:
  /// There is none.
  SocketFile() = default;
  /// A socket was bound to the path just now.
  explicit SocketFile(std::string path);

  /// Removes the file if it is still the one that was bound.
  void remove() const;

 private:
  std::string path_;
  Descriptor file_;  ///< while it is open, no other file gets the same inode
};

}  // namespace hallmark::base
