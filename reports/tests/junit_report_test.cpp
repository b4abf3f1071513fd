#include "reports/junit_report.hpp"

#include <gtest/gtest.h>

#include <pugixml.hpp>

#include "reports/tests/golden.hpp"
#include "reports/tests/samples.hpp"

namespace hallmark::reports {
namespace {

pugi::xml_document parse(const std::string& xml) {
  pugi::xml_document document;
  const auto parsed = document.load_string(xml.c_str());
  EXPECT_TRUE(parsed) << parsed.description();
  return document;
}

TEST(JUnit, IsAsTheGoldenFile) {
  expect_golden("certify_mixed.xml", render_junit(samples::mixed()));
}

TEST(JUnit, UnreachableTargetHasAnError) {
  expect_golden("certify_unreachable.xml", render_junit(samples::unreachable()));
}

TEST(JUnit, CountsAreThoseOfTheElements) {
  const auto document = parse(render_junit(samples::mixed()));
  for (const auto suite : document.child("testsuites").children("testsuite")) {
    int tests = 0, failures = 0, errors = 0, skipped = 0;
    for (const auto test : suite.children("testcase")) {
      ++tests;
      failures += test.child("failure") ? 1 : 0;
      errors += test.child("error") ? 1 : 0;
      skipped += test.child("skipped") ? 1 : 0;
    }
    EXPECT_EQ(suite.attribute("tests").as_int(), tests) << suite.attribute("name").value();
    EXPECT_EQ(suite.attribute("failures").as_int(), failures);
    EXPECT_EQ(suite.attribute("errors").as_int(), errors);
    EXPECT_EQ(suite.attribute("skipped").as_int(), skipped);
  }
}

TEST(JUnit, FindingsComeFirstAndFail) {
  const CertifyResult result = samples::mixed();
  const auto document = parse(render_junit(result));
  const auto suite = document.child("testsuites").child("testsuite");
  EXPECT_STREQ(suite.attribute("name").value(), "throttr-7.1/u16/findings");
  const auto test = suite.child("testcase");
  EXPECT_EQ(test.attribute("name").value(), result.findings.front().id);
  EXPECT_EQ(test.child("failure").attribute("message").value(), result.findings.front().sentence);
  EXPECT_STREQ(test.child("failure").attribute("type").value(), "medium");
}

TEST(JUnit, SeveralRunsAreSummed) {
  std::vector<CertifyResult> runs = {samples::all_passed(), samples::mixed()};
  runs[0].header.width = "u8";
  const auto document = parse(render_junit(runs));
  const auto root = document.child("testsuites");
  EXPECT_EQ(root.attribute("tests").as_int(), 189) << "with a finding";
  EXPECT_EQ(root.attribute("failures").as_int(), 3);
  EXPECT_TRUE(document.select_node("//testsuite[@name='throttr-7.1/u8/OPERATION_17']"));
  EXPECT_TRUE(document.select_node("//testsuite[@name='throttr-7.1/u16/QUERY']"));
}

TEST(JUnit, IndeterminateIsAnErrorOfThatType) {
  const auto document = parse(render_junit(samples::mixed()));
  const auto found = document.select_node("//testcase[@name='publish/late']/error");
  ASSERT_TRUE(found);
  EXPECT_STREQ(found.node().attribute("type").value(), "indeterminate");
}

TEST(JUnit, FailuresAreOfTheTypeOfTheirCode) {
  const auto document = parse(render_junit(samples::mixed()));
  const auto found = document.select_node("//testcase[@name='query/typical']/failure");
  ASSERT_TRUE(found);
  EXPECT_STREQ(found.node().attribute("type").value(), "wrong-field QUERY.quota");
}

TEST(JUnit, RunThatCertifiedNothingIsNoSuccess) {
  for (const auto verdict : {Verdict::skipped, Verdict::unsupported}) {
    CertifyResult result;
    result.cases = {samples::passed("list/empty", "LIST")};
    result.cases[0].verdict = verdict;
    const auto document = parse(render_junit(result));
    EXPECT_EQ(document.child("testsuites").attribute("errors").as_int(), 1) << name_of(verdict);
  }
}

}  // namespace
}  // namespace hallmark::reports
