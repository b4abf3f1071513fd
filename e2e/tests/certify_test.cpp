#include <csignal>
#include <pugixml.hpp>

#include "base/tests/parsed.hpp"
#include "cmake/places/places.hpp"
#include "e2e/fixture.hpp"

namespace hallmark::e2e {
namespace {

using base::Json;
using base::test::parsed;
using testing::HasSubstr;
using testing::Not;

class Certify : public EndToEnd {};

class CertifyWidth : public EndToEnd, public testing::WithParamInterface<const char*> {};

TEST_P(CertifyWidth, ReferenceServerIsCertified) {
  const std::string width = GetParam();
  Server server(width, directory_.string());
  const auto outcome = hallmark({"certify", server.target(), "--width", width, "--exclusive",
                                 "--json", "run.json", "--junit", "run.xml"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("CERTIFIED"));
  EXPECT_EQ(violations("certify.schema.json", "run.json"), "");
  const auto result = parsed(read("run.json"));
  EXPECT_EQ(result["header"]["width"], width);
  EXPECT_EQ(result["exit_code"], 0);
  EXPECT_GT(result["cases"].size(), 500U);
  EXPECT_EQ(server.stop(SIGTERM).exit_code, 0);
}

INSTANTIATE_TEST_SUITE_P(Widths, CertifyWidth, testing::Values("u8", "u16", "u32", "u64"),
                         [](const auto& row) { return std::string(row.param); });

TEST_F(Certify, WrongWidthFailsWithADiffThatNamesFieldsAndTheCause) {
  Server server("u16", directory_.string());
  const auto outcome =
      hallmark({"certify", server.target(), "--dialect", "throttr-7.1", "--width", "u32",
                "--exclusive", "--deadline", "1s", "--json", "run.json", "--junit", "run.xml"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(
      outcome.out,
      HasSubstr("likely cause: the target answers as throttr-7.1 u16: --dialect throttr-7.1 "
                "--width u16\n"));
  EXPECT_THAT(outcome.out, HasSubstr("ttl_type"));
  EXPECT_THAT(outcome.out, HasSubstr("expected"));
  EXPECT_THAT(outcome.out, HasSubstr("reproduce with"));
  EXPECT_EQ(violations("certify.schema.json", "run.json"), "");
  EXPECT_EQ(parsed(read("run.json"))["exit_code"], 1);
  pugi::xml_document junit;
  ASSERT_TRUE(junit.load_string(read("run.xml").c_str()));
  EXPECT_GT(junit.document_element().attribute("failures").as_uint(), 0U);
}

TEST_F(Certify, FilteredRunPlaysOnlyWhatWasChosen) {
  Server server("u8", directory_.string());
  const auto outcome =
      hallmark({"certify", server.target(), "--width", "u8", "--operation", "query", "--filter",
                "throttr-7.1/u8/query/*", "--json", "run.json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  const auto result = parsed(read("run.json"));
  ASSERT_GT(result["cases"].size(), 2U);
  for (const auto& one : result["cases"].items()) {
    // The sanity probe comes first and last in every run.
    if (one["id"].string().find("/sanity/") != std::string::npos) continue;
    EXPECT_EQ(one["operation"], "QUERY") << one["id"];
    EXPECT_THAT(one["id"].string(), testing::StartsWith("throttr-7.1/u8/query/"));
  }
}

TEST_F(Certify, ExcludedCasesAreNotPlayed) {
  Server server("u8", directory_.string());
  const auto outcome =
      hallmark({"certify", server.target(), "--filter", "*/u8/query/*", "--exclude",
                "*/query/found*", "--exclude", "*/query/missing*", "--json", "run.json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  const auto result = parsed(read("run.json"));
  ASSERT_GT(result["cases"].size(), 3U);
  for (const auto& one : result["cases"].items()) {
    EXPECT_THAT(one["id"].string(), Not(HasSubstr("/query/found"))) << one["id"];
    EXPECT_THAT(one["id"].string(), Not(HasSubstr("/query/missing"))) << one["id"];
  }
}

TEST_F(Certify, ListNeedsNoTarget) {
  const auto outcome = hallmark({"certify", "--list", "--dialect", "throttr-7.1", "--width", "u64",
                                 "--operation", "WHOAMI", "--exclude", "*/readings/*"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("throttr-7.1/u64/"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("/readings/")));
}

TEST_F(Certify, UnixSocket) {
  Server server("u16", directory_.string(), {"unix://" + path("s")});
  const auto outcome = hallmark(
      {"certify", server.target(), "--width", "u16", "--operation", "INSERT", "--exclusive"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
}

TEST_F(Certify, ExecTargetIsStartedAndStopped) {
  const auto outcome = hallmark({"certify",
                                 std::string("exec:") + places::program() +
                                     " serve --width u32 --listen tcp://127.0.0.1:{port}",
                                 "--width", "u32", "--operation", "QUERY"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
}

TEST_F(Certify, ExecTargetThatDiesIsToldHow) {
  const auto outcome = hallmark(
      {"certify", "exec:sh -c 'exit 7' {port}", "--json", "run.json", "--junit", "run.xml"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.out + outcome.err, HasSubstr("7"));
  EXPECT_EQ(violations("certify.schema.json", "run.json"), "");
}

TEST_F(Certify, TargetNotThereWritesTheReports) {
  const Nobody nobody;
  const auto outcome = hallmark(
      {"certify", nobody.target(), "--width", "u16", "--json", "run.json", "--junit", "run.xml"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.out + outcome.err, HasSubstr(nobody.target().substr(6)));
  EXPECT_EQ(violations("certify.schema.json", "run.json"), "");
  const auto result = parsed(read("run.json"));
  EXPECT_EQ(result["exit_code"], 3);
  EXPECT_NE(result["run_error"], "");
  pugi::xml_document junit;
  EXPECT_TRUE(junit.load_string(read("run.xml").c_str()));
}

TEST_F(Certify, ReportRendersASavedResultAgain) {
  Server server("u16", directory_.string());
  const auto outcome = hallmark({"certify", server.target(), "--width", "u16", "--operation",
                                 "STAT", "--json", "run.json", "--junit", "run.xml"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.out;
  const auto again =
      hallmark({"report", "run.json", "--json", "again.json", "--junit", "again.xml"});
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_EQ(again.out, outcome.out);
  EXPECT_EQ(read("again.json"), read("run.json"));
  EXPECT_EQ(read("again.xml"), read("run.xml"));
}

TEST_F(Certify, ReportRendersSeveralResultsAsOneSummary) {
  Arguments files;
  for (const std::string width : {"u8", "u16", "u32", "u64"}) {
    Server server(width, directory_.string(), {"tcp://127.0.0.1:0"}, {"--dialect", "throttr-7.3"});
    files.push_back(width + ".json");
    const auto outcome =
        hallmark({"certify", server.target(), "--operation", "PURGE", "--json", files.back()});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.out;
  }
  Arguments arguments{"report"};
  arguments.insert(arguments.end(), files.begin(), files.end());
  arguments.insert(arguments.end(),
                   {"--badge", "all.svg", "--tap", "all.tap", "--junit", "all.xml", "--github"});
  const auto outcome = hallmark(arguments);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  for (const char* const width : {"u8", "u16", "u32", "u64"})
    EXPECT_THAT(outcome.out, HasSubstr(std::string("\nthrottr-7.3 ") + width));
  EXPECT_THAT(outcome.out, HasSubstr("\nCERTIFIED  "));
  EXPECT_THAT(read("all.svg"), HasSubstr("throttr-7.3 u8 u16 u32 u64: certified, "));
  EXPECT_THAT(read("all.tap"), testing::StartsWith("TAP version 14\n1.."));
  pugi::xml_document junit;
  EXPECT_TRUE(junit.load_string(read("all.xml").c_str()));
}

TEST_F(Certify, InterruptedRunIsReported) {
  Silence silence;
  Program program(command({"certify", silence.target(), "--width", "u16", "--deadline", "1s",
                           "--json", "run.json"}),
                  directory_.string());
  ASSERT_TRUE(silence.wait_for_connection());
  program.send_signal(SIGINT);
  const auto outcome = program.wait();
  EXPECT_EQ(outcome.exit_code, 4) << outcome.out << outcome.err;
  EXPECT_EQ(violations("certify.schema.json", "run.json"), "");
  const Json report = parsed(read("run.json"));
  EXPECT_EQ(report["interrupted"], true);
  ASSERT_EQ(report["cases"].size(), 1U);
  EXPECT_EQ(report["cases"][0]["verdict"], "skipped");
}

TEST_F(Certify, SilentTargetIsAVerdictWithinTheDeadlines) {
  Silence silence;
  const auto outcome =
      hallmark({"certify", silence.target(), "--dialect", "throttr-7.1", "--width", "u16",
                "--deadline", "500ms", "--operation", "WHOAMI", "--json", "run.json"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("silent"));
  EXPECT_EQ(violations("certify.schema.json", "run.json"), "");
}

}  // namespace
}  // namespace hallmark::e2e
