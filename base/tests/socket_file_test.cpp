#include "base/socket_file.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "base/descriptor.hpp"
#include "base/tests/temporary_directory.hpp"

namespace hallmark::base {
namespace {

namespace fs = std::filesystem;

class SocketFiles : public testing::Test {
 protected:
  static Descriptor bound_to(const fs::path& path) {
    Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.string().copy(address.sun_path, sizeof address.sun_path - 1);
    EXPECT_EQ(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    return socket;
  }

  test::TemporaryDirectory directory_;
  fs::path path_ = directory_ / "socket";
  Descriptor socket_ = bound_to(path_);
  SocketFile file_{path_.string()};
};

TEST_F(SocketFiles, IsRemoved) {
  file_.remove();
  EXPECT_EQ(directory_.entries(), 0U);
  file_.remove();
}

TEST_F(SocketFiles, AFileOfSomebodyElseStays) {
  fs::remove(path_);
  directory_.write("socket", "precious");
  file_.remove();
  EXPECT_EQ(directory_.read("socket"), "precious");
}

TEST_F(SocketFiles, ASocketOfSomebodyElseStays) {
  fs::remove(path_);
  const Descriptor other = bound_to(path_);
  file_.remove();
  EXPECT_TRUE(fs::is_socket(path_));
}

TEST_F(SocketFiles, ASymbolicLinkToItStays) {
  fs::rename(path_, directory_ / "moved");
  fs::create_symlink("moved", path_);
  file_.remove();
  EXPECT_TRUE(fs::is_symlink(path_));
}

}  // namespace
}  // namespace hallmark::base
