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
  const auto outcome = hallmark({"certify", server.target(), "--width", "u32", "--exclusive",
                                 "--deadline", "1s", "--json", "run.json", "--junit", "run.xml"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("likely cause: the target speaks throttr-7.1 at u16"));
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

TEST_F(Certify, ListNeedsNoTarget) {
  const auto outcome = hallmark({"certify", "--list", "--width", "u64", "--operation", "WHOAMI"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("throttr-7.1/u64/"));
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

TEST_F(Certify, InterruptedRunIsReported) {
  Silence silence;
  Program program(command({"certify", silence.target(), "--width", "u16", "--deadline", "1s",
                           "--json", "run.json"}),
                  directory_.string());
  ASSERT_TRUE(silence.wait_for_connection());
  program.send_signal(SIGINT);
  const auto outcome = program.wait();
  EXPECT_GT(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(violations("certify.schema.json", "run.json"), "");
  EXPECT_EQ(parsed(read("run.json"))["interrupted"], true);
}

TEST_F(Certify, SilentTargetIsAVerdictWithinTheDeadlines) {
  Silence silence;
  const auto outcome = hallmark({"certify", silence.target(), "--width", "u16", "--deadline",
                                 "500ms", "--operation", "WHOAMI", "--json", "run.json"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("silent"));
  EXPECT_EQ(violations("certify.schema.json", "run.json"), "");
}

}  // namespace
}  // namespace hallmark::e2e
