#include "conformance/judgement/verdict.hpp"

#include <gtest/gtest.h>

namespace hallmark::conformance::testing {
namespace {

using reports::CaseResult;
using reports::Verdict;

std::string code_of(Judgement judgement) {
  CaseResult result;
  result.operation = "INSERT";
  conclude(result, std::move(judgement));
  return result.code ? reports::text_of(*result.code) : "";
}

Judgement failed(std::string reason, Code code) {
  Judgement judgement{Verdict::fail, std::move(reason), {}, {}};
  judgement.code = std::move(code);
  return judgement;
}

TEST(Verdict, OfAnEndWithoutACodeGetsOneFromItsReason) {
  EXPECT_EQ(code_of({Verdict::fail, "3 of 8 won after 12 ms", {}, {}}),
            "broken-promise INSERT '# of # won after #'");
  EXPECT_EQ(code_of({Verdict::error, "the case itself broke: out of range", {}, {}}),
            "harness INSERT 'the case itself broke: out of range'");
  EXPECT_EQ(code_of({Verdict::indeterminate, "between 1 ms and 9 ms", {}, {}}),
            "undecided INSERT 'between # and #'");
}

TEST(Verdict, OfWhatIsNotAFailureHasNoCode) {
  for (const Verdict verdict : {Verdict::pass, Verdict::skipped, Verdict::unsupported})
    EXPECT_EQ(code_of({verdict, "why", {}, {}}), "");
}

TEST(Verdict, KeepsTheCodeOfThePlaceAndNamesTheOperationOfTheCase) {
  EXPECT_EQ(code_of(failed("late by 2 s", {.kind = Code::Kind::silent, .message = "QUERY"})),
            "silent QUERY");
  EXPECT_EQ(code_of(failed("", {.kind = Code::Kind::surplus, .input = "cut at 3"})),
            "surplus INSERT cut-at-3");
  EXPECT_EQ(code_of(failed("", {.kind = Code::Kind::refused_connection})), "refused-connection");
}

TEST(Verdict, HasTheCodeThatASavedResultHas) {
  CaseResult result;
  conclude(result, failed("", {.kind = Code::Kind::surplus, .input = "cut at 3"}));
  EXPECT_EQ(result.code, reports::parse_code(reports::text_of(*result.code)));
  EXPECT_EQ(result.code->input, "cut-at-3");
}

}  // namespace
}  // namespace hallmark::conformance::testing
