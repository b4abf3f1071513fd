#include "cli/mutants/lone_kills.hpp"

#include <gmock/gmock.h>

#include <thread>
#include <vector>

namespace hallmark::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Optional;

const BugPlace place{"purge.keeps", "throttr-7.1", "u16"};

std::optional<CaseIds> must_not_play() {
  ADD_FAILURE() << "was played";
  return std::nullopt;
}

TEST(LoneKills, PlayABugOnce) {
  LoneKills kills;
  int played = 0;
  const auto play = [&] {
    ++played;
    return std::optional(CaseIds{"purge/typical"});
  };
  EXPECT_THAT(kills.of(place, play), Optional(ElementsAre("purge/typical")));
  EXPECT_THAT(kills.of(place, play), Optional(ElementsAre("purge/typical")));
  EXPECT_EQ(played, 1);
}

TEST(LoneKills, PlayABugOnceForManyThreads) {
  LoneKills kills;
  std::atomic<int> played = 0;
  const auto play = [&] {
    ++played;
    return std::optional(CaseIds{"purge/typical"});
  };
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back(
          [&] { EXPECT_THAT(kills.of(place, play), Optional(ElementsAre("purge/typical"))); });
    }
  }
  EXPECT_EQ(played, 1);
}

TEST(LoneKills, AreKeptApartByDialectAndWidth) {
  LoneKills kills;
  const auto at = [&](BugPlace other, const std::string& id) {
    return kills.of(other, [&] { return std::optional(CaseIds{id}); });
  };
  EXPECT_THAT(at(place, "a"), Optional(ElementsAre("a")));
  EXPECT_THAT(at({place.bug, place.dialect, "u8"}, "b"), Optional(ElementsAre("b")));
  EXPECT_THAT(at({place.bug, "throttr-7.3", place.width}, "c"), Optional(ElementsAre("c")));
}

TEST(LoneKills, AreReadAsTheyAreWritten) {
  LoneKills kills;
  kills.of(place, [] { return std::optional(CaseIds{"a", "b"}); });
  kills.of({"never.seen", "ratelimit-udp", "none"}, [] { return std::optional(CaseIds()); });
  kills.of({"cut.off", "ratelimit-udp", "none"}, [] { return std::optional<CaseIds>(); });
  const base::Json written = kills.json();
  EXPECT_EQ(written.size(), 2U) << "an interrupted run tells nothing";
  LoneKills read;
  const auto outcome = read.read(base::Json{{"mutants", written}}.dump());
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_THAT(read.of(place, must_not_play), Optional(ElementsAre("a", "b")));
  EXPECT_EQ(read.json(), written);
}

TEST(LoneKills, RefuseWhatIsNotAKillMatrix) {
  LoneKills kills;
  EXPECT_THAT(kills.read("{}").error().message, HasSubstr("mutants"));
  EXPECT_THAT(
      kills.read(R"({"mutants":[{"id":"a","dialect":"b","killed_by":[]}]})").error().message,
      HasSubstr("width"));
}

}  // namespace
}  // namespace hallmark::cli
