#include "cli/mutants/bug_sets.hpp"

#include <gmock/gmock.h>

#include <set>

#include "protocol/dialects.hpp"

namespace hallmark::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::Pair;

std::vector<DialectChoice> two_dialects() {
  return {{&protocol::throttr_7_1, {protocol::Width::u8, protocol::Width::u16}},
          {&protocol::ratelimit_udp, {protocol::Width::none}}};
}

std::optional<bool> always(const faults::Bug&) { return true; }

TEST(BugSets, AreTheSameForTheSameSeed) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const BugSetPlan one = plan_bug_set(seed, two_dialects(), 12);
    const BugSetPlan same = plan_bug_set(seed, two_dialects(), 12);
    EXPECT_EQ(one.dialect, same.dialect);
    EXPECT_EQ(one.width, same.width);
    EXPECT_EQ(draw_bugs(one, always), draw_bugs(same, always));
  }
}

TEST(BugSets, DifferFromSeedToSeed) {
  std::set<faults::ChosenBugs> drawn;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    drawn.insert(*draw_bugs(plan_bug_set(seed, two_dialects(), 12), always));
  EXPECT_THAT(drawn.size(), Ge(19U));
}

TEST(BugSets, AreOfEveryDialectWidthAndSizeThatIsAskedFor) {
  std::set<std::pair<std::string_view, protocol::Width>> formats;
  std::set<std::size_t> sizes;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const BugSetPlan plan = plan_bug_set(seed, two_dialects(), 4);
    formats.emplace(plan.dialect->name, plan.width);
    sizes.insert(draw_bugs(plan, always)->size());
  }
  EXPECT_THAT(formats, ElementsAre(Pair("ratelimit-udp", protocol::Width::none),
                                   Pair("throttr-7.1", protocol::Width::u8),
                                   Pair("throttr-7.1", protocol::Width::u16)));
  EXPECT_THAT(sizes, ElementsAre(1U, 2U, 3U, 4U));
}

TEST(BugSets, CanBeServed) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const BugSetPlan plan = plan_bug_set(seed, two_dialects(), 12);
    const faults::ChosenBugs bugs = *draw_bugs(plan, always);
    std::vector<std::string> ids;
    for (const faults::Bug* const bug : bugs) {
      ids.emplace_back(bug->id);
      EXPECT_EQ(faults::transport_of(*bug), plan.dialect->transport) << bug->id;
      EXPECT_FALSE(bug->slow) << bug->id;
    }
    const auto chosen = faults::choose(ids);
    ASSERT_TRUE(chosen) << chosen.error().message;
    EXPECT_EQ(*chosen, bugs) << "in the order of the catalogue";
  }
}

TEST(BugSets, HoldNoBugThatNoCaseFinds) {
  const BugSetPlan plan = plan_bug_set(1, two_dialects(), 12);
  const faults::Bug* const invisible = plan.candidates.front();
  const auto all_but_one = [&](const faults::Bug& bug) { return std::optional(&bug != invisible); };
  EXPECT_THAT(*draw_bugs(plan, always), ::testing::Contains(invisible));
  EXPECT_THAT(*draw_bugs(plan, all_but_one), ::testing::Not(::testing::Contains(invisible)));
  EXPECT_EQ(draw_bugs(plan, all_but_one)->size(), plan.size);
}

TEST(BugSets, HaveNothingBesideABugThatHidesAll) {
  const faults::Bug* const hiding = faults::find("codes.shifted");
  const std::vector<DialectChoice> choices{two_dialects().front()};
  BugSetPlan plan = plan_bug_set(1, choices, 12);
  plan.size = 3;
  std::erase(plan.candidates, hiding);
  plan.candidates.insert(plan.candidates.begin() + 1, hiding);
  EXPECT_THAT(*draw_bugs(plan, always), ::testing::Not(::testing::Contains(hiding)));
  std::swap(plan.candidates[0], plan.candidates[1]);
  EXPECT_THAT(*draw_bugs(plan, always), ElementsAre(hiding));
}

TEST(BugSets, AreSmallerWhereFewBugsAreFound) {
  const auto never = [](const faults::Bug&) { return std::optional(false); };
  EXPECT_THAT(*draw_bugs(plan_bug_set(1, two_dialects(), 12), never), ::testing::IsEmpty());
}

TEST(BugSets, AreNotDrawnWhenItWasNotFoundOutWhatIsFound) {
  const auto interrupted = [](const faults::Bug&) { return std::optional<bool>(); };
  EXPECT_EQ(draw_bugs(plan_bug_set(1, two_dialects(), 12), interrupted), std::nullopt);
}

}  // namespace
}  // namespace hallmark::cli
