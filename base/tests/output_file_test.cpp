#include "base/output_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "base/tests/temporary_directory.hpp"

namespace hallmark::base {
namespace {

namespace fs = std::filesystem;
using testing::EndsWith;
using testing::HasSubstr;

class WriteFile : public testing::Test {
 protected:
  fs::path file(const char* name) const { return directory_ / name; }
  fs::perms mode(const char* name) const { return fs::status(file(name)).permissions(); }
  fs::path make_pipe_at(const char* name) const {
    EXPECT_EQ(::mkfifo(file(name).c_str(), 0600), 0);
    return file(name);
  }

  test::TemporaryDirectory directory_;
};

std::string message(const Result<void>& result) { return result ? "" : result.error().message; }

TEST_F(WriteFile, WritesAllBytesAndLeavesNothingElse) {
  const std::string content(1 << 20, '\0');
  ASSERT_EQ(message(write_file(file("a"), content)), "");
  EXPECT_EQ(directory_.read("a"), content);
  EXPECT_EQ(directory_.entries(), 1U);
}

TEST_F(WriteFile, HonoursTheUmask) {
  const mode_t before = ::umask(0027);
  ASSERT_TRUE(write_file(file("a"), "x"));
  ::umask(0);
  ASSERT_TRUE(write_file(file("b"), "x"));
  ::umask(before);
  EXPECT_EQ(mode("a"), fs::perms(0640));
  EXPECT_EQ(mode("b"), fs::perms(0666));
}

TEST_F(WriteFile, ReplacesAndKeepsTheMode) {
  directory_.write("a", "old, and longer");
  for (const unsigned kept : {0600U, 0644U, 0666U, 0400U}) {
    fs::permissions(file("a"), fs::perms(kept));
    ASSERT_EQ(message(write_file(file("a"), "new")), "");
    EXPECT_EQ(directory_.read("a"), "new");
    EXPECT_EQ(mode("a"), fs::perms(kept));
  }
}

TEST_F(WriteFile, KeepsTheOwnerIfItMay) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root may give a file away";
  directory_.write("a", "old");
  ASSERT_EQ(::chown(file("a").c_str(), 12345, 23456), 0);
  ASSERT_TRUE(write_file(file("a"), "new"));
  struct stat status {};
  ASSERT_EQ(::stat(file("a").c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, 12345U);
  EXPECT_EQ(status.st_gid, 23456U);
}

TEST_F(WriteFile, FollowsSymbolicLinks) {
  directory_.write("real", "old");
  fs::create_directory(file("sub"));
  fs::create_symlink("../real", file("sub/second"));
  fs::create_symlink("sub/second", file("first"));
  ASSERT_EQ(message(write_file(file("first"), "new")), "");
  EXPECT_EQ(directory_.read("real"), "new");
  EXPECT_TRUE(fs::is_symlink(file("first")));
  EXPECT_TRUE(fs::is_symlink(file("sub/second")));
}

TEST_F(WriteFile, MakesWhatASymbolicLinkNames) {
  fs::create_symlink("real", file("link"));
  ASSERT_EQ(message(write_file(file("link"), "new")), "");
  EXPECT_TRUE(fs::is_symlink(file("link")));
  EXPECT_EQ(directory_.read("real"), "new");
}

TEST_F(WriteFile, RefusesALoopOfSymbolicLinks) {
  fs::create_symlink("b", file("a"));
  fs::create_symlink("a", file("b"));
  EXPECT_EQ(message(write_file(file("a"), "x")),
            "cannot write " + file("a").string() + ": Too many levels of symbolic links");
}

TEST_F(WriteFile, NamesWhatIsMissing) {
  EXPECT_EQ(message(write_file(file("no/a"), "x")),
            "cannot write " + file("no/a").string() + ": No such file or directory");
}

TEST_F(WriteFile, DoesNotReplaceADirectory) {
  fs::create_directory(file("d"));
  for (const char* const name : {"d", "d/", "no/"})
    EXPECT_THAT(message(write_file(file(name), "x")), HasSubstr("directory")) << name;
  EXPECT_EQ(directory_.entries(), 1U);
}

TEST_F(WriteFile, TakesTheLongestNameThereIs) {
  ASSERT_EQ(message(write_file(directory_ / std::string(255, 'n'), "x")), "");
  EXPECT_EQ(directory_.read(std::string(255, 'n')), "x");
}

TEST_F(WriteFile, WritesIntoADeviceAndNeverReplacesIt) {
  EXPECT_EQ(message(write_file("/dev/null", "x")), "");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(message(write_file("/dev/full", "x")),
            "cannot write /dev/full: No space left on device");
}

TEST_F(WriteFile, WritesIntoADeviceBehindALink) {
  fs::create_symlink("/dev/null", file("link"));
  EXPECT_EQ(message(write_file(file("link"), "x")), "");
  EXPECT_TRUE(fs::is_symlink(file("link")));
  EXPECT_TRUE(fs::is_character_file(file("link")));
}

TEST_F(WriteFile, WritesIntoAPipe) {
  const auto pipe = make_pipe_at("pipe");
  const Descriptor reader(::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  ASSERT_EQ(message(write_file(pipe, "through a pipe")), "");
  EXPECT_TRUE(fs::is_fifo(pipe));
  std::array<char, 64> got{};
  EXPECT_EQ(read_some(reader, got), 14);
}

TEST_F(WriteFile, DoesNotWaitForTheReaderOfAPipe) {
  const auto pipe = make_pipe_at("pipe");
  EXPECT_EQ(message(write_file(pipe, "x")),
            "cannot write " + pipe.string() + ": nobody reads this pipe; start its reader first");
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST_F(WriteFile, ADescriptorIsWrittenWhereItStands) {
  const Descriptor log(::open(file("log").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  ASSERT_EQ(write_all(log, "printed before\n"), 0);
  fs::create_symlink("/dev/fd/" + std::to_string(log.get()), file("link"));
  ASSERT_EQ(message(write_file(file("link"), "report\n")), "");
  ASSERT_EQ(message(write_file("/proc/self/fd/" + std::to_string(log.get()), "again\n")), "");
  ASSERT_EQ(write_all(log, "printed behind\n"), 0);
  EXPECT_EQ(directory_.read("log"), "printed before\nreport\nagain\nprinted behind\n");
}

TEST_F(WriteFile, NamesADescriptorThatIsNotOpen) {
  EXPECT_EQ(message(write_file("/dev/fd/12345", "x")),
            "cannot write /dev/fd/12345: Bad file descriptor");
}

/// Limits the size of files that this process may write, which stops a write in the middle.
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

TEST_F(WriteFile, FailureInTheMiddleKeepsTheOldFile) {
  directory_.write("a", "old");
  Result<void> written;
  {
    const FileSizeLimit limit(4096);
    written = write_file(file("a"), std::string(8192, 'x'));
  }
  EXPECT_THAT(message(written), EndsWith("File too large"));
  EXPECT_EQ(directory_.read("a"), "old");
  EXPECT_EQ(directory_.entries(), 1U);
}

class OutputFile : public WriteFile {};

TEST_F(OutputFile, ShowsNothingUntilItIsCommitted) {
  directory_.write("a", "old");
  auto written = base::OutputFile::create(file("a"));
  ASSERT_TRUE(written);
  ASSERT_TRUE(written->write("one, "));
  ASSERT_TRUE(written->write("two"));
  EXPECT_EQ(directory_.read("a"), "old");
  ASSERT_EQ(message(written->commit()), "");
  EXPECT_EQ(directory_.read("a"), "one, two");
  EXPECT_EQ(directory_.entries(), 1U);
}

TEST_F(OutputFile, LeavesNothingWhereItIsNotCommitted) {
  {
    auto written = base::OutputFile::create(file("a"));
    ASSERT_TRUE(written->write("x"));
    const auto moved = std::move(*written);
  }
  EXPECT_EQ(directory_.entries(), 0U);
}

TEST_F(OutputFile, DoesNotShowAPrivateFileToOthersMeanwhile) {
  directory_.write("a", "secret");
  fs::permissions(file("a"), fs::perms(0600));
  const auto written = base::OutputFile::create(file("a"));
  for (const auto& entry : fs::directory_iterator(directory_.path()))
    EXPECT_EQ(entry.status().permissions() & fs::perms(0077), fs::perms(0)) << entry.path();
}

TEST_F(OutputFile, DoesNotReplaceAPipeThatCameMeanwhile) {
  auto written = base::OutputFile::create(file("a"));
  ASSERT_TRUE(written->write("x"));
  make_pipe_at("a");
  EXPECT_THAT(message(written->commit()), HasSubstr("became something else than a file"));
  EXPECT_TRUE(fs::is_fifo(file("a")));
}

}  // namespace
}  // namespace hallmark::base
