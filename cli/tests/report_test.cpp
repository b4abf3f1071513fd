#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/tests/temporary_directory.hpp"
#include "cli/commands.hpp"
#include "cli/options/command_line.hpp"
#include "reports/json_report.hpp"

namespace hallmark::cli {
namespace {

using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

reports::CertifyResult certified(const std::string& width, reports::Verdict verdict) {
  reports::CertifyResult result;
  result.header.dialect = "throttr-7.1";
  result.header.width = width;
  reports::CaseResult one;
  one.id = "query/typical";
  one.operation = "QUERY";
  one.verdict = verdict;
  result.cases = {one};
  return result;
}

reports::LoadResult loaded() {
  reports::LoadResult result;
  result.header.dialect = "throttr-7.1";
  result.counts.planned = result.counts.completed = 10;
  return result;
}

class ReportCommand : public testing::Test {
 protected:
  template <class T>
  std::string save(const char* name, const T& result) {
    return directory_.write(name, reports::render_json(result)).string();
  }
  std::string read(const char* name) const { return directory_.read(name); }
  std::string path(const char* name) const { return (directory_ / name).string(); }

  int run(std::vector<std::string> arguments) {
    int exit_code = -1;
    Command app("", "hallmark");
    add_report_command(app, exit_code);
    arguments.insert(arguments.begin(), "report");
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    app.run(std::move(arguments));
    output_ = testing::internal::GetCapturedStdout();
    errors_ = testing::internal::GetCapturedStderr();
    return exit_code;
  }

  base::test::TemporaryDirectory directory_;
  std::string output_, errors_;
};

TEST_F(ReportCommand, RendersAndExitsAsTheRunDid) {
  EXPECT_EQ(run({save("a.json", certified("u16", reports::Verdict::pass))}), 0);
  EXPECT_THAT(output_, HasSubstr("CERTIFIED  1 passed"));
  EXPECT_EQ(run({save("b.json", certified("u16", reports::Verdict::indeterminate))}), 4);
  EXPECT_EQ(run({save("c.json", loaded())}), 0);
  EXPECT_THAT(output_, HasSubstr("DONE  10 requests answered"));
}

TEST_F(ReportCommand, WorstOfSeveral) {
  EXPECT_EQ(
      run({save("a.json", certified("u8", reports::Verdict::pass)),
           save("b.json", certified("u16", reports::Verdict::fail)),
           save("c.json", certified("u32", reports::Verdict::error)), "--junit", path("all.xml")}),
      1);
  EXPECT_THAT(read("all.xml"), HasSubstr("tests=\"3\" failures=\"1\" errors=\"1\""));
}

TEST_F(ReportCommand, SeveralCertifyResultsAreOneSummary) {
  std::vector<std::string> arguments;
  for (const std::string width : {"u8", "u16", "u32", "u64"})
    arguments.push_back(save((width + ".json").c_str(), certified(width, reports::Verdict::pass)));
  arguments.insert(arguments.end(), {"--badge", path("badge.svg"), "--tap", path("all.tap")});
  EXPECT_EQ(run(arguments), 0);
  EXPECT_THAT(output_, HasSubstr("throttr-7.1 u64"));
  EXPECT_THAT(output_, HasSubstr("\nCERTIFIED  4 passed"));
  EXPECT_THAT(read("badge.svg"), HasSubstr("throttr-7.1 u8 u16 u32 u64: certified, 4 cases"));
  EXPECT_THAT(read("all.tap"), HasSubstr("TAP version 14\n1..4\n"));
}

TEST_F(ReportCommand, GitHubIsToldOfAll) {
  EXPECT_EQ(::setenv("GITHUB_STEP_SUMMARY", path("step.md").c_str(), 1), 0);
  const int exit_code = run({save("a.json", certified("u8", reports::Verdict::pass)),
                             save("b.json", certified("u16", reports::Verdict::fail)), "--github"});
  ::unsetenv("GITHUB_STEP_SUMMARY");
  EXPECT_EQ(exit_code, 1);
  EXPECT_THAT(output_, HasSubstr("::error title=query/typical::"));
  EXPECT_THAT(read("step.md"), HasSubstr("### ❌ throttr-7.1 u8 u16: not certified"));
}

TEST_F(ReportCommand, JsonIsRewrittenTheSame) {
  const auto file = save("a.json", loaded());
  EXPECT_EQ(run({file, "--json", path("b.json")}), 0);
  EXPECT_EQ(read("b.json"), read("a.json"));
}

TEST_F(ReportCommand, UsageErrorsAreOneLineAndRenderNothing) {
  const auto good = save("a.json", certified("u8", reports::Verdict::pass));
  const auto load = save("l.json", loaded());
  std::ofstream(directory_ / "bad.json") << "{}";
  const std::vector<std::vector<std::string>> rows = {{good, path("bad.json")},
                                                      {path("absent.json")},
                                                      {good, load, "--json", path("out")},
                                                      {good, load, "--junit", path("out")},
                                                      {load, "--tap", path("out")},
                                                      {load, "--badge", path("out")},
                                                      {load, "--github"}};
  for (const auto& row : rows) {
    EXPECT_EQ(run(row), 2) << row.back();
    EXPECT_EQ(output_, "");
    EXPECT_EQ(std::count(errors_.begin(), errors_.end(), '\n'), 1) << errors_;
    EXPECT_FALSE(fs::exists(path("out")));
  }
}

TEST_F(ReportCommand, HtmlIsOnePageOfAllResults) {
  const auto certify = save("a.json", certified("u8", reports::Verdict::pass));
  const auto load = save("l.json", loaded());
  run({certify, load, "--html", path("out.html")});
  const std::string page = read("out.html");
  EXPECT_THAT(page, HasSubstr(R"({"name":")" + certify + R"(","verdict":"CERTIFIED)"));
  EXPECT_THAT(page, HasSubstr(R"({"name":")" + load + R"(","verdict":")"));
  EXPECT_THAT(page, HasSubstr(R"("clauses":[{"dialect":"throttr-7.1")"));
  EXPECT_THAT(page, Not(HasSubstr(R"("command":)")));
}

TEST_F(ReportCommand, ComparisonsAndSumsArePages) {
  const auto before = save("a.json", certified("u8", reports::Verdict::pass));
  const auto now = save("b.json", certified("u8", reports::Verdict::fail));
  EXPECT_EQ(run({"compare", before, now, "--html", path("changes.html")}), 1);
  EXPECT_THAT(read("changes.html"), HasSubstr(R"("changes":{"baseline":")" + before));
  const auto load = save("l.json", loaded());
  run({"compare", load, load, "--html", path("compared.html")});
  const std::string compared = read("compared.html");
  EXPECT_THAT(compared, HasSubstr("hallmark-load-comparison"));
  EXPECT_THAT(compared, HasSubstr(R"("command":)"));
  EXPECT_THAT(compared, HasSubstr(R"("runs":[{"file":")" + load));
}

TEST_F(ReportCommand, NamesEveryKindThatItReads) {
  EXPECT_EQ(run({directory_.write("x.json", R"({"format": "x"})").string()}), 2);
  for (const std::string kind :
       {"certify", "load", "knee", "load-comparison", "kill-matrix", "audit", "certify-client"})
    EXPECT_THAT(errors_, HasSubstr("\"hallmark-" + kind + "\""));
}

TEST_F(ReportCommand, UnwritablePageLeavesTheOtherFiles) {
  const auto file = save("l.json", loaded());
  EXPECT_EQ(run({file, "--json", path("again.json"), "--html", path("no/out.html")}), 3);
  EXPECT_EQ(std::count(errors_.begin(), errors_.end(), '\n'), 1) << errors_;
  EXPECT_EQ(read("again.json"), read("l.json"));
}

TEST_F(ReportCommand, UnwritableReportIsAnError) {
  EXPECT_EQ(run({save("l.json", loaded()), "--json", path("no/out.json")}), 3);
  EXPECT_THAT(errors_, HasSubstr("No such file or directory"));
}

}  // namespace
}  // namespace hallmark::cli
