#include "base/log_file.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "base/tests/temporary_directory.hpp"

namespace hallmark::base {
namespace {

TEST(LogFile, GrowsWhereItIs) {
  const test::TemporaryDirectory directory;
  const auto path = directory.write("log", "old, and longer");
  {
    auto log = LogFile::open(path, LogFile::Start::empty);
    ASSERT_TRUE(log);
    EXPECT_EQ(directory.read("log"), "");
    log->write("one\n");
    ASSERT_TRUE(log->flush());
    EXPECT_EQ(directory.read("log"), "one\n");
    log->write("two\n");
  }
  EXPECT_EQ(directory.read("log"), "one\ntwo\n");
  auto log = LogFile::open(path, LogFile::Start::behind_the_end);
  log->write("three\n");
  ASSERT_TRUE(log->flush());
  EXPECT_EQ(directory.read("log"), "one\ntwo\nthree\n");
}

TEST(LogFile, ReachesTheFileInPieces) {
  const test::TemporaryDirectory directory;
  auto log = LogFile::open(directory / "log", LogFile::Start::empty);
  const std::string line(1000, 'x');
  for (int i = 0; i < 1000; ++i) log->write(line);
  const auto seen = directory.read("log").size();
  EXPECT_GT(seen, 900'000U);
  ASSERT_TRUE(log->flush());
  EXPECT_EQ(directory.read("log").size(), 1'000'000U);
}

TEST(LogFile, KeepsItsFirstError) {
  auto log = LogFile::open("/dev/full", LogFile::Start::empty);
  ASSERT_TRUE(log);
  log->write("x");
  EXPECT_EQ(log->flush().error().message, "cannot write /dev/full: No space left on device");
  EXPECT_FALSE(log->flush());
}

TEST(LogFile, RefusesDirectoriesAndPipesThatNobodyReads) {
  const test::TemporaryDirectory directory;
  ASSERT_EQ(::mkfifo((directory / "pipe").c_str(), 0600), 0);
  const auto pipe = LogFile::open(directory / "pipe", LogFile::Start::empty);
  EXPECT_THAT(pipe.error().message,
              testing::EndsWith("nobody reads this pipe; start its reader first"));
  const auto place = LogFile::open(directory.path(), LogFile::Start::empty);
  EXPECT_THAT(place.error().message, testing::EndsWith("Is a directory"));
}

}  // namespace
}  // namespace hallmark::base
