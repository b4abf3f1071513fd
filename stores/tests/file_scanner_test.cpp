#include "stores/file_scanner.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/tests/temporary_directory.hpp"
#include "stores/tests/collect.hpp"
#include "stores/tests/support/server_process.hpp"

namespace hallmark::stores {
namespace {

class FileScanner : public testing::Test {
 protected:
  Address write(std::string_view content) const {
    const auto path = directory_.path() / "states";
    std::ofstream(path, std::ios::binary) << content;
    return base::FileEndpoint{path};
  }

  base::test::TemporaryDirectory directory_;
};

TEST_F(FileScanner, KeysStatesAndWhereTheyAre) {
  const auto entries = collect(write("a\t12|1|2\n\n42|7\r\nb\t\n\tx\nlast"));
  ASSERT_EQ(entries.size(), 5U);
  EXPECT_EQ(entries[0].key, "a");
  EXPECT_EQ(entries[0].value, "12|1|2");
  EXPECT_EQ(entries[1].key, "3") << "the empty line counts";
  EXPECT_EQ(entries[1].value, "42|7");
  EXPECT_EQ(entries[1].line.begin, 10U);
  EXPECT_EQ(entries[1].line.value_end, 14U);
  EXPECT_EQ(entries[1].line.end, 16U);
  EXPECT_EQ(entries[2].key, "b");
  EXPECT_EQ(entries[2].value, "");
  EXPECT_EQ(entries[3].key, "");
  EXPECT_EQ(entries[3].line.value, 20U);
  EXPECT_EQ(entries[4].key, "6");
  EXPECT_EQ(entries[4].value, "last");
}

TEST_F(FileScanner, AnEmptyFileHasNothing) { EXPECT_TRUE(collect(write("")).empty()); }

TEST_F(FileScanner, LinesAcrossBuffersAndBatches) {
  std::string content;
  constexpr std::size_t lines = 100'000;
  for (std::size_t i = 0; i < lines; ++i) content += fmt::format("key:{}\tstate of {}\n", i, i * 7);
  for (const std::size_t batch : {1UL, 7UL, 1000UL, 100'000UL}) {
    const auto entries = collect(write(content), {.batch = batch});
    ASSERT_EQ(entries.size(), lines);
    for (std::size_t i = 0; i < lines; ++i) {
      ASSERT_EQ(entries[i].key, fmt::format("key:{}", i));
      ASSERT_EQ(entries[i].value, fmt::format("state of {}", i * 7));
      ASSERT_EQ(content.substr(entries[i].line.value, entries[i].value.size()), entries[i].value);
    }
  }
}

TEST_F(FileScanner, AnOverlongLineIsReportedAndPassed) {
  // One that the buffer holds, and one that it does not.
  for (const std::size_t length : {101UL, 5'000'000UL}) {
    const std::string state(length, 'x');
    const auto entries = collect(write("a\t1\nlong\t" + state + "\nb\t2\n"), {.longest_line = 100});
    ASSERT_EQ(entries.size(), 3U);
    EXPECT_EQ(entries[1].kind, EntryKind::overlong);
    EXPECT_EQ(entries[1].key, "long");
    EXPECT_LE(entries[1].value.size(), 100U);
    EXPECT_THAT(entries[1].value, testing::StartsWith("xxxx"));
    EXPECT_EQ(entries[1].line.begin, 4U);
    EXPECT_EQ(entries[1].line.end, 4 + 5 + length + 1);
    EXPECT_EQ(entries[2].key, "b");
    EXPECT_EQ(entries[2].line.begin, entries[1].line.end);
  }
}

TEST_F(FileScanner, AnOverlongLastLineNeedsNoEnd) {
  const auto entries = collect(write(std::string(3'000'000, 'x')), {.longest_line = 100});
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].kind, EntryKind::overlong);
  EXPECT_EQ(entries[0].key, "1");
}

TEST_F(FileScanner, ALineAsLongAsAllowedIsNot) {
  const auto entries = collect(write(fmt::format("{:x>100}\n", "")), {.longest_line = 100});
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].kind, EntryKind::text);
  EXPECT_EQ(entries[0].value.size(), 100U);
}

TEST_F(FileScanner, KeysThatMatch) {
  const auto store = write("a:1\tx\nb:1\ty\na:2\tz\n[a\tw\n");
  EXPECT_THAT(texts_of(collect(store, {.match = "a:*"})),
              testing::ElementsAre(testing::Pair("a:1", "x"), testing::Pair("a:2", "z")));
  EXPECT_EQ(collect(store, {.match = "[^a]:?"}).size(), 1U);
  EXPECT_EQ(collect(store, {.match = "\\[a"}).size(), 1U);
  EXPECT_TRUE(collect(store, {.match = "c*"}).empty());
}

TEST_F(FileScanner, ProgressIsInBytes) {
  const auto scanner = open_scanner(write("a\t1\nb\t2\n"), {.batch = 1});
  EXPECT_EQ((*scanner)->progress().total, 8U);
  ASSERT_TRUE((*scanner)->next());
  EXPECT_EQ((*scanner)->progress().done, 4U);
  EXPECT_TRUE((*scanner)->progress().bytes);
}

TEST_F(FileScanner, WhatCannotBeReadIsExplained) {
  const auto missing = error_of(open_scanner(base::FileEndpoint{directory_.path() / "no"}, {}));
  EXPECT_EQ(missing.kind, ErrorKind::missing);
  EXPECT_EQ(missing.message,
            "cannot read " + (directory_.path() / "no").string() + ": No such file or directory");
  const auto directory = error_of(open_scanner(base::FileEndpoint{directory_.path()}, {}));
  EXPECT_EQ(directory.kind, ErrorKind::usage);
  EXPECT_THAT(directory.message, testing::EndsWith("Is a directory"));
  EXPECT_EQ(error_of(open_scanner(write(""), {.batch = 0})).kind, ErrorKind::usage);
}

TEST_F(FileScanner, APathThatReadsAsAnAddressSuggestsItsScheme) {
  EXPECT_EQ(error_of(open_scanner(base::FileEndpoint{"127.0.0.1:6390"}, {})).message,
            "cannot read 127.0.0.1:6390: No such file or directory; did you mean "
            "redis://127.0.0.1:6390?");
  EXPECT_EQ(error_of(open_scanner(base::FileEndpoint{"me:secret@db:5432"}, {})).message,
            "cannot read me:***@db:5432: No such file or directory; did you mean "
            "postgres://me:***@db:5432?");
  const auto path = directory_.path() / "states:1";
  std::ofstream(path) << "a\t1\n";
  EXPECT_EQ(collect(base::FileEndpoint{path}).size(), 1U);
}

}  // namespace
}  // namespace hallmark::stores
