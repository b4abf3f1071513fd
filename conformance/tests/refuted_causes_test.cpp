#include "conformance/judgement/refuted_causes.hpp"

#include <gtest/gtest.h>

#include "base/hex.hpp"
#include "conformance/judgement/evidence.hpp"
#include "conformance/tests/fixture.hpp"

namespace hallmark::conformance::testing {
namespace {

const std::string of_u8 = "wrong width: the bytes fit u8";

reports::CaseResult wrong_query(std::string field, std::string cause) {
  reports::CaseResult one;
  one.verdict = reports::Verdict::fail;
  one.code = reports::Code{
      .kind = reports::Code::Kind::wrong_field, .message = "QUERY", .field = std::move(field)};
  one.likely_cause = std::move(cause);
  return one;
}

reports::CaseResult silent_query(std::string cause) {
  reports::CaseResult one = wrong_query({}, std::move(cause));
  one.code->kind = reports::Code::Kind::silent;
  return one;
}

/// The causes that are left.
std::vector<std::string> left_of(const RefutedCauses& refuted,
                                 std::vector<reports::CaseResult> cases,
                                 const std::string& of_target = {}) {
  reports::CertifyResult result;
  result.cases = std::move(cases);
  refuted.take_back(result, of_target);
  std::vector<std::string> left;
  for (const reports::CaseResult& one : result.cases) left.push_back(one.likely_cause);
  return left;
}

void see_query(RefutedCauses& refuted, const std::string& hex) {
  Evidence evidence;
  evidence.received("c1", format_u16().reply(format_u16().operation("QUERY")), *base::from_hex(hex),
                    0);
  refuted.see(format_u16(), evidence);
}

using Causes = std::vector<std::string>;

TEST(RefutedCauses, AWidthIsTakenBackWhereAWholeReplyOfTheRightWidthCame) {
  RefutedCauses refuted;
  see_query(refuted, "010700043b00");
  EXPECT_EQ(left_of(refuted, {silent_query(of_u8)}), Causes{""});
}

TEST(RefutedCauses, AWidthStaysWhereNoReplyContradictsIt) {
  RefutedCauses refuted;
  see_query(refuted, "00");
  EXPECT_EQ(left_of(refuted, {silent_query(of_u8)}), Causes{of_u8});
}

TEST(RefutedCauses, AUnitIsTakenBackWhereTheFieldIsWrongInAnotherWay) {
  const std::string unit = "wrong unit: ttl is off by a factor of 60";
  EXPECT_EQ(left_of({}, {wrong_query("ttl", unit), wrong_query("ttl", "")}), (Causes{"", ""}));
  EXPECT_EQ(left_of({}, {wrong_query("ttl", unit), wrong_query("quota", "")}), (Causes{unit, ""}));
}

TEST(RefutedCauses, WhatIsSaidOfTheWholeTargetStays) {
  const std::string of_target = "the target serves width u8";
  EXPECT_EQ(left_of({}, {wrong_query("ttl", of_target), wrong_query("ttl", "")}, of_target),
            (Causes{of_target, ""}));
}

}  // namespace
}  // namespace hallmark::conformance::testing
