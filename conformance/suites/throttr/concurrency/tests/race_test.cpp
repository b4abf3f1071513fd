#include "conformance/suites/throttr/concurrency/race.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>

#include "conformance/tests/fixture.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::conformance::testing {
namespace {

using oracle::RecordAction;
using reports::Verdict;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

const WireFormat& format_6_0_u8() {
  static const WireFormat format(
      protocol::Width::u8, protocol::Readings(protocol::throttr_6_0, protocol::Profile::deployed));
  return format;
}

/// Answers that others than released servers give; the fake server gives none of them.
const WireFormat& format_any_order() {
  static const WireFormat format = [] {
    protocol::Readings readings(protocol::throttr_2_0, protocol::Profile::deployed);
    readings.choose({"reply-order", "any-order"});
    return WireFormat(protocol::Width::u64, readings);
  }();
  return format;
}

struct PlayedRace {
  const WireFormat* format;
  std::string name;
};

std::string race_name(const WireFormat& format, const std::string& name) {
  std::string text = fmt::format("{}_{}", format.dialect().name, name);
  for (char& c : text) c = c == '/' || c == '-' || c == '.' ? '_' : c;
  return text;
}

std::vector<PlayedRace> all_races() {
  std::vector<PlayedRace> all;
  for (const WireFormat* const format :
       {&format_u16(), &format_7_3(), &format_2_0(), &format_6_0_u8()}) {
    for (const BehaviourCase& one : behaviour_cases(*format)) {
      if (one.name.starts_with("concurrency/")) all.push_back({format, one.name});
    }
  }
  return all;
}

class ConcurrencyCase : public ::testing::TestWithParam<PlayedRace> {};

TEST_P(ConcurrencyCase, PassesWhereRequestsTakeEffectOneByOne) {
  const WireFormat& format = *GetParam().format;
  Simulation simulation(Bug::none, format, format);
  const auto result = simulation.play(unit_of_behaviour(GetParam().name, format)).front();
  EXPECT_EQ(result.verdict, Verdict::pass) << result.reason;
  EXPECT_TRUE(result.drawing.empty());
}

INSTANTIATE_TEST_SUITE_P(Cases, ConcurrencyCase, ::testing::ValuesIn(all_races()),
                         [](const auto& row) {
                           return race_name(*row.param.format, row.param.name);
                         });

struct RaceGrade {
  Bug bug;
  std::string name;
  bool drawn = true;
};

class ServerWithRaces : public ::testing::TestWithParam<RaceGrade> {};

TEST_P(ServerWithRaces, FailsTheCase) {
  Simulation simulation(GetParam().bug);
  const auto result = simulation.play(unit_of_behaviour(GetParam().name)).front();
  EXPECT_EQ(result.verdict, Verdict::fail) << result.reason;
  if (!GetParam().drawn) return;
  EXPECT_THAT(result.reason, HasSubstr("no order of the requests explains their replies"));
  EXPECT_THAT(result.drawing, Contains(HasSubstr("▲")));
  EXPECT_THAT(result.evidence, Not(::testing::IsEmpty()));
}

INSTANTIATE_TEST_SUITE_P(
    Bugs, ServerWithRaces,
    ::testing::Values(RaceGrade{Bug::reinserts, "concurrency/one-insert-wins"},
                      RaceGrade{Bug::increase_off_by_one, "concurrency/up-and-down"},
                      RaceGrade{Bug::increase_off_by_one, "concurrency/keys-apart"},
                      RaceGrade{Bug::increase_off_by_one, "concurrency/reads-while-writing"},
                      RaceGrade{Bug::increase_off_by_one, "concurrency/cut-off"},
                      RaceGrade{Bug::decrease_wraps, "concurrency/last-units"},
                      RaceGrade{Bug::purge_keeps, "concurrency/update-against-purge"},
                      RaceGrade{Bug::purge_keeps, "concurrency/insert-against-purge"},
                      RaceGrade{Bug::purge_keeps, "concurrency/set-against-purge"},
                      RaceGrade{Bug::purge_keeps, "concurrency/made-again"},
                      RaceGrade{Bug::set_truncates, "concurrency/overwritten"},
                      RaceGrade{Bug::query_replies_failure, "concurrency/one-kind"},
                      RaceGrade{Bug::keeps_expired, "concurrency/runs-out"},
                      RaceGrade{Bug::expires_early, "concurrency/runs-out"},
                      RaceGrade{Bug::delivers_twice, "concurrency/publishers-in-order", false},
                      RaceGrade{Bug::delivers_backwards, "concurrency/publishers-in-order", false},
                      RaceGrade{Bug::delivers_twice, "concurrency/channels-apart", false},
                      RaceGrade{Bug::delivers_twice, "concurrency/subscribes-meanwhile", false},
                      RaceGrade{Bug::delivers_after_unsubscribe,
                                "concurrency/unsubscribes-meanwhile", false}),
    [](const auto& row) {
      return fmt::format("{}_{}", row.index, race_name(format_u16(), row.param.name));
    });

TEST(UnsubscribesMeanwhile, FailsAlikeHoweverASubscriptionThatGoesOnShows) {
  for (const Bug bug : {Bug::delivers_after_unsubscribe, Bug::stays_subscribed}) {
    Simulation simulation(bug);
    const auto result =
        simulation.play(unit_of_behaviour("concurrency/unsubscribes-meanwhile")).front();
    ASSERT_TRUE(result.code) << result.reason;
    EXPECT_EQ(reports::text_of(*result.code), "wrong-recipient DELIVERY");
  }
}

TEST(RaceThatIsCutOff, HasTheSameCodeWhicheverRequestMeetsTheEnd) {
  const Unit unit = unit_of_behaviour("concurrency/one-kind");
  std::set<std::string> reasons;
  std::set<std::string> codes;
  for (std::size_t at = 0; at < 200; ++at) {
    Simulation simulation;
    simulation.network.inject({FaultKind::close, at});
    const auto result = simulation.play(unit).front();
    if (!result.code || result.code->kind != reports::Code::Kind::closed) continue;
    if (result.code->promise.empty()) codes.insert(reports::text_of(*result.code));
    reasons.insert(result.reason);
  }
  EXPECT_GT(reasons.size(), 2U);
  EXPECT_EQ(codes, (std::set<std::string>{"closed " + unit.cases.front().operation}));
}

/// Everything that a case sends, and what it comes to.
std::pair<std::vector<std::string>, reports::CaseResult> played(const std::string& nonce,
                                                                Bug bug = Bug::none) {
  Simulation simulation(bug);
  simulation.context.nonce = nonce;
  std::vector<std::string> sent;
  const auto result =
      simulation
          .play(unit_that("race",
                          [&](Stage& stage) {
                            Race race(stage, 3);
                            const std::uint32_t key = race.key();
                            race.alone(0, key, {RecordAction::insert, 5});
                            for (int round = 0; round < 4; ++round) {
                              race.plan_all(key, {RecordAction::increase, race.random().below(3)});
                              race.plan_all(key, {RecordAction::query});
                              race.run();
                            }
                            sent = stage.evidence().reproduction();
                          }))
          .front();
  return {sent, result};
}

TEST(Race, IsTheSameWithOneNonceAndAnotherWithAnother) {
  const auto [first, passed] = played("1");
  EXPECT_EQ(passed.verdict, Verdict::pass) << passed.reason;
  EXPECT_GT(first.size(), 20U);
  EXPECT_EQ(first, played("1").first);
  EXPECT_NE(first, played("2").first);
}

TEST(Race, DrawsTheSamePictureAgain) {
  const auto once = played("3", Bug::increase_off_by_one).second;
  const auto again = played("3", Bug::increase_off_by_one).second;
  EXPECT_EQ(once.verdict, Verdict::fail);
  EXPECT_FALSE(once.drawing.empty());
  EXPECT_EQ(once.drawing, again.drawing);
}

TEST(Race, LeavesOpenWhatItCannotDecide) {
  Simulation simulation;
  const auto result =
      simulation
          .play(unit_that("race",
                          [](Stage& stage) {
                            Race race(stage, 4, {.most_steps = 3, .most_bytes = 1U << 20});
                            const std::uint32_t key = race.key();
                            race.plan_all(key, {RecordAction::query});
                            race.run();
                          }))
          .front();
  EXPECT_EQ(result.verdict, Verdict::indeterminate);
  EXPECT_THAT(result.reason, HasSubstr("the bound of steps was met"));
}

TEST(Race, TakesRepliesInTheOrderThatTheTargetChooses) {
  const WireFormat& format = format_any_order();
  Simulation simulation(Bug::replies_backwards, format, format);
  for (const char* const name : {"concurrency/sent-ahead", "concurrency/keys-apart"}) {
    const auto result = simulation.play(unit_of_behaviour(name, format)).front();
    EXPECT_EQ(result.verdict, Verdict::pass) << name << ": " << result.reason;
  }
}

}  // namespace
}  // namespace hallmark::conformance::testing
