#include "base/socket_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

namespace hallmark::base {

SocketFile::SocketFile(std::string path)
    : path_(std::move(path)), file_(::open(path_.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC)) {}

void SocketFile::remove() const {
  struct stat bound {};
  struct stat found {};
  if (!file_.open() || ::fstat(file_.get(), &bound) != 0) return;
  if (::lstat(path_.c_str(), &found) != 0 || !S_ISSOCK(found.st_mode)) return;
  if (found.st_dev == bound.st_dev && found.st_ino == bound.st_ino) ::unlink(path_.c_str());
}

}  // namespace hallmark::base
