#include "vectors/generator/states/rehearsed_states.hpp"

#include <gmock/gmock.h>

#include <set>

#include "protocol/dialects.hpp"

namespace hallmark::vectors::generator {
namespace {

const std::vector<StateVectorFile>& files() {
  static const auto made = rehearsed_states();
  static const std::vector<StateVectorFile> none;
  EXPECT_TRUE(made.has_value()) << made.error().message;
  return made ? *made : none;
}

TEST(StateVectors, AreAnsweredAsExpectedByTheReference) { EXPECT_EQ(files().size(), 5U); }

TEST(StateVectors, HaveIdsOfTheirOwn) {
  std::set<std::string> ids;
  for (const auto& file : files()) {
    for (const auto& vector : file.vectors) {
      EXPECT_TRUE(ids.insert(vector.id).second) << vector.id;
      EXPECT_THAT(vector.id, ::testing::StartsWith("ratelimit-state/" + file.strategy + "/" +
                                                   vector.operation + "/"));
      EXPECT_FALSE(vector.steps.empty()) << vector.id;
    }
  }
  EXPECT_GT(ids.size(), 150U);
}

TEST(StateVectors, HoldEveryFormat) {
  std::set<std::string> seen;
  for (const auto& file : files()) {
    for (const auto& vector : file.vectors)
      seen.insert(vector.formats.begin(), vector.formats.end());
  }
  for (const protocol::Format& format : protocol::ratelimit_state.formats)
    EXPECT_TRUE(seen.contains(std::string(format.name))) << format.name;
}

/// The cases of `certify` cover what no vector can show: numbers in odd spellings may be read or
/// refused, and an adapter need not tell expiries.
TEST(StateVectors, CiteEveryClauseButThoseOfProperties) {
  std::set<std::string, std::less<>> cited;
  for (const auto& file : files()) {
    for (const auto& vector : file.vectors)
      cited.insert(vector.clauses.begin(), vector.clauses.end());
  }
  std::vector<std::string_view> left;
  for (const protocol::Clause& clause : protocol::ratelimit_state.clauses) {
    // The line protocol is not what is stored.
    if (clause.id.starts_with("adapter.")) continue;
    if (!cited.contains(clause.id)) left.push_back(clause.id);
  }
  EXPECT_THAT(left,
              ::testing::ElementsAre("fixed-window.ttl", "silence.numbers", "silence.expiry"));
}

}  // namespace
}  // namespace hallmark::vectors::generator
