
#include "base/tests/parsed.hpp"
#include "e2e/fixture.hpp"

namespace hallmark::e2e {
namespace {

using base::Json;
using base::test::parsed;
using testing::HasSubstr;
using testing::Not;

/// Cases of PURGE, some of which a server fails that keeps what is purged.
class Expectations : public EndToEnd {
 protected:
  static Arguments certify(const std::string& target, const Arguments& further) {
    Arguments arguments = {"certify", target,     "--width",
                           "u16",     "--filter", "throttr-7.1/u16/purge/*",
                           "--json",  "run.json"};
    arguments.insert(arguments.end(), further.begin(), further.end());
    return arguments;
  }
  Outcome run_against(const Arguments& server_options, const Arguments& further) const {
    Server server("u16", directory_.string(), {"tcp://127.0.0.1:0"}, server_options);
    return hallmark(certify(server.target(), further));
  }
  Outcome against_broken(const Arguments& further) const {
    return run_against({"--mutant", "purge.keeps"}, further);
  }
  Outcome against_proper(const Arguments& further) const { return run_against({}, further); }
  std::string list_of(const std::string& entries) const {
    return R"({"format":"hallmark-known-failures","format_version":1,"failures":[)" + entries +
           "]}";
  }
};

TEST_F(Expectations, WhatIsWrittenAsKnownFailsNoRunAndIsStaleWhenMended) {
  const auto first = against_broken({"--write-known-failures", "known.json"});
  EXPECT_EQ(first.exit_code, 1) << first.out << first.err;
  EXPECT_EQ(violations("known-failures.schema.json", "known.json"), "");
  const auto failed = parsed(read("run.json"))["summary"]["fail"];
  EXPECT_EQ(parsed(read("known.json"))["failures"].size(), failed.natural());

  const auto again = against_broken({"--known-failures", "known.json", "--junit", "run.xml",
                                     "--tap", "run.tap", "--badge", "run.svg"});
  EXPECT_EQ(again.exit_code, 0) << again.out << again.err;
  EXPECT_THAT(again.out, HasSubstr("failed as known"));
  EXPECT_EQ(violations("certify.schema.json", "run.json"), "");
  EXPECT_EQ(parsed(read("run.json"))["summary"]["known"], failed);
  EXPECT_THAT(read("run.xml"), HasSubstr("type=\"known\""));
  EXPECT_THAT(read("run.tap"), HasSubstr(" # TODO known failure"));
  EXPECT_THAT(read("run.svg"), HasSubstr("known to fail"));
  EXPECT_EQ(hallmark({"report", "run.json"}).out, again.out);

  const auto mended = against_proper({"--known-failures", "known.json"});
  EXPECT_EQ(mended.exit_code, 1) << mended.out;
  EXPECT_THAT(mended.out, HasSubstr("it passes now: remove it from the known failures"));
}

TEST_F(Expectations, AnotherReasonThanTheKnownOneFails) {
  ASSERT_EQ(against_broken({"--write-known-failures", "known.json"}).exit_code, 1);
  Json list = parsed(read("known.json"));
  list["failures"][0]["code"] = "silent PUBLISH";
  write("known.json", list.dump());
  const auto outcome = against_broken({"--known-failures", "known.json"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("failed otherwise than known: "));
  EXPECT_THAT(outcome.out, HasSubstr("(known: silent PUBLISH)"));
}

TEST_F(Expectations, CodesAreComparedAndSentencesAreNot) {
  ASSERT_EQ(against_broken({"--write-known-failures", "known.json"}).exit_code, 1);
  const Json written = parsed(read("known.json"))["failures"][0];
  EXPECT_FALSE(written.contains("reason"));
  Json run = parsed(read("run.json"));
  std::set<std::string> codes;
  for (Json& one : run["cases"].mutable_items()) {
    if (one["verdict"] != "fail") continue;
    codes.insert(one["code"].string());
    one["reason"] = "in other words";
  }
  EXPECT_THAT(codes, testing::Contains(written["code"].string()));
  write("reworded.json", run.dump());

  const auto same = against_broken({"--baseline", "reworded.json"});
  EXPECT_EQ(same.exit_code, 0) << same.out << same.err;
  EXPECT_THAT(same.out, HasSubstr("NO REGRESSION"));
  EXPECT_THAT(same.out, Not(HasSubstr("other reason")));
}

TEST_F(Expectations, SentencesThatArePinnedAreStillRead) {
  ASSERT_EQ(against_broken({"--write-known-failures", "known.json"}).exit_code, 1);
  std::string entries;
  const Json written = parsed(read("known.json"));
  for (const Json& one : written["failures"].items())
    entries += (entries.empty() ? "" : ",") +
               Json{{"case", one["case"].string()}, {"reason", "{*}"}}.dump();
  write("sentences.json", list_of(entries));
  EXPECT_EQ(violations("known-failures.schema.json", "sentences.json"), "");
  const auto outcome = against_broken({"--known-failures", "sentences.json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
}

TEST_F(Expectations, ListsThatFitNoCaseAreRefusedBeforeAnythingIsPlayed) {
  const Nobody nobody;
  const auto refused = [&](const std::string& text) {
    write("known.json", text);
    const auto outcome = hallmark(
        certify(nobody.target(), {"--dialect", "throttr-7.1", "--known-failures", "known.json"}));
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_FALSE(exists("run.json"));
    return outcome.err;
  };
  EXPECT_THAT(refused(list_of(R"({"case":"no/such","reason":"x"})")),
              one_line_with({"known failure 1 (no/such) matches no case"}));
  EXPECT_THAT(refused(list_of(R"({"case":"throttr-7.1/u16/*","reason":"x"})")),
              one_line_with({"more than 20 are allowed with \"count\": "}));
  EXPECT_THAT(refused(list_of(R"({"case":"*","reason":"x","count":3})")),
              one_line_with({"expected 3 as its count says"}));
  EXPECT_THAT(refused("{"), one_line_with({"known.json: line 1, column 2: the text ends"}));
  const auto missing = hallmark(certify(nobody.target(), {"--known-failures", "none.json"}));
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.err, one_line_with({"cannot read none.json"}));
}

TEST_F(Expectations, OfCasesThatAreNotChosenAreNotPlayed) {
  write("known.json", list_of(R"({"case":"throttr-7.1/u16/query/found","reason":"x"})"));
  const auto outcome = against_proper({"--known-failures", "known.json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out,
              HasSubstr("1 known failure was not played: neither confirmed nor stale"));
}

TEST_F(Expectations, ABaselineShowsAndJudgesOnlyWhatChanged) {
  ASSERT_EQ(against_proper({}).exit_code, 0);
  write("proper.json", read("run.json"));
  const auto worse = against_broken({"--baseline", "proper.json"});
  EXPECT_EQ(worse.exit_code, 1) << worse.out << worse.err;
  EXPECT_THAT(worse.out, HasSubstr("newly failing"));
  EXPECT_THAT(worse.out, HasSubstr("REGRESSED"));
  write("broken.json", read("run.json"));

  const auto same = against_broken({"--baseline", "broken.json"});
  EXPECT_EQ(same.exit_code, 0) << same.out << same.err;
  EXPECT_THAT(same.out, HasSubstr("NO REGRESSION"));
  EXPECT_THAT(same.out, Not(HasSubstr("newly failing")));

  const auto compared = hallmark({"report", "compare", "broken.json", "proper.json"});
  EXPECT_EQ(compared.exit_code, 0) << compared.out << compared.err;
  EXPECT_THAT(compared.out, HasSubstr("newly passing"));
  EXPECT_EQ(hallmark({"report", "compare", "proper.json", "broken.json"}).exit_code, 1);
}

TEST_F(Expectations, ABaselineThatIsNoneIsRefused) {
  const Nobody nobody;
  write("no.json", "{}");
  const auto outcome = hallmark(certify(nobody.target(), {"--baseline", "no.json"}));
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, one_line_with({"--baseline no.json", "a saved result"}));
}

}  // namespace
}  // namespace hallmark::e2e
