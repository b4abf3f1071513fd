#include "base/read_file.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <thread>

#include "base/tests/temporary_directory.hpp"

namespace hallmark::base {
namespace {

std::string message(const std::filesystem::path& path, std::size_t most) {
  const auto read = read_file(path, most, "a results file");
  return read ? "" : read.error().message;
}

TEST(ReadFile, ReadsAllBytesOfAFileThatIsNotLargerThanItMayBe) {
  const test::TemporaryDirectory directory;
  const std::string content("a\0b\r\n\xff", 6);
  const auto path = directory.write("file", content);
  EXPECT_EQ(*read_file(path, content.size(), "a results file"), content);
  EXPECT_EQ(*read_file(directory.write("empty", ""), 0, "a results file"), "");
  EXPECT_EQ(message(path, content.size() - 1),
            path.string() + " is larger than 5 bytes, the most that a results file may have");
}

TEST(ReadFile, AnEndlessFileIsRefusedAtItsBound) {
  EXPECT_EQ(message("/dev/zero", 64 * mebibyte),
            "/dev/zero is larger than 64 MiB, the most that a results file may have");
}

TEST(ReadFile, NamesWhatCannotBeReadAndWhatWasExpected) {
  EXPECT_EQ(message("/", 10), "cannot read /: Is a directory; expected a results file");
  EXPECT_EQ(message("/nowhere/file", 10),
            "cannot read /nowhere/file: No such file or directory; expected a results file");
}

TEST(ReadFile, ReadsAPipe) {
  const test::TemporaryDirectory directory;
  const auto pipe = directory / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { directory.write("pipe", "through a pipe"); });
  EXPECT_EQ(*read_file(pipe, 100, "text"), "through a pipe");
  writer.join();
}

}  // namespace
}  // namespace hallmark::base
