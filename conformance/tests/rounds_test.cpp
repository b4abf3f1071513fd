#include "conformance/engine/rounds.hpp"

#include <gmock/gmock.h>

#include "conformance/drivers/stream/player.hpp"

namespace hallmark::conformance::testing {
namespace {

using reports::Verdict;
using ::testing::ElementsAre;

constexpr const char* given_up = "not played: the target died 10 times";

struct Played {
  Suite suite;
  reports::CertifyResult result;

  void add(const std::string& id, const std::string& operation, Verdict verdict,
           const std::string& reason = {}) {
    Unit& unit = suite.emplace_back();
    unit.cases.emplace_back().id = id;
    unit.cases.back().operation = operation;
    result.cases.push_back(not_played(unit.cases.back(), verdict, reason));
  }
  void kill(const std::string& id) { result.deaths.emplace_back().killer = id; }
};

TEST(Rounds, AreBoundedByTheDeadlineAndTheNumberOfCases) {
  constexpr Time second = 1'000'000'000;
  Played played;
  for (int i = 0; i < 40; ++i) played.add(std::to_string(i), "SET", Verdict::pass);
  played.suite[0].needs.slow = true;
  EXPECT_EQ(longest_run(played.suite, second, false), 72 * second);
  EXPECT_EQ(longest_run(played.suite, second, true), 252 * second);
}

TEST(Rounds, GoOnWithWhatWasGivenUpAlone) {
  Played played;
  played.add("a", "SET", Verdict::pass);
  played.add("b", "SET", Verdict::skipped, given_up);
  played.add("c", "SET", Verdict::skipped, "waits out a minute");
  const Suite left = left_after_deaths(played.suite, played.result);
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].cases[0].id, "b");
}

TEST(Rounds, LeaveOutOperationsThatAreKnownToKill) {
  Played played;
  for (const char* const id : {"a", "b", "c"}) {
    played.add(id, "SET", Verdict::fail);
    played.kill(id);
  }
  played.kill("a");  // the same once more is nothing new
  played.add("d", "SET", Verdict::skipped, given_up);
  played.add("e", "GET", Verdict::skipped, given_up);
  const Suite left = left_after_deaths(played.suite, played.result);
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].cases[0].id, "e");
  EXPECT_EQ(played.result.cases[3].reason, "not played: 3 cases of SET killed the target");
}

/// Vectors of three operations that kill the target when they come in segments, and two deliveries
/// of another one that nobody has played yet.
struct KilledBySegments : Played {
  KilledBySegments() {
    for (const char* const operation : {"GET", "SET", "QUERY"}) {
      add(operation, operation, Verdict::pass);
      add(operation, Delivery::split, Verdict::fail);
      kill(suite.back().cases[0].id);
    }
    add("PURGE", Delivery::bytewise, Verdict::skipped, given_up);
    add("PURGE", Delivery::pipelined, Verdict::skipped, given_up);
  }
  using Played::add;
  void add(const std::string& operation, Delivery delivery, Verdict verdict,
           const std::string& reason = {}) {
    add(operation + std::string(suffix_of(delivery)), operation, verdict, reason);
  }
  std::vector<std::string> left() {
    std::vector<std::string> ids;
    for (const Unit& unit : left_after_deaths(suite, result)) ids.push_back(unit.cases[0].id);
    return ids;
  }
};

TEST(Rounds, LeaveOutVectorsInSegmentsThatAreKnownToKillWhateverTheirOperation) {
  KilledBySegments played;
  EXPECT_THAT(played.left(), ElementsAre("PURGE#pipelined"));
  EXPECT_EQ(played.result.cases[6].reason,
            "not played: 3 cases of vectors in segments killed the target");
}

TEST(Rounds, LeaveOutVectorsInSegmentsAlsoIfOneFailedBeforeItsLastSegment) {
  KilledBySegments played;
  played.add("LIST", Delivery::bytewise, Verdict::fail, "a wrong reply to what came before");
  EXPECT_THAT(played.left(), ElementsAre("PURGE#pipelined"));
}

TEST(Rounds, GoOnWithVectorsInSegmentsOfWhichSomePass) {
  KilledBySegments played;
  played.add("LIST", Delivery::bytewise, Verdict::pass);
  EXPECT_THAT(played.left(), ElementsAre("PURGE#bytewise", "PURGE#pipelined"));
}

/// A vector that comes next, and its delivery in segments.
Suite next_vector() {
  Suite next(1);
  next[0].vector = std::make_shared<vectors::Vector>();
  for (const Delivery delivery : {Delivery::whole, Delivery::split}) {
    CaseEntry& entry = next[0].cases.emplace_back();
    entry.id = "LIST" + std::string(suffix_of(delivery));
    entry.operation = "LIST";
    entry.delivery = delivery;
  }
  return next;
}

TEST(Rounds, DoNotBeginWithVectorsInSegmentsThatAreKnownToKill) {
  KilledBySegments played;
  const Suite left = left_of_next(next_vector(), played.result);
  ASSERT_EQ(left.size(), 1U);
  ASSERT_EQ(left[0].cases.size(), 1U);
  EXPECT_EQ(left[0].cases[0].id, "LIST");
  EXPECT_EQ(played.result.cases.back().id, "LIST#split");
  EXPECT_EQ(played.result.cases.back().reason,
            "not played: 3 cases of vectors in segments killed the target");
}

TEST(Rounds, DoNotBeginWithAnyDeliveryOfAVectorWhoseOperationIsKnownToKill) {
  Played played;
  for (const char* const id : {"a", "b", "c"}) {
    played.add(id, "LIST", Verdict::fail);
    played.kill(id);
  }
  EXPECT_TRUE(left_of_next(next_vector(), played.result).empty());
  ASSERT_EQ(played.result.cases.size(), 5U);
  EXPECT_EQ(played.result.cases[4].reason, "not played: 3 cases of LIST killed the target");
}

TEST(Rounds, BeginWithAllOfATargetThatLives) {
  Played played;
  played.add("a", "LIST", Verdict::fail);
  const Suite left = left_of_next(next_vector(), played.result);
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].cases.size(), 2U);
  EXPECT_EQ(played.result.cases.size(), 1U);
}

TEST(Rounds, GoOnWithAnOperationOfWhichSomeCasesKillAndOthersDoNot) {
  Played played;
  for (const char* const id : {"a", "b", "c", "d"}) {
    played.add(id, "SET", Verdict::fail);
    played.kill(id);
  }
  played.add("e", "SET", Verdict::fail, "wrong");
  played.add("f", "SET", Verdict::skipped, given_up);
  const Suite left = left_after_deaths(played.suite, played.result);
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].cases[0].id, "f");
}

/// A vector, and its other deliveries, which wait for it.
Played vector_that(Verdict whole) {
  Played played;
  played.add("set", "SET", whole);
  for (const char* const id : {"set#split", "set#bytewise"}) {
    CaseEntry& entry = played.suite.front().cases.emplace_back();
    entry.id = id;
    played.result.cases.push_back(
        not_played(entry, Verdict::skipped, std::string(waits_for_the_whole)));
  }
  return played;
}

TEST(Rounds, SkipTheDeliveriesOfAVectorThatEndsTheTarget) {
  Played played = vector_that(Verdict::fail);
  EXPECT_TRUE(settle_deliveries(played.suite, played.result).empty());
  EXPECT_EQ(played.result.cases[1].reason, fails_as_a_whole);
  EXPECT_EQ(played.result.cases[2].reason, fails_as_a_whole);
}

TEST(Rounds, PlayTheDeliveriesOfAVectorThatDidNotEndTheTarget) {
  Played played = vector_that(Verdict::pass);
  const Suite due = settle_deliveries(played.suite, played.result);
  ASSERT_EQ(due.size(), 1U);
  ASSERT_EQ(due[0].cases.size(), 2U);
  EXPECT_EQ(due[0].cases[0].id, "set#split");
  EXPECT_TRUE(settle_deliveries(Played().suite, played.result).empty());
}

/// `half-close` rests on what `sent-ahead` tests.
Verdict verdict_of_resting(Verdict of_test, Verdict of_resting, bool ended_target = false) {
  Played played;
  played.add("x/sent-ahead", "GET", of_test);
  played.add("x/half-close", "GET", of_resting);
  if (ended_target) played.result.cases[1].code = Code{.kind = Code::Kind::crash};
  played.suite[1].name = "half-close";
  played.suite[1].needs.tested_by = "sent-ahead";
  settle_abilities(played.suite, played.result);
  return played.result.cases[1].verdict;
}

TEST(Rounds, SkipWhatRestsOnAnAbilityThatFails) {
  EXPECT_EQ(verdict_of_resting(Verdict::fail, Verdict::fail), Verdict::skipped);
  EXPECT_EQ(verdict_of_resting(Verdict::fail, Verdict::pass), Verdict::skipped);
  EXPECT_EQ(verdict_of_resting(Verdict::pass, Verdict::fail), Verdict::fail);
  EXPECT_EQ(verdict_of_resting(Verdict::skipped, Verdict::pass), Verdict::pass);
  EXPECT_EQ(verdict_of_resting(Verdict::fail, Verdict::error), Verdict::error);
}

TEST(Rounds, LeaveAFailureThatEndedTheTarget) {
  EXPECT_EQ(verdict_of_resting(Verdict::fail, Verdict::fail, true), Verdict::fail);
}

TEST(Rounds, TakeTheLaterResultOfACase) {
  Played played;
  played.add("a", "SET", Verdict::skipped, given_up);
  reports::CaseResult later = played.result.cases[0];
  later.verdict = Verdict::pass;
  take(played.result.cases, later);
  ASSERT_EQ(played.result.cases.size(), 1U);
  EXPECT_EQ(played.result.cases[0].verdict, Verdict::pass);
}

}  // namespace
}  // namespace hallmark::conformance::testing
