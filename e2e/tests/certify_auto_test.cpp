#include <fmt/format.h>

#include <csignal>
#include <pugixml.hpp>

#include "base/tests/parsed.hpp"
#include "cmake/places/places.hpp"
#include "e2e/fixture.hpp"

/// `hallmark certify` and `load` where the target is asked what it speaks and how it answers.
namespace hallmark::e2e {
namespace {

using base::Json;
using base::test::parsed;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class CertifyAuto : public EndToEnd {
 protected:
  /// Certifies, and reads what came of it.
  Outcome certify(const Arguments& arguments) {
    Arguments all{"certify"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    all.insert(all.end(), {"--json", "run.json", "--junit", "run.xml"});
    const auto outcome = hallmark(all);
    EXPECT_EQ(violations("certify.schema.json", "run.json"), "");
    result_ = parsed(read("run.json"));
    return outcome;
  }

  const Json* find(const std::string& end) const {
    for (const auto& one : result_["cases"].items()) {
      if (one["id"].string().ends_with(end)) return &one;
    }
    return nullptr;
  }

  Json result_;
};

constexpr const char* some_cases = "*/query/*";

TEST_F(CertifyAuto, DialectAndWidthAreFoundOut) {
  Server server("u8", directory_.string(), {"tcp://127.0.0.1:0"}, {"--dialect", "throttr-7.3"});
  const auto outcome = certify({server.target(), "--dialect", "auto", "--width", "auto"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  EXPECT_EQ(result_["header"]["dialect"], "throttr-7.3");
  EXPECT_EQ(result_["header"]["width"], "u8");
  EXPECT_EQ(result_["header"]["profile"], "auto");
}

TEST_F(CertifyAuto, AnswersThatDifferFromDeployedArePrintedAndAllAreInTheReports) {
  Server server("u16", directory_.string(), {"tcp://127.0.0.1:0"}, {"--profile", "literal"});
  const auto outcome = certify({server.target(), "--width", "u16", "--filter", some_cases});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("readings:  status-prefix=no  set-value-size=one-byte"));
  const Json answer = {{"reading", "status-prefix"}, {"held", "no"}, {"told", "no"}};
  EXPECT_THAT(result_["header"]["answers"].items(), Contains(answer));
  EXPECT_GT(result_["header"]["answers"].size(), 25U);
  EXPECT_THAT(read("run.xml"),
              HasSubstr("<property name=\"reading\" value=\"status-prefix=no\" />"));
}

TEST_F(CertifyAuto, EveryReadingIsACaseThatPasses) {
  Server server("u32", directory_.string());
  const auto outcome = certify({server.target(), "--width", "u32", "--filter", "*/readings/*"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  EXPECT_EQ((*find("/readings/expired-when"))["verdict"], "pass");
  EXPECT_EQ((*find("/readings/set-value-size"))["level"], "SHOULD");
  const Json& untold = *find("/readings/publish-nobody");
  EXPECT_EQ(untold["verdict"], "skipped");
  EXPECT_EQ(untold["reason"],
            "could not be told: PUBLISH has no reply; refused is taken for its answer");
}

TEST_F(CertifyAuto, APinnedAnswerThatIsNotGivenFailsTheCasesThatRestOnIt) {
  Server server("u16", directory_.string());
  const auto outcome = certify({server.target(), "--width", "u16", "--reading",
                                "set-existing=refused", "--clause", "silence.set-existing"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out;
  EXPECT_EQ((*find("/readings/set-existing"))["reason"], "not asked: pinned to refused");
  EXPECT_EQ((*find("/behaviour/set/existing"))["verdict"], "fail");
}

TEST_F(CertifyAuto, AProfileOfOtherLayoutsFailsAndPlaysNothingMore) {
  Server server("u16", directory_.string());
  const auto outcome = certify({server.target(), "--width", "u16", "--profile", "literal"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT((*find("/readings/whoami"))["verdict"], "pass");
  EXPECT_THAT((*find("/insert/typical"))["reason"].string(),
              HasSubstr("the target's messages have other layouts: status-prefix=yes, not no"));
  EXPECT_EQ(result_["header"]["profile"], "literal");
}

TEST_F(CertifyAuto, OneTurnedAnswerOfAProfileIsNamedAlone) {
  Server server("u16", directory_.string(), {"tcp://127.0.0.1:0"},
                {"--profile", "literal", "--reading", "ttl-zero=forever"});
  const auto outcome = certify(
      {server.target(), "--width", "u16", "--profile", "literal", "--filter", "*/readings/*"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(result_["summary"]["fail"], 1);
  EXPECT_EQ((*find("/readings/ttl-zero"))["reason"], "held to expired, the target answers forever");
}

TEST_F(CertifyAuto, SixZeroIsContainedInLaterDialects) {
  Server server("u16", directory_.string(), {"tcp://127.0.0.1:0"}, {"--dialect", "throttr-7.3"});
  const auto outcome = certify({server.target(), "--dialect", "throttr-6.0", "--width", "u16"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  EXPECT_THAT(outcome.out,
              HasSubstr("throttr-6.0 is contained in throttr-7.3, which the target speaks\n"));
}

struct Mismatch {
  const char* name;
  Arguments served;
  Arguments asked;
  const char* cause;
};

class CertifyMismatch : public CertifyAuto, public testing::WithParamInterface<Mismatch> {};

TEST_P(CertifyMismatch, IsExplainedFirst) {
  const Mismatch& row = GetParam();
  Server server(row.served[1], directory_.string(), {"tcp://127.0.0.1:0"},
                {"--dialect", row.served[0], "--info-version", "7.1.1"});
  const auto outcome =
      certify({server.target(), "--dialect", row.asked[0], "--width", row.asked[1]});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(result_["cases"][0]["verdict"], "fail");
  EXPECT_EQ(result_["cases"][0]["likely_cause"], row.cause);
  EXPECT_THAT(outcome.out, HasSubstr(fmt::format("likely cause: {}\n", row.cause)));
  EXPECT_THAT(outcome.out, testing::EndsWith(fmt::format(": {}\n", row.cause)));
  EXPECT_EQ(result_["summary"]["fail"], 1);
  EXPECT_EQ(result_["summary"]["pass"], 0);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, CertifyMismatch,
    testing::Values(
        Mismatch{"WiderTarget",
                 {"throttr-7.1", "u64"},
                 {"throttr-7.1", "u16"},
                 "the target answers as throttr-7.1 u64: --dialect throttr-7.1 --width u64"},
        Mismatch{"NarrowerTarget",
                 {"throttr-6.0", "u8"},
                 {"throttr-6.0", "u32"},
                 "the target answers as throttr-6.0 u8: --dialect throttr-6.0 --width u8"},
        Mismatch{"NewerTarget",
                 {"throttr-7.3", "u16"},
                 {"throttr-7.1", "u16"},
                 "the target answers as throttr-7.3 u16: --dialect throttr-7.3 --width u16"},
        Mismatch{"OlderTarget",
                 {"throttr-6.0", "u16"},
                 {"throttr-7.1", "u16"},
                 "the target answers as throttr-6.0 u16: --dialect throttr-6.0 --width u16"},
        Mismatch{"OldestTarget",
                 {"throttr-2.0", "u64"},
                 {"throttr-7.3", "u64"},
                 "the target answers as throttr-2.0 u64: --dialect throttr-2.0 --width u64"},
        Mismatch{"OldestAsked",
                 {"throttr-7.1", "u64"},
                 {"throttr-2.0", "u64"},
                 "the target answers as throttr-7.1 u64: --dialect throttr-7.1 --width u64"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST_F(CertifyAuto, ExecTargetIsStartedOnce) {
  write("serve.sh", fmt::format("echo started >> starts\nexec '{}' serve --width u32 --listen "
                                "tcp://127.0.0.1:$1\n",
                                places::program()));
  const auto outcome =
      certify({"exec:sh serve.sh {port}", "--width", "auto", "--filter", some_cases});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(read("starts"), "started\n");
}

TEST_F(CertifyAuto, WhatIsNoThrottrFailsWithTheEvidence) {
  const Silence silence;
  const auto outcome =
      certify({silence.target(), "--dialect", "auto", "--width", "auto", "--deadline", "200ms"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(
      outcome.out,
      HasSubstr("the target is no Throttr, unless --dialect and --width say so: it said nothing"));
}

/// The answers that servers 5.0.11 and 3.0.0 were measured to give.
TEST_F(CertifyAuto, ServeAnswersAsTheLatestReleasedServer) {
  const std::vector<std::pair<Arguments, Arguments>> measured = {
      {{"throttr-7.3", "u16"},
       {"increase-overflow=wrapped", "ttl-beyond=saturated", "ttl-type-unknown=accepted",
        "change-unknown=accepted", "attribute-unknown=refused", "subscribe-twice=accepted",
        "publish-self=yes", "publish-nobody=refused"}},
      {{"throttr-2.0", "u64"},
       {"decrease-below-zero=clamped", "increase-overflow=wrapped", "ttl-beyond=saturated",
        "ttl-type-unknown=accepted", "change-unknown=accepted", "attribute-unknown=accepted"}}};
  for (const auto& [spoken, answers] : measured) {
    Server server(spoken[1], directory_.string(), {"tcp://127.0.0.1:0"}, {"--dialect", spoken[0]});
    const auto outcome = certify({server.target(), "--filter", "*/readings/*"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    for (const std::string& answer : answers) {
      const auto equals = answer.find('=');
      const Json told = {{"reading", answer.substr(0, equals)},
                         {"held", answer.substr(equals + 1)},
                         {"told", answer.substr(equals + 1)}};
      EXPECT_THAT(result_["header"]["answers"].items(), Contains(told));
    }
    EXPECT_EQ(result_["header"]["dialect"], spoken[0]);
  }
}

TEST_F(CertifyAuto, FindsOutWhatNobodySaid) {
  for (const Arguments& spoken :
       {Arguments{"throttr-7.3", "u32"}, {"throttr-7.1", "u8"}, {"throttr-2.0", "u64"}}) {
    Server server(spoken[1], directory_.string(), {"tcp://127.0.0.1:0"}, {"--dialect", spoken[0]});
    const auto outcome = certify({server.target(), "--operation", "PURGE"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    EXPECT_EQ(result_["header"]["dialect"], spoken[0]);
    EXPECT_EQ(result_["header"]["width"], spoken[1]);
    EXPECT_THAT(outcome.out,
                HasSubstr(fmt::format("\nfound by its replies: {0} {1}; --dialect {0} --width {1} "
                                      "pins it\n",
                                      spoken[0], spoken[1])));
  }
}

TEST_F(CertifyAuto, WhatIsSaidIsNotFoundOut) {
  Server server("u16", directory_.string());
  const auto outcome = certify(
      {server.target(), "--dialect", "throttr-7.1", "--width", "u16", "--operation", "PURGE"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  EXPECT_THAT(outcome.out, Not(HasSubstr("found by its replies")));
}

TEST_F(CertifyAuto, ListWithoutADialectIsOfWhatServeSpeaks) {
  const auto outcome = hallmark({"certify", "--list", "--operation", "PURGE"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr(" throttr-7.3/u16/purge/"));
}

TEST_F(CertifyAuto, APinOfNoDialectIsAMistake) {
  const auto outcome =
      hallmark({"certify", "tcp://127.0.0.1:1", "--dialect", "auto", "--reading", "a=b"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, one_line_with({"unknown reading 'a'"}));
}

TEST_F(CertifyAuto, LoadFindsOutWhatTheTargetSpeaks) {
  Server server("u32", directory_.string(), {"tcp://127.0.0.1:0"},
                {"--dialect", "throttr-7.1", "--profile", "literal"});
  const auto outcome =
      hallmark({"load", server.target(), "--dialect", "auto", "--width", "auto", "--closed",
                "--duration", "100ms", "--mix", "query=1,set=1,get=1", "--json", "load.json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  const auto header = parsed(read("load.json"))["header"];
  EXPECT_EQ(header["dialect"], "throttr-7.1");
  EXPECT_EQ(header["width"], "u32");
  EXPECT_THAT(header["readings"].items(), Contains("set-value-size=one-byte"));
}

TEST_F(CertifyAuto, LoadSaysWhatCannotBeLoaded) {
  const Silence silence;
  const auto silent = hallmark({"load", silence.target()});
  EXPECT_EQ(silent.exit_code, 3);
  EXPECT_THAT(silent.err, one_line_with({"hallmark load: the target is no Throttr, unless "
                                         "--dialect and --width say so: it said nothing"}));
  Server server("u32", directory_.string());
  const auto other =
      hallmark({"load", server.target(), "--dialect", "throttr-2.0", "--width", "auto"});
  EXPECT_EQ(other.exit_code, 3);
  EXPECT_THAT(other.err,
              one_line_with({"hallmark load: the target answers as throttr-7.1 u32: --dialect "
                             "throttr-7.1 --width u32"}));
}

TEST_F(CertifyAuto, LoadSaysWhatItFound) {
  Server server("u32", directory_.string(), {"tcp://127.0.0.1:0"}, {"--dialect", "throttr-7.3"});
  const auto outcome =
      hallmark({"load", server.target(), "--closed", "--duration", "100ms", "--json", "load.json"});
  EXPECT_THAT(outcome.exit_code, answered) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("\nfound by its replies: throttr-7.3 u32; --dialect "
                                     "throttr-7.3 --width u32 pins it\n"));
  EXPECT_EQ(parsed(read("load.json"))["header"]["dialect"], "throttr-7.3");
}

TEST_F(CertifyAuto, LoadNamesTheOptionsThatAreRight) {
  Server server("u16", directory_.string(), {"tcp://127.0.0.1:0"}, {"--dialect", "throttr-7.3"});
  const auto outcome = hallmark({"load", server.target(), "--dialect", "throttr-7.3", "--width",
                                 "u64", "--timeout", "200ms", "--duration", "100ms"});
  EXPECT_EQ(outcome.exit_code, 3) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("; the target answers as throttr-7.3 u16: --dialect "
                                     "throttr-7.3 --width u16\n"));
}

}  // namespace
}  // namespace hallmark::e2e
