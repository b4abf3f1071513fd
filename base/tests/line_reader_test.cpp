#include "base/line_reader.hpp"

#include <gmock/gmock.h>

#include <vector>

#include "base/read_file.hpp"
#include "base/tests/temporary_directory.hpp"

namespace hallmark::base {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Lines {
  std::vector<std::string> lines;
  std::string error;
};

Lines read(const std::filesystem::path& path, std::uint64_t most = mebibyte) {
  Lines read;
  auto reader = LineReader::open(path, most, "a list of keys");
  if (!reader) return {{}, reader.error().message};
  while (true) {
    const auto line = reader->next();
    if (!line) return {read.lines, line.error().message};
    if (!*line) return read;
    read.lines.emplace_back(**line);
    EXPECT_EQ(reader->line_number(), read.lines.size());
  }
}

TEST(LineReader, ReadsLinesAsTheyAre) {
  const test::TemporaryDirectory directory;
  EXPECT_THAT(read(directory.write("a", "one\n\ntwo\r\nthree")).lines,
              ElementsAre("one", "", "two\r", "three"));
  EXPECT_THAT(read(directory.write("b", "one\n")).lines, ElementsAre("one"));
  EXPECT_THAT(read(directory.write("c", "")).lines, IsEmpty());
}

TEST(LineReader, ReadsLinesAcrossItsBuffer) {
  const test::TemporaryDirectory directory;
  std::string content;
  std::vector<std::string> expected;
  for (std::size_t length = 0; content.size() < 500'000; length = (7 * length + 5) % 3'001) {
    expected.emplace_back(length, 'x');
    content += expected.back() + '\n';
  }
  EXPECT_EQ(read(directory.write("a", content)).lines, expected);
}

TEST(LineReader, AFileAndALineHaveAMost) {
  const test::TemporaryDirectory directory;
  const auto path = directory.write("a", "12345\n12345\n");
  EXPECT_EQ(read(path, 12).error, "");
  EXPECT_EQ(read(path, 11).error,
            path.string() + " is larger than 11 bytes, the most that a list of keys may have");
  EXPECT_EQ(
      read("/dev/zero", std::uint64_t{1} << 40).error,
      "/dev/zero:1: the line is longer than 1 MiB, the most that a line of a list of keys may "
      "have");
}

TEST(LineReader, NamesWhatCannotBeRead) {
  EXPECT_EQ(read("/").error, "cannot read /: Is a directory; expected a list of keys");
  EXPECT_EQ(read("/nowhere/file").error,
            "cannot read /nowhere/file: No such file or directory; expected a list of keys");
}

}  // namespace
}  // namespace hallmark::base
