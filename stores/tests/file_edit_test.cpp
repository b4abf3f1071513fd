#include "stores/file_edit.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/descriptor.hpp"
#include "base/tests/temporary_directory.hpp"
#include "stores/tests/collect.hpp"
#include "stores/tests/support/server_process.hpp"

namespace hallmark::stores {
namespace {

using testing::HasSubstr;

class FileEditTest : public testing::Test {
 protected:
  void write(std::string_view content) const { directory_.write("states", content); }
  std::string read() const { return directory_.read("states"); }
  std::filesystem::path path() const { return directory_.path() / "states"; }
  std::size_t files() const { return directory_.entries(); }
  std::vector<Kept> entries(const ScanOptions& options = {}) const {
    return collect(base::FileEndpoint{path()}, options);
  }
  static Entry entry(const Kept& kept) { return {.line = kept.line}; }

  base::test::TemporaryDirectory directory_;
};

TEST_F(FileEditTest, ReplacesDropsAppendsAndKeepsTheRest) {
  write("a\told\r\n\nodd \t line\nb\tgone\nc\t1");
  const auto found = entries();
  auto edit = FileEdit::open(path());
  ASSERT_TRUE(edit) << edit.error().message;
  ASSERT_TRUE(edit->replace(entry(found[0]), "new state"));
  ASSERT_TRUE(edit->drop(entry(found[2])));
  ASSERT_TRUE(edit->replace(entry(found[3]), ""));
  ASSERT_TRUE(edit->append("d", "2"));
  ASSERT_TRUE(edit->append("", "3"));
  EXPECT_EQ(read(), "a\told\r\n\nodd \t line\nb\tgone\nc\t1");
  ASSERT_TRUE(edit->commit());
  EXPECT_EQ(read(), "a\tnew state\r\n\nodd \t line\nc\t\nd\t2\n3\n");
  EXPECT_EQ(files(), 1U);
}

TEST_F(FileEditTest, AppendedLinesEndAsTheLastOne) {
  for (const std::string end : {"\n", "\r\n"}) {
    for (const std::string last : {"b\t2", ""}) {
      write("a\t1" + end + last);
      auto edit = FileEdit::open(path());
      ASSERT_TRUE(edit->append("c", "3"));
      ASSERT_TRUE(edit->commit());
      EXPECT_EQ(read(), "a\t1" + end + last + (last.empty() ? "" : end) + "c\t3" + end);
    }
  }
}

TEST_F(FileEditTest, WithoutChangesTheBytesAreTheSame) {
  std::string content;
  for (int i = 0; i < 300'000; ++i) content += fmt::format("{}\t{}\r\n", i, i * 31);
  write(content);
  auto edit = FileEdit::open(path());
  ASSERT_TRUE(edit->commit());
  EXPECT_EQ(read(), content);
}

TEST_F(FileEditTest, ManyChangesAcrossBuffers) {
  std::string content, wanted;
  for (int i = 0; i < 200'000; ++i) {
    content += fmt::format("key {}\tstate {}\n", i, i);
    if (i % 3 == 0) wanted += fmt::format("key {}\tx{}\n", i, i);
    if (i % 3 == 1) wanted += fmt::format("key {}\tstate {}\n", i, i);
  }
  write(content);
  auto edit = FileEdit::open(path());
  const auto found = entries();
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (i % 3 == 1) continue;
    const auto changed = i % 3 == 0 ? edit->replace(entry(found[i]), fmt::format("x{}", i))
                                    : edit->drop(entry(found[i]));
    ASSERT_TRUE(changed);
  }
  ASSERT_TRUE(edit->commit());
  EXPECT_EQ(read(), wanted);
}

TEST_F(FileEditTest, AnOverlongLineStaysAsItIs) {
  const std::string line = "a\t" + std::string(3'000'000, 'x') + "\n";
  write(line + "b\t1\n");
  const auto found = entries({.longest_line = 100});
  auto edit = FileEdit::open(path());
  ASSERT_TRUE(edit->replace(entry(found[1]), "2"));
  ASSERT_TRUE(edit->commit());
  EXPECT_EQ(read(), line + "b\t2\n");
}

TEST_F(FileEditTest, WithoutCommitNothingHappens) {
  write("a\t1\n");
  {
    auto edit = FileEdit::open(path());
    ASSERT_TRUE(edit->replace(entry(entries()[0]), "2"));
  }
  EXPECT_EQ(read(), "a\t1\n");
  EXPECT_EQ(files(), 1U);
}

TEST_F(FileEditTest, WhatOthersWroteMeanwhileIsNotOverwritten) {
  for (const char* const theirs : {"a\t1\nb\t2\n", "a\t7\n", ""}) {
    write("a\t1\n");
    std::filesystem::last_write_time(path(), {});
    auto edit = FileEdit::open(path());
    ASSERT_TRUE(edit->replace(entry(entries()[0]), "2"));
    write(theirs);
    EXPECT_THAT(error_of(edit->commit()).message,
                testing::AnyOf(HasSubstr("changed by others"), HasSubstr("became shorter")));
    EXPECT_EQ(read(), theirs);
  }
}

TEST_F(FileEditTest, RefusesWhatWouldBreakLines) {
  write("a\t1\nb\t2\n");
  const auto found = entries();
  auto edit = FileEdit::open(path());
  EXPECT_EQ(error_of(edit->replace(entry(found[0]), "1\n2")).kind, ErrorKind::usage);
  EXPECT_EQ(error_of(edit->append("a\tb", "1")).kind, ErrorKind::usage);
  ASSERT_TRUE(edit->replace(entry(found[1]), "3"));
  EXPECT_THAT(error_of(edit->replace(entry(found[0]), "3")).message, HasSubstr("order"));
}

TEST_F(FileEditTest, WhatIsNoFileIsRefused) {
  EXPECT_EQ(error_of(FileEdit::open(path())).kind, ErrorKind::missing);
  EXPECT_THAT(error_of(FileEdit::open("/dev/null")).message, HasSubstr("not a regular file"));
  const auto pipe = directory_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(error_of(FileEdit::open(pipe)).message, HasSubstr("not a regular file"));
  write("a\t1\n");
  const base::Descriptor file(::open(path().c_str(), O_RDWR | O_CLOEXEC));
  const auto by_number = FileEdit::open("/dev/fd/" + std::to_string(file.get()));
  EXPECT_THAT(error_of(by_number).message, HasSubstr("not a regular file"));
}

TEST_F(FileEditTest, KeepsTheModeAndALink) {
  write("a\t1\n");
  std::filesystem::permissions(path(), std::filesystem::perms(0640));
  const auto link = directory_ / "link";
  std::filesystem::create_symlink("states", link);
  auto edit = FileEdit::open(link);
  ASSERT_TRUE(edit->append("b", "2"));
  ASSERT_TRUE(edit->commit());
  EXPECT_EQ(read(), "a\t1\nb\t2\n");
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(std::filesystem::status(path()).permissions(), std::filesystem::perms(0640));
}

}  // namespace
}  // namespace hallmark::stores
