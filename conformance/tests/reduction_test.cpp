#include <gmock/gmock.h>

#include "conformance/reduction/reduce.hpp"
#include "conformance/tests/fixture.hpp"

namespace hallmark::conformance::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A failed case, cut down against a server with that bug.
std::optional<Reproduction> cut_down(Bug bug, const Unit& unit) {
  Simulation simulation(bug);
  Failures failures;
  failures.are_of(format_u16());
  simulation.context.failures = &failures;
  simulation.play(unit);
  if (failures.all().empty()) return std::nullopt;
  Housekeeper housekeeper(simulation.context);
  return reduced(simulation.context, housekeeper, failures.all().front());
}

std::vector<std::string> requests_of(const vectors::Vector& vector) {
  std::vector<std::string> requests;
  for (const vectors::Step& step : vector.steps) {
    const auto* const send = std::get_if<vectors::Send>(&step.action);
    if (send != nullptr) requests.push_back(step.connection + " " + send->operation);
  }
  return requests;
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
  const auto reproduction = cut_down(Bug::increase_off_by_one, busy_increase());
  ASSERT_TRUE(reproduction);
  EXPECT_EQ(reproduction->requests_before, 44U);
  EXPECT_THAT(requests_of(reproduction->vector), ElementsAre("c1 INSERT", "c1 UPDATE", "c1 QUERY"));
  EXPECT_THAT(hex_script(*reproduction).front(), HasSubstr("3 of 44 requests"));
}

/// A reduced case expects what is right for it, rather than what was right for the whole case.
TEST(Reduction, IsRightForServersWithoutTheBug) {
  const auto reproduction = cut_down(Bug::increase_off_by_one, busy_increase());
  ASSERT_TRUE(reproduction);
  EXPECT_EQ(verdict_on(Bug::increase_off_by_one, reproduction->vector), reports::Verdict::fail);
  EXPECT_EQ(verdict_on(Bug::none, reproduction->vector), reports::Verdict::pass);
}

TEST(Reduction, JudgesWhatIsLeftOfATtl) {
  const auto reproduction = cut_down(Bug::query_ttl_in_ms, unit_of_behaviour("query/every-unit"));
  ASSERT_TRUE(reproduction);
  EXPECT_EQ(reproduction->requests_left, 2U);
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
  EXPECT_THAT(requests_of(reproduction->vector), ElementsAre("c1 WHOAMI"));
}

/// No specification says what an id has to be: the vector does, of what is left of it.
TEST(Reduction, OfWhatSeveralRepliesShowIsTheVectorWithoutTheRest) {
  const auto reproduction = cut_down(Bug::changing_id, unit_of_vector(sample_vector()));
  ASSERT_TRUE(reproduction);
  EXPECT_THAT(requests_of(reproduction->vector), ElementsAre("a WHOAMI", "a WHOAMI"));
  EXPECT_EQ(verdict_on(Bug::changing_id, reproduction->vector), reports::Verdict::fail);
  EXPECT_EQ(verdict_on(Bug::none, reproduction->vector), reports::Verdict::pass);
}

TEST(Reduction, OfADeliveryEndsWithIt) {
  const auto reproduction = cut_down(Bug::delivers_twice, unit_of_vector(sample_vector()));
  ASSERT_TRUE(reproduction);
  EXPECT_THAT(requests_of(reproduction->vector), ElementsAre("b SUBSCRIBE", "a PUBLISH"));
  EXPECT_EQ(verdict_on(Bug::none, reproduction->vector), reports::Verdict::pass);
}

/// If a later reply differs from an earlier one, that is not the fault of either alone.
TEST(Reduction, IsNotMadeUpWhereNoSingleReplyIsWrong) {
  EXPECT_FALSE(cut_down(Bug::none, unit_that("says so", [](Stage& stage) {
                          stage.connection("c1").ask(query(stage.key("k")), failure());
                          stage.fail("something else");
                        })));
}

TEST(Reduction, NeedsTheFailureToComeAgain) {
  Simulation broken(Bug::increase_off_by_one);
  Failures failures;
  broken.context.failures = &failures;
  broken.play(busy_increase());
  ASSERT_EQ(failures.all().size(), 1U);
  Simulation mended;
  Housekeeper housekeeper(mended.context);
  EXPECT_FALSE(reduced(mended.context, housekeeper, failures.all().front()));
}

TEST(Reduction, IsPlayedAgainAgainstAServerThatWasAskedNothing) {
  const auto reproduction = cut_down(Bug::increase_off_by_one, busy_increase());
  ASSERT_TRUE(reproduction);
  Simulation broken(Bug::increase_off_by_one);
  EXPECT_TRUE(fails_again(broken.context, *reproduction));
  Simulation mended;
  EXPECT_FALSE(fails_again(mended.context, *reproduction));
}

}  // namespace
}  // namespace hallmark::conformance::testing
