#include "conformance/judgement/known_failures.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace hallmark::conformance::testing {
namespace {

using reports::CaseResult;
using reports::CertifyResult;
using reports::Code;
using reports::ExitCode;
using reports::Verdict;
using ::testing::AllOf;
using ::testing::HasSubstr;

const Code quota_is_wrong{.kind = Code::Kind::wrong_field, .message = "QUERY", .field = "quota"};

CaseResult of(std::string id, Verdict verdict, std::string reason = {}) {
  CaseResult one;
  one.id = std::move(id);
  one.verdict = verdict;
  one.reason = std::move(reason);
  return one;
}

CertifyResult with(std::vector<CaseResult> cases) {
  CertifyResult result;
  result.cases = std::move(cases);
  return result;
}

struct Pin {
  const char* pinned;
  const char* reason;
  bool matches;
};

class Pinned : public ::testing::TestWithParam<Pin> {};

TEST_P(Pinned, Reason) {
  EXPECT_EQ(reason_matches(GetParam().pinned, GetParam().reason), GetParam().matches)
      << GetParam().pinned << " / " << GetParam().reason;
}

INSTANTIATE_TEST_SUITE_P(
    Reasons, Pinned,
    ::testing::Values(Pin{"quota is 7", "quota is 7", true},
                      Pin{"quota is 7", "quota is 70", false}, Pin{"quota is 7", "quota is", false},
                      Pin{"quota is {n}", "quota is 70", true},
                      Pin{"quota is {n}", "quota is -7.25", true},
                      Pin{"quota is {n}", "quota is 7, expected 8", false},
                      Pin{"quota is {n}", "quota is none", false},
                      Pin{"{n} of {n}", "3 of 4", true}, Pin{"{*}", "", true},
                      Pin{"{*}", "anything", true}, Pin{"came {*} late", "came 3 ms late", true},
                      Pin{"came {*} late", "came 3 ms later", false},
                      Pin{"{*}a{n}{*}", "xa ya7 z", true}, Pin{"{*}ab", "aab", true},
                      Pin{"", "", true}, Pin{"", "x", false}, Pin{"{x}", "{x}", true},
                      Pin{"{*}{n}", "1", true}, Pin{"{n}0", "10", false}));

TEST(KnownFailures, FailsAsPinnedIsKnownAndFailsNoRun) {
  auto result = with({of("a/1", Verdict::pass), of("a/2", Verdict::fail, "quota is 3")});
  apply_known_failures({{"a/2", "quota is {n}", "#12", 0, false}}, result);
  EXPECT_EQ(result.cases[1].verdict, Verdict::known);
  EXPECT_EQ(result.cases[1].known, "known failure: #12");
  EXPECT_EQ(reports::exit_code(result), ExitCode::as_expected);
  EXPECT_EQ(reports::count_verdicts(result).pass, 1U);
}

TEST(KnownFailures, FailsOtherwiseIsFailed) {
  auto result = with({of("a/1", Verdict::pass), of("a/2", Verdict::fail, "it is closed")});
  apply_known_failures({{"a/2", "quota is {n}", {}, 0, false}}, result);
  EXPECT_EQ(result.cases[1].verdict, Verdict::fail);
  EXPECT_EQ(result.cases[1].reason,
            "failed otherwise than known: it is closed (known: quota is {n})");
}

TEST(KnownFailures, OfTheSameCodeIsKnownWhateverTheSentenceSays) {
  auto result = with({of("a/1", Verdict::pass), of("a/2", Verdict::fail, "quota is 3"),
                      of("a/3", Verdict::fail, "quota is 3")});
  result.cases[1].code = quota_is_wrong;
  result.cases[2].code = Code{.kind = Code::Kind::closed, .message = "QUERY"};
  apply_known_failures({{"a/*", {}, "#12", 0, true, quota_is_wrong}}, result);
  EXPECT_EQ(result.cases[1].verdict, Verdict::known);
  EXPECT_EQ(result.cases[2].verdict, Verdict::fail);
  EXPECT_EQ(result.cases[2].reason,
            "failed otherwise than known: quota is 3 (known: wrong-field QUERY.quota)");
  EXPECT_EQ(result.cases[2].code->kind, Code::Kind::closed);
}

TEST(KnownFailures, PassesIsStale) {
  auto result = with({of("a/1", Verdict::pass), of("a/2", Verdict::pass)});
  apply_known_failures({{"a/2", "quota is {n}", {}, 0, false}}, result);
  EXPECT_EQ(result.cases[1].verdict, Verdict::fail);
  EXPECT_THAT(result.cases[1].reason, HasSubstr("remove it"));
  EXPECT_EQ(result.cases[1].code->kind, Code::Kind::unexpected_pass);
}

TEST(KnownFailures, FlakyMayPassAndMayFailAsPinned) {
  const KnownFailures list{{"a/*", "came late", {}, 0, true}};
  auto result = with({of("a/1", Verdict::pass), of("a/2", Verdict::fail, "came late"),
                      of("a/3", Verdict::fail, "never came")});
  apply_known_failures(list, result);
  EXPECT_EQ(result.cases[0].verdict, Verdict::pass);
  EXPECT_EQ(result.cases[1].verdict, Verdict::known);
  EXPECT_EQ(result.cases[1].known, "flaky");
  EXPECT_EQ(result.cases[2].verdict, Verdict::fail);
}

TEST(KnownFailures, SkippedIsNeitherStaleNorConfirmedAndSaid) {
  auto result = with({of("a/1", Verdict::pass), of("a/2", Verdict::skipped, "needs a minute")});
  apply_known_failures({{"a/2", "x", {}, 0, false}, {"b", "x", {}, 0, false}}, result);
  EXPECT_EQ(result.cases[1].verdict, Verdict::skipped);
  ASSERT_EQ(result.header.notes.size(), 1U);
  EXPECT_THAT(result.header.notes[0], HasSubstr("2 known failures were not played"));
}

TEST(KnownFailures, TheFirstOfSeveralThatMatchesCounts) {
  const KnownFailures list{{"a/*", "x", "first", 0, false}, {"a/1", "y", "second", 0, false}};
  auto result = with({of("a/1", Verdict::fail, "y"), of("a/2", Verdict::pass)});
  apply_known_failures(list, result);
  EXPECT_EQ(result.cases[0].known, "known failure: second");
}

TEST(KnownFailures, PatternsHaveToMatchAndSayHowManyBeyondTwenty) {
  std::set<std::string> ids;
  for (int i = 0; i < 21; ++i) ids.insert(fmt::format("a/{}", i));
  const auto refused = [&](KnownFailure entry) {
    const auto checked = check_known_failures({std::move(entry)}, ids);
    return checked ? std::string() : checked.error();
  };
  EXPECT_EQ(refused({"a/1", "x", {}, 0, false}), "");
  EXPECT_EQ(refused({"a/*", "x", {}, 21, false}), "");
  EXPECT_THAT(refused({"b/*", "x", {}, 0, false}), HasSubstr("(b/*) matches no case"));
  EXPECT_THAT(refused({"a/*", "x", {}, 0, false}), HasSubstr("matches 21 cases; more than 20"));
  EXPECT_THAT(refused({"a/*", "x", {}, 20, false}), HasSubstr("expected 20 as its count says"));
}

TEST(KnownFailures, AreWrittenAsTheyAreRead) {
  const KnownFailures list{{"a/1", "x {n}", "why", 0, false},
                           {"a/*", "y", {}, 21, true},
                           {"a/2", {}, {}, 0, false, quota_is_wrong}};
  const auto read = parse_known_failures(render_known_failures(list), "f");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(*read, list);
}

TEST(KnownFailures, ThatAreMalformedAreRefusedInOneLineThatNamesThePlace) {
  const std::string start = R"({"format":"hallmark-known-failures","format_version":1,"failures":)";
  for (const auto& [json, place] : std::vector<std::pair<std::string, std::string>>{
           {"nonsense", "f: line 1, column 1: came 'no', expected a JSON value"},
           {"[]", "f: "},
           {start + R"([{"case":"a"}]})", "/failures/0: expected either 'code' or"},
           {start + R"([{"case":"a","reason":"x","code":"silent"}]})", "and not both"},
           {start + R"([{"case":"a","code":"x"}]})", "/failures/0/code: expected the code of"},
           {start + R"([{"case":"","reason":"x"}]})", "/failures/0/case"},
           {start + R"([{"case":"a","reason":"x","count":0}]})", "/failures/0/count"},
           {start + R"([{"case":"a","reason":"x","flacky":true}]})", "/failures/0/flacky"},
           {start + R"([{"case":"a","reason":"x\ny"}]})", "/failures/0/reason: expected a string"},
           {start + R"([{"case":"a","case":"b"}]})", "two members 'case'"},
           {R"({"format":"x","format_version":1,"failures":[]})", "/format"}}) {
    const auto read = parse_known_failures(json, "f");
    ASSERT_FALSE(read) << json;
    EXPECT_THAT(read.error(), AllOf(HasSubstr(place), ::testing::Not(HasSubstr("\n"))));
  }
}

TEST(KnownFailures, OfAResultAreItsCodes) {
  auto result = with({of("a/1", Verdict::fail, "quota is 3"), of("a/2", Verdict::pass),
                      of("a/3", Verdict::fail, "known"), of("a/4", Verdict::fail, "quota is 4")});
  for (CaseResult& one : result.cases) {
    if (one.verdict == Verdict::fail) one.code = quota_is_wrong;
  }
  const KnownFailures old{{"a/3", "known", "#1", 0, false},
                          {"a/2", "stale", "#2", 0, false},
                          {"a/2", "at times", "#3", 0, true},
                          {"b", "elsewhere", "#4", 0, false},
                          {"a/4", {}, "#5", 0, false, quota_is_wrong},
                          {"a/4", {}, "#6", 0, false, Code{.kind = Code::Kind::silent}}};
  const auto list = known_failures_of(result, old);
  const KnownFailures expected{
      old[0], old[2], old[3], old[4], {"a/1", {}, {}, 0, false, quota_is_wrong}};
  EXPECT_EQ(list, expected);
  result.cases[0].reason = "quota is 77";
  apply_known_failures(list, result);
  EXPECT_EQ(reports::count_verdicts(result).fail, 0U);
}

}  // namespace
}  // namespace hallmark::conformance::testing
