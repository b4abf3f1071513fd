#include <gmock/gmock.h>

#include "conformance/suites/throttr/ends.hpp"
#include "conformance/tests/fixture.hpp"

namespace hallmark::conformance::testing {
namespace {

using reports::CaseResult;

std::string code_of(const CaseResult& result) {
  return result.code ? reports::text_of(*result.code) : "no code: " + result.reason;
}

struct CodeRow {
  Bug bug;
  const char* behaviour;
  const char* code;
};

void PrintTo(const CodeRow& row, std::ostream* out) { *out << row.behaviour << " " << row.code; }

class CodesOfBugs : public ::testing::TestWithParam<CodeRow> {};

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
    ::testing::Values(
        CodeRow{Bug::query_replies_failure, "insert/adds-a-counter",
                "wrong-field QUERY.status 00-for-01"},
        CodeRow{Bug::query_big_endian, "insert/adds-a-counter", "wrong-field QUERY.quota"},
        CodeRow{Bug::query_short, "insert/adds-a-counter", "silent QUERY"},
        CodeRow{Bug::insert_replies_twice, "insert/adds-a-counter", "wrong-field QUERY.ttl_type"},
        CodeRow{Bug::closes_on_whoami, "whoami/stable", "closed WHOAMI"},
        CodeRow{Bug::shared_id, "whoami/different",
                "broken-promise WHOAMI 'WHOAMI: two connections have one id'"},
        CodeRow{Bug::delivers_twice, "publish/to-each-once-in-order",
                "wrong-field DELIVERY.payload"},
        CodeRow{Bug::changing_id, "whoami/stable", "wrong-field WHOAMI.id"},
        CodeRow{Bug::keeps_expired, "ttl/milliseconds", "late QUERY late"}));

TEST(Codes, OfATargetThatRefusesConnectionsSaySo) {
  Simulation simulation;
  simulation.network.inject({FaultKind::refuse, 0});
  try {
    open_link(simulation.context);
    FAIL() << "there is a connection";
  } catch (const CaseEnded& ended) {
    EXPECT_EQ(ended.judgement().code, Code{.kind = Code::Kind::refused_connection});
  }
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
  EXPECT_EQ(code_of(result), "desynchronised INSERT opcode-41");
}

}  // namespace
}  // namespace hallmark::conformance::testing
