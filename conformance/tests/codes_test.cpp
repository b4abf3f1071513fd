#include <gmock/gmock.h>

#include "conformance/suites/throttr/ends.hpp"
#include "conformance/tests/fixture.hpp"

namespace hallmark::conformance::testing {
namespace {

using reports::CaseResult;
using reports::Verdict;

std::string code_of(const CaseResult& result) {
  return result.code ? reports::text_of(*result.code) : "no code: " + result.reason;
}

struct Row {
  Bug bug;
  const char* behaviour;
  const char* code;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.behaviour << " " << row.code; }

class CodesOfBugs : public ::testing::TestWithParam<Row> {};

TEST_P(CodesOfBugs, AreTheSameWithOtherKeysAndTimes) {
  Simulation simulation(GetParam().bug);
  const Unit unit = unit_of_behaviour(GetParam().behaviour);
  const CaseResult first = simulation.play(unit).front();
  EXPECT_EQ(code_of(first), GetParam().code) << first.reason;

  Simulation later(GetParam().bug);
  later.context.nonce = "7f3a9";
  later.network.delay_arrivals(3'000'000);
  later.network.wait_until(77'777'777'777);
  EXPECT_EQ(code_of(later.play(unit).front()), GetParam().code);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, CodesOfBugs,
    ::testing::Values(Row{Bug::query_replies_failure, "insert/adds-a-counter",
                          "wrong-field QUERY.status 00-for-01"},
                      Row{Bug::query_big_endian, "insert/adds-a-counter",
                          "wrong-field QUERY.quota"},
                      Row{Bug::query_short, "insert/adds-a-counter", "silent QUERY"},
                      Row{Bug::insert_replies_twice, "insert/adds-a-counter", "x"},
                      Row{Bug::closes_on_whoami, "whoami/stable", "closed WHOAMI"},
                      Row{Bug::shared_id, "whoami/different",
                          "broken-promise WHOAMI 'WHOAMI: two connections have one id'"},
                      Row{Bug::delivers_twice, "publish/to-each-once-in-order", "x"},
                      Row{Bug::delivers_backwards, "publish/to-each-once-in-order", "x"},
                      Row{Bug::keeps_expired, "ttl/milliseconds", "late QUERY late"},
                      Row{Bug::expires_early, "ttl/milliseconds", "late QUERY early"}));

TEST(Codes, OfATargetThatRefusesConnectionsNameNoOperation) {
  Simulation simulation;
  simulation.network.inject({FaultKind::refuse, 0});
  const auto result = simulation.play(unit_of_behaviour("insert/adds-a-counter")).front();
  EXPECT_EQ(result.verdict, Verdict::error);
  EXPECT_EQ(code_of(result), "refused-connection");
}

TEST(Codes, OfSeveralInputsSayWhichOneItWas) {
  Simulation simulation;
  const auto result =
      simulation
          .play(unit_that("case",
                          [](Stage& stage) {
                            expect_end(stage, "the opcode 41", End::desynchronised, {End::closed});
                          }))
          .front();
  EXPECT_EQ(code_of(result), "x");
}

TEST(Codes, OfALateReplyDoNotSayHowMuchOfItCame) {
  Simulation simulation;
  simulation.context.fences = false;
  const auto result = simulation
                          .play(unit_that("case",
                                          [&](Stage& stage) {
                                            simulation.network.deliver_at_most(1);
                                            simulation.network.delay_arrivals(test_deadline);
                                            stage.connection().ask(query(stage.key("k")));
                                          }))
                          .front();
  EXPECT_EQ(result.code->kind, Code::Kind::silent) << result.reason;
}

}  // namespace
}  // namespace hallmark::conformance::testing
