#include "embedded/embedded.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cmake/places/places.hpp"
#include "embedded/bundle.hpp"

namespace hallmark::embedded {
namespace {

namespace fs = std::filesystem;

std::string text_of_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Embedded, EveryVectorFileIsCarriedAsItIs) {
  std::size_t compared = 0;
  for (const auto& entry : fs::recursive_directory_iterator(places::source("vectors"))) {
    const std::string path = fs::relative(entry.path(), places::source("vectors")).string();
    if (entry.path().extension() != ".json" || path.starts_with("captured/")) continue;
    const auto carried = text_of(path);
    ASSERT_TRUE(carried) << path;
    EXPECT_EQ(*carried, text_of_file(entry.path())) << path;
    ++compared;
  }
  EXPECT_GT(compared, 50U);
}

TEST(Embedded, EverySchemaIsCarriedAsItIs) {
  const auto schemas = files_in("schema");
  EXPECT_THAT(schemas,
              testing::IsSupersetOf({"schema/certify.schema.json", "schema/load.schema.json",
                                     "schema/vectors.schema.json"}));
  EXPECT_EQ(*text_of("schema/load.schema.json"),
            text_of_file(places::source("reports/schema/load.schema.json")));
}

TEST(Embedded, AFolderIsListedWithoutThoseBelowIt) {
  const auto deployed = files_in("throttr-7.1");
  EXPECT_THAT(deployed, testing::Contains("throttr-7.1/insert.json"));
  EXPECT_THAT(deployed, testing::Not(testing::Contains(testing::HasSubstr("/literal/"))));
  EXPECT_TRUE(std::ranges::is_sorted(deployed));
  EXPECT_THAT(files_in("throttr-7.1/literal"),
              testing::Each(testing::StartsWith("throttr-7.1/literal/")));
  EXPECT_THAT(files_in("throttr"), testing::IsEmpty());
  EXPECT_THAT(files_in(""), testing::IsEmpty());
}

TEST(Embedded, WhatIsNotCarriedIsNotFound) {
  EXPECT_FALSE(text_of("throttr-7.1/absent.json"));
  EXPECT_FALSE(text_of("throttr-7.1"));
  EXPECT_FALSE(text_of(""));
}

TEST(Embedded, ADamagedFrameIsRefused) {
  constexpr unsigned char damaged[] = {0x28, 0xb5, 0x2f, 0xfd, 0x01};
  constexpr Entry entries[] = {{"a.json", 0, 4}};
  Bundle bundle("damaged", damaged, 4, entries);
  EXPECT_THROW(bundle.text_of(entries[0]), std::logic_error);
}

}  // namespace
}  // namespace hallmark::embedded
