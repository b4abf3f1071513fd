#include "cli/mutants/lone_kills.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>
#include <thread>
#include <vector>

namespace hallmark::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;

const BugPlace place{"purge.keeps", "throttr-7.1", "u16"};

/// A bug that these cases find; counts what is played.
class FakePlayer final : public LonePlayer {
 public:
  explicit FakePlayer(CaseIds killing, CaseIds likely = {"likely"})
      : killing_(std::move(killing)), likely_(std::move(likely)) {}

  std::optional<Kills> play_likely() override { return play(likely_); }
  std::optional<Kills> play(const CaseIds& ids) override {
    played.emplace_back(ids);
    if (interrupted) return std::nullopt;
    Kills kills{{}, ids};
    std::ranges::set_intersection(ids, killing_,
                                  std::inserter(kills.killed_by, kills.killed_by.end()));
    return kills;
  }
  std::optional<Kills> play_all() override {
    ++whole;
    if (interrupted) return std::nullopt;
    return Kills{killing_, std::nullopt};
  }

  std::vector<CaseIds> played;
  int whole = 0;
  bool interrupted = false;

 private:
  CaseIds killing_;
  CaseIds likely_;
};

TEST(LoneKills, AreFoundOutOnce) {
  LoneKills kills;
  FakePlayer player({"a", "b"});
  EXPECT_THAT(kills.all(place, player), Optional(ElementsAre("a", "b")));
  EXPECT_THAT(kills.all(place, player), Optional(ElementsAre("a", "b")));
  EXPECT_THAT(kills.among(place, {"b", "c"}, player), Optional(ElementsAre("b")));
  EXPECT_THAT(kills.is_found(place, player), Optional(true));
  EXPECT_EQ(player.whole, 1);
  EXPECT_THAT(player.played, IsEmpty());
}

TEST(LoneKills, PlayNoMoreThanIsAskedFor) {
  LoneKills kills;
  FakePlayer player({"likely", "b"});
  EXPECT_THAT(kills.is_found(place, player), Optional(true));
  EXPECT_THAT(kills.among(place, {"b", "likely"}, player), Optional(ElementsAre("b", "likely")));
  EXPECT_THAT(kills.among(place, {"b", "c"}, player), Optional(ElementsAre("b")));
  EXPECT_THAT(kills.among(place, {"c"}, player), Optional(IsEmpty()));
  EXPECT_THAT(player.played, ElementsAre(CaseIds{"likely"}, CaseIds{"b"}, CaseIds{"c"}));
  EXPECT_EQ(player.whole, 0);
}

TEST(LoneKills, PlayAllCasesBeforeABugCountsAsNotFound) {
  LoneKills kills;
  FakePlayer hard_to_find({"rare"});
  EXPECT_THAT(kills.is_found(place, hard_to_find), Optional(true));
  EXPECT_EQ(hard_to_find.whole, 1);
  FakePlayer never_found({});
  const BugPlace other{"never.seen", place.dialect, place.width};
  EXPECT_THAT(kills.is_found(other, never_found), Optional(false));
  EXPECT_THAT(kills.is_found(other, never_found), Optional(false));
  EXPECT_EQ(never_found.whole, 1);
}

TEST(LoneKills, PlayABugOnceForManyThreads) {
  LoneKills kills;
  FakePlayer player({"a"});
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back(
          [&] { EXPECT_THAT(kills.all(place, player), Optional(ElementsAre("a"))); });
    }
  }
  EXPECT_EQ(player.whole, 1);
}

TEST(LoneKills, AreKeptApartByDialectAndWidth) {
  LoneKills kills;
  const auto at = [&](const BugPlace& other, const std::string& id) {
    FakePlayer player({id});
    return kills.all(other, player);
  };
  EXPECT_THAT(at(place, "a"), Optional(ElementsAre("a")));
  EXPECT_THAT(at({place.bug, place.dialect, "u8"}, "b"), Optional(ElementsAre("b")));
  EXPECT_THAT(at({place.bug, "throttr-7.3", place.width}, "c"), Optional(ElementsAre("c")));
}

TEST(LoneKills, AreReadAsTheyAreWritten) {
  LoneKills kills;
  FakePlayer whole({"a", "b"});
  kills.all(place, whole);
  FakePlayer never_found({});
  kills.is_found({"never.seen", "ratelimit-udp", "none"}, never_found);
  FakePlayer partly({"a", "b"});
  kills.among({"partly.known", "ratelimit-udp", "none"}, {"b", "c"}, partly);
  FakePlayer cut_off({"a"});
  cut_off.interrupted = true;
  kills.all({"cut.off", "ratelimit-udp", "none"}, cut_off);
  const base::Json written = kills.json();
  EXPECT_EQ(written.size(), 3U) << "an interrupted run tells nothing";

  LoneKills read;
  const auto outcome = read.read(base::Json{{"mutants", written}}.dump());
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(read.json(), written);
  FakePlayer idle({"a", "b"});
  EXPECT_THAT(read.all(place, idle), Optional(ElementsAre("a", "b")));
  EXPECT_THAT(read.is_found({"never.seen", "ratelimit-udp", "none"}, idle), Optional(false));
  EXPECT_EQ(idle.whole, 0);
  EXPECT_THAT(read.among({"partly.known", "ratelimit-udp", "none"}, {"a", "b"}, idle),
              Optional(ElementsAre("a", "b")));
  EXPECT_THAT(idle.played, ElementsAre(CaseIds{"a"}));
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
