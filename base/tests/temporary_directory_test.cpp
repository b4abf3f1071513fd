#include "base/temporary_directory.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "base/output_file.hpp"
#include "base/tests/temporary_directory.hpp"

namespace hallmark::base {
namespace {

namespace fs = std::filesystem;

TEST(TemporaryDirectory, IsOfThisUserAloneAndGoesAwayWithItsFiles) {
  fs::path path;
  {
    const auto directory = TemporaryDirectory::create("hallmark-base");
    ASSERT_TRUE(directory);
    path = directory->path();
    EXPECT_THAT(path.filename().string(), testing::StartsWith("hallmark-base-"));
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
    ASSERT_TRUE(write_file(path / "a", "text"));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryDirectory, HasANameOfItsOwn) {
  const auto one = TemporaryDirectory::create("hallmark-base");
  const auto other = TemporaryDirectory::create("hallmark-base");
  EXPECT_NE(one->path(), other->path());
}

TEST(TemporaryDirectory, StaysWhenItIsMoved) {
  auto first = TemporaryDirectory::create("hallmark-base");
  ASSERT_TRUE(first);
  const TemporaryDirectory second(std::move(*first));
  EXPECT_TRUE(fs::is_directory(second.path()));
}

TEST(TemporaryDirectory, SaysWhereNoneCanBeMade) {
  const test::TemporaryDirectory parent;
  const auto file = parent.write("file", "");
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("TMPDIR", file.c_str(), 1);
  const auto refused = TemporaryDirectory::create("hallmark-base");
  before == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", kept.c_str(), 1);
  EXPECT_THAT(refused.error().message, testing::StartsWith("cannot make a temporary directory"));
}

}  // namespace
}  // namespace hallmark::base
