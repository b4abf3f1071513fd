#include "conformance/isolation/steadiness.hpp"

#include <gmock/gmock.h>

namespace hallmark::conformance::testing {
namespace {

using reports::CertifyResult;
using reports::Verdict;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

CertifyResult result_at(std::string width) {
  CertifyResult result;
  result.header.dialect = "throttr-7.1";
  result.header.width = std::move(width);
  return result;
}

TEST(Steadiness, HasOneNameAndOneCodeWhicheverCasesWavered) {
  CertifyResult today = result_at("u16");
  CertifyResult tomorrow = result_at("u16");
  tell_wavering(today, {{"one", "silent GET"}});
  tell_wavering(tomorrow, {{"two", "wrong-field SET.status 00-for-01"}, {"three", ""}});
  EXPECT_EQ(today.cases.at(0).id, "throttr-7.1/u16/sanity/steady");
  EXPECT_EQ(today.cases.at(0).verdict, Verdict::unstable);
  EXPECT_EQ(today.cases.at(0).reason,
            "1 case failed once, and passed alone on a fresh process: one (silent GET)");
  EXPECT_EQ(tomorrow.cases.at(0).id, today.cases.at(0).id);
  EXPECT_EQ(reports::text_of(today.cases.at(0).code.value()),
            "broken-promise 'what fails once fails again'");
  EXPECT_EQ(tomorrow.cases.at(0).code, today.cases.at(0).code);
}

TEST(Steadiness, NamesTheFirstFew) {
  CertifyResult result = result_at("");
  tell_wavering(result, std::vector<Wavering>(11, {"x", ""}));
  EXPECT_EQ(result.cases.at(0).id, "throttr-7.1/sanity/steady");
  EXPECT_THAT(result.cases.at(0).reason, HasSubstr("11 cases failed once"));
  EXPECT_THAT(result.cases.at(0).reason, HasSubstr("x, x and 3 more"));
}

TEST(Steadiness, AddsNothingToASteadyRun) {
  CertifyResult result = result_at("u16");
  tell_wavering(result, {});
  tell_stray_deaths(result);
  EXPECT_THAT(result.cases, IsEmpty());
}

TEST(Steadiness, ADeathThatNoCaseCausesFailsTheRunAndNoCase) {
  CertifyResult result = result_at("u16");
  result.cases.emplace_back().verdict = Verdict::pass;
  reports::Death& death = result.deaths.emplace_back();
  death.how = "killed by signal 6 (Aborted)";
  death.conclusion = "none of the 2 cases that ran then kills it alone";
  tell_stray_deaths(result);
  ASSERT_EQ(result.cases.size(), 2U);
  EXPECT_EQ(result.cases[1].id, "throttr-7.1/u16/sanity/lives");
  EXPECT_EQ(
      result.cases[1].reason,
      "the target died during the run: killed by signal 6 (Aborted); none of the 2 cases that "
      "ran then kills it alone");
  EXPECT_EQ(reports::text_of(result.cases[1].code.value()), "crash");
  EXPECT_EQ(reports::exit_code(result), reports::ExitCode::failures);
}

TEST(Steadiness, AnInterruptedRunBlamesNobodyForADeath) {
  CertifyResult result = result_at("u16");
  result.interrupted = true;
  result.deaths.emplace_back();
  tell_stray_deaths(result);
  EXPECT_THAT(result.cases, IsEmpty());
}

TEST(Steadiness, ADeathThatACaseAnswersForIsThatCasesAlone) {
  CertifyResult result = result_at("u16");
  result.deaths.emplace_back().cause = reports::DeathCause::one_case;
  tell_stray_deaths(result);
  EXPECT_THAT(result.cases, IsEmpty());
}

}  // namespace
}  // namespace hallmark::conformance::testing
