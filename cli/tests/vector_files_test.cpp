#include "cli/vectors/vector_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/tests/temporary_directory.hpp"
#include "vectors/format/json.hpp"

namespace hallmark::cli {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

vectors::Vector vector_named(const std::string& id, const std::string& title) {
  vectors::Vector vector;
  vector.id = id;
  vector.title = title;
  vector.operation = "WHOAMI";
  vector.clauses = {"whoami.id"};
  vectors::Send send;
  send.operation = "WHOAMI";
  send.bytes = {0x18};
  vector.steps = {{"c1", send}};
  return vector;
}

std::string file_with(std::vector<vectors::Vector> vectors) {
  vectors::VectorFile file;
  file.dialect = "throttr-7.1";
  file.width = protocol::Width::u8;
  file.operation = "WHOAMI";
  file.vectors = std::move(vectors);
  return write_json(file);
}

class VectorFiles : public testing::Test {
 protected:
  void put(const fs::path& path, const std::string& text) { temporary_.write(path, text); }
  std::string get(const fs::path& path) { return temporary_.read(path); }
  Drift drift() {
    const auto committed = read_vector_files(directory_, generated_);
    EXPECT_TRUE(committed);
    return compare(*committed, generated_);
  }

  base::test::TemporaryDirectory temporary_;
  const fs::path& directory_ = temporary_.path();
  VectorTexts generated_{{"a/u8/x.json", "one\n"}, {"a/u16/x.json", "two\nthree\n"}};
};

TEST_F(VectorFiles, NothingThereIsAllMissing) {
  EXPECT_THAT(drift().missing, ElementsAre("a/u16/x.json", "a/u8/x.json"));
}

TEST_F(VectorFiles, WrittenOnceThenUpToDate) {
  const auto first = write_vector_files(directory_, generated_);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->written, 2U);
  EXPECT_EQ(get("a/u16/x.json"), "two\nthree\n");
  EXPECT_TRUE(drift().empty());
  const auto second = write_vector_files(directory_, generated_);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->written + second->removed, 0U);
}

TEST_F(VectorFiles, ExtraFilesAreFoundAndRemoved) {
  ASSERT_TRUE(write_vector_files(directory_, generated_));
  put("a/u8/y.json", "{}");
  put("a/u24/z.json", "{}");
  EXPECT_THAT(drift().extra, ElementsAre("a/u24/z.json", "a/u8/y.json"));
  const auto counts = write_vector_files(directory_, generated_);
  ASSERT_TRUE(counts);
  EXPECT_EQ(counts->removed, 2U);
  EXPECT_TRUE(drift().empty());
}

TEST_F(VectorFiles, WhatIsNoneOfTheirsStays) {
  put("captured/server.json", "captured");
  put("schema/vectors.schema.json", "schema");
  put("a/u8/README.md", "text");
  ASSERT_TRUE(write_vector_files(directory_, generated_));
  EXPECT_TRUE(drift().empty());
  EXPECT_EQ(get("captured/server.json"), "captured");
  EXPECT_EQ(get("schema/vectors.schema.json"), "schema");
  EXPECT_EQ(get("a/u8/README.md"), "text");
}

TEST_F(VectorFiles, UnwritablePlaceIsAnError) {
  put("a", "a file where a directory is needed");
  const auto written = write_vector_files(directory_, generated_);
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, testing::HasSubstr((directory_ / "a").string()));
}

TEST(CompareVectorFiles, FirstDifferingLine) {
  struct Row {
    const char* name;
    const char* committed;
    const char* generated;
    std::size_t line;
    const char* was;
    const char* becomes;
  };
  const Row rows[] = {
      {"first", "a\nb\n", "c\nb\n", 1, "a", "c"}, {"last", "a\nb\n", "a\nc\n", 2, "b", "c"},
      {"cut off", "a\n", "a\nb\n", 2, "", "b"},   {"longer", "a\nb\n", "a\n", 2, "b", ""},
      {"empty", "", "a\n", 1, "", "a"},
  };
  for (const auto& row : rows) {
    const auto drift = compare({{"x", row.committed}}, {{"x", row.generated}});
    ASSERT_EQ(drift.differing.size(), 1U) << row.name;
    const auto& found = drift.differing.front();
    EXPECT_EQ(found.line, row.line) << row.name;
    EXPECT_EQ(found.committed, row.was) << row.name;
    EXPECT_EQ(found.generated, row.becomes) << row.name;
    EXPECT_EQ(found.vector_id, "") << row.name;
  }
}

TEST(CompareVectorFiles, FirstDifferingVector) {
  const auto a = vector_named("a", "first");
  const auto b = vector_named("b", "second");
  const auto changed = vector_named("b", "changed");
  struct Row {
    const char* name;
    std::string committed, generated;
    const char* id;
  };
  const Row rows[] = {{"changed", file_with({a, changed}), file_with({a, b}), "b"},
                      {"new", file_with({a}), file_with({a, b}), "b"},
                      {"gone", file_with({a, b}), file_with({a}), "b"},
                      {"only spaces", file_with({a}) + "\n", file_with({a}), ""}};
  for (const auto& row : rows) {
    const auto drift = compare({{"x", row.committed}}, {{"x", row.generated}});
    ASSERT_EQ(drift.differing.size(), 1U) << row.name;
    EXPECT_EQ(drift.differing.front().vector_id, row.id) << row.name;
  }
}

TEST(CompareVectorFiles, SameIsNoDrift) {
  EXPECT_TRUE(compare({{"x", "a\n"}}, {{"x", "a\n"}}).empty());
}

}  // namespace
}  // namespace hallmark::cli
