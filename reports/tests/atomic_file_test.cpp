#include "reports/atomic_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>

#include "reports/tests/temporary_directory.hpp"

namespace hallmark::reports {
namespace {

namespace fs = std::filesystem;

class AtomicFile : public testing::Test {
 protected:
  static std::string read(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(directory_.path()), fs::directory_iterator()));
  }
  fs::path file(const char* name) const { return directory_.path() / name; }

  TemporaryDirectory directory_;
};

TEST_F(AtomicFile, WritesAllBytesAndLeavesNothingElse) {
  const std::string content(1 << 20, '\0');
  ASSERT_TRUE(write_file_atomically(file("a"), content));
  EXPECT_EQ(read(file("a")), content);
  EXPECT_EQ(entries(), 1U);
  EXPECT_EQ(fs::status(file("a")).permissions(), fs::perms(0644));
}

TEST_F(AtomicFile, ReplacesAndKeepsPermissions) {
  ASSERT_TRUE(write_file_atomically(file("a"), "old, and longer"));
  fs::permissions(file("a"), fs::perms(0600));
  ASSERT_TRUE(write_file_atomically(file("a"), "new"));
  EXPECT_EQ(read(file("a")), "new");
  EXPECT_EQ(fs::status(file("a")).permissions(), fs::perms(0600));
}

TEST_F(AtomicFile, FollowsASymbolicLink) {
  ASSERT_TRUE(write_file_atomically(file("real"), "old"));
  fs::create_symlink(file("real"), file("link"));
  ASSERT_TRUE(write_file_atomically(file("link"), "new"));
  EXPECT_EQ(read(file("real")), "new");
  EXPECT_TRUE(fs::is_symlink(file("link")));
}

TEST_F(AtomicFile, MissingDirectoryNamesPathAndReason) {
  const auto written = write_file_atomically(file("no") / "a", "x");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message,
            "cannot write " + (file("no") / "a").string() + ": No such file or directory");
}

TEST_F(AtomicFile, DirectoryIsNotReplaced) {
  fs::create_directory(file("d"));
  const auto written = write_file_atomically(file("d"), "x");
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, testing::EndsWith("Is a directory"));
  EXPECT_EQ(entries(), 1U);
}

TEST_F(AtomicFile, DeviceIsWrittenInPlace) {
  EXPECT_TRUE(write_file_atomically("/dev/null", "x"));
  const auto full = write_file_atomically("/dev/full", "x");
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().message, "cannot write /dev/full: No space left on device");
}

/// Limits the size of files this process may write, which stops a write in the middle.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limited{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limited);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST_F(AtomicFile, FailureInTheMiddleKeepsTheOldFile) {
  ASSERT_TRUE(write_file_atomically(file("a"), "old"));
  Result<void> written;
  {
    const FileSizeLimit limit(4096);
    written = write_file_atomically(file("a"), std::string(8192, 'x'));
  }
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, testing::EndsWith("File too large"));
  EXPECT_EQ(read(file("a")), "old");
  EXPECT_EQ(entries(), 1U);
}

}  // namespace
}  // namespace hallmark::reports
