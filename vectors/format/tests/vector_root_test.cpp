#include "vectors/format/vector_root.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/tests/temporary_directory.hpp"
#include "cmake/places/places.hpp"
#include "protocol/dialects.hpp"
#include "vectors/format/json.hpp"
#include "vectors/format/state_json.hpp"

namespace hallmark::vectors {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(VectorRoot, TheProgramHasWhatTheSourceTreeHas) {
  for (const auto* const dialect : protocol::all_dialects) {
    if (dialect->transport == protocol::Transport::at_rest) continue;
    const auto carried = load_directory("", dialect->name, dialect->widths.front());
    const auto of_tree =
        load_directory(places::source("vectors"), dialect->name, dialect->widths.front());
    ASSERT_TRUE(carried) << carried.error().message;
    EXPECT_TRUE(*carried == *of_tree) << dialect->name;
  }
  const auto states = load_state_directory("");
  ASSERT_TRUE(states) << states.error().message;
  EXPECT_EQ(states->size(), load_state_directory(places::source("vectors"))->size());
}

TEST(VectorRoot, ReadsADirectory) {
  const base::test::TemporaryDirectory temporary;
  std::filesystem::create_directories(temporary.path() / "folder/below");
  for (const char* const name :
       {"folder/b.json", "folder/a.json", "folder/c.txt", "folder/below/d.json"})
    std::ofstream(temporary.path() / name) << name;
  const VectorRoot root(temporary.path());
  EXPECT_FALSE(root.is_program());
  EXPECT_THAT(*root.files_in("folder"), ElementsAre("folder/a.json", "folder/b.json"));
  EXPECT_EQ(*root.read("folder/a.json"), "folder/a.json");
  EXPECT_FALSE(root.has("absent"));
  EXPECT_THAT(root.files_in("absent").error().message,
              HasSubstr((temporary.path() / "absent").string()));
}

TEST(VectorRoot, MessagesNameTheProgram) {
  const VectorRoot program("");
  EXPECT_TRUE(program.is_program());
  EXPECT_TRUE(program.has("throttr-7.1/literal"));
  EXPECT_EQ(program.files_in("absent").error().message,
            "the program's own absent: holds no .json file, expected vector files");
  EXPECT_EQ(program.read("absent.json").error().message,
            "the program's own absent.json: there is none, expected a vector file");
}

}  // namespace
}  // namespace hallmark::vectors
