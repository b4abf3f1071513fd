#include <gmock/gmock.h>

#include "conformance/reduction/reduce.hpp"
#include "conformance/tests/fixture.hpp"

namespace hallmark::conformance::testing {
namespace {

using ::testing::HasSubstr;

/// A failed case, cut down against a server with that bug.
std::optional<Reproduction> cut_down(Bug bug, const Unit& unit, std::size_t* before = nullptr) {
  Simulation simulation(bug);
  Scripts scripts;
  scripts.are_of(format_u16());
  simulation.context.scripts = &scripts;
  const auto results = simulation.play(unit);
  EXPECT_EQ(results.front().verdict, reports::Verdict::fail);
  if (scripts.all().empty()) return std::nullopt;
  if (before != nullptr) *before = scripts.all().front().steps.size();
  Housekeeper housekeeper(simulation.context);
  return reduced(simulation.context, housekeeper, scripts.all().front());
}

reports::Verdict verdict_on(Bug bug, const vectors::Vector& vector) {
  Simulation simulation(bug);
  return simulation.play(unit_of_vector(vector)).front().verdict;
}

/// Much is asked before and between, nothing of which matters.
Unit busy_increase() {
  return unit_that("busy", [](Stage& stage) {
    Conversation& first = stage.connection("c1");
    Conversation& second = stage.connection("c2");
    const std::string key = stage.key("a key with a long name");
    for (int i = 0; i < 20; ++i) {
      first.ask(query(key), failure());
      second.ask(insert(stage.key(std::to_string(i)), 7), success());
    }
    first.ask(insert(key, 10), success());
    second.ask(query(key));
    second.ask(update(key, Attribute::quota, Change::increase, 5), success());
    first.ask(query(key), {is("status", 1), is("quota", 15), any("ttl_type"), any("ttl")});
  });
}

TEST(Reduction, KeepsWhatTheFailureNeeds) {
  std::size_t before = 0;
  const auto reproduction = cut_down(Bug::increase_off_by_one, busy_increase(), &before);
  ASSERT_TRUE(reproduction);
  EXPECT_EQ(before, 44U);
  std::vector<std::string_view> left;
  for (const ScriptStep& step : reproduction->script.steps) {
    left.push_back(step.operation->name);
    EXPECT_EQ(step.connection, "c1");
  }
  EXPECT_THAT(left, ::testing::ElementsAre("INSERT", "UPDATE", "QUERY"));
  EXPECT_THAT(hex_script(format_u16(), *reproduction).front(), HasSubstr("3 of 44 requests"));
}

/// What is left expects what is right for it: not what was right for the whole case.
TEST(Reduction, IsRightForServersWithoutTheBug) {
  const auto reproduction = cut_down(Bug::increase_off_by_one, busy_increase());
  ASSERT_TRUE(reproduction);
  EXPECT_EQ(verdict_on(Bug::increase_off_by_one, reproduction->vector), reports::Verdict::fail);
  EXPECT_EQ(verdict_on(Bug::none, reproduction->vector), reports::Verdict::pass);
}

TEST(Reduction, JudgesWhatIsLeftOfATtl) {
  const auto reproduction = cut_down(Bug::query_ttl_in_ms, unit_of_behaviour("query/every-unit"));
  ASSERT_TRUE(reproduction);
  EXPECT_EQ(reproduction->script.steps.size(), 2U);
  EXPECT_EQ(verdict_on(Bug::query_ttl_in_ms, reproduction->vector), reports::Verdict::fail);
  EXPECT_EQ(verdict_on(Bug::none, reproduction->vector), reports::Verdict::pass);
}

/// A reply that does not come is due whatever was asked before.
TEST(Reduction, OfASilenceIsOneRequest) {
  const auto reproduction =
      cut_down(Bug::closes_on_whoami, unit_that("ends", [](Stage& stage) {
                 stage.connection("c1").ask(insert(stage.key("k"), 1), success());
                 stage.connection("c1").ask(bare("WHOAMI"));
               }));
  ASSERT_TRUE(reproduction);
  ASSERT_EQ(reproduction->script.steps.size(), 1U);
  EXPECT_EQ(reproduction->script.steps.front().operation->name, "WHOAMI");
}

/// That a later reply differs from an earlier one is not the fault of either alone.
TEST(Reduction, IsNotMadeUpWhereNoSingleReplyIsWrong) {
  EXPECT_FALSE(cut_down(Bug::none, unit_that("says so", [](Stage& stage) {
                          stage.connection("c1").ask(query(stage.key("k")), failure());
                          stage.fail("something else");
                        })));
}

TEST(Reduction, NeedsTheFailureToComeAgain) {
  Simulation broken(Bug::increase_off_by_one);
  Scripts scripts;
  broken.context.scripts = &scripts;
  broken.play(busy_increase());
  ASSERT_EQ(scripts.all().size(), 1U);
  Simulation mended;
  Housekeeper housekeeper(mended.context);
  EXPECT_FALSE(reduced(mended.context, housekeeper, scripts.all().front()));
}

}  // namespace
}  // namespace hallmark::conformance::testing
