#include "conformance/findings/findings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hallmark::conformance {
namespace {

using reports::CaseResult;
using reports::Code;
using reports::Severity;
using reports::Verdict;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

CaseResult passed(std::string id, std::string operation, std::vector<std::string> clauses = {}) {
  CaseResult one;
  one.id = std::move(id);
  one.title = "title of " + one.id;
  one.operation = std::move(operation);
  one.clauses = std::move(clauses);
  one.verdict = Verdict::pass;
  return one;
}

CaseResult failed(std::string id, std::string operation, Code code,
                  std::vector<std::string> clauses = {}) {
  CaseResult one = passed(std::move(id), std::move(operation), std::move(clauses));
  one.verdict = Verdict::fail;
  one.reason = "reason";
  one.code = std::move(code);
  return one;
}

Code wrong(std::string message, std::string field) {
  return {
      .kind = Code::Kind::wrong_field, .message = std::move(message), .field = std::move(field)};
}

reports::CertifyResult run_of(std::vector<CaseResult> cases) {
  reports::CertifyResult result;
  result.cases = std::move(cases);
  return result;
}

TEST(Findings, OfAFlawlessRunAreNone) {
  EXPECT_THAT(findings_of(run_of({passed("a", "QUERY")})), IsEmpty());
}

TEST(Findings, AreOneForEachSymptom) {
  const auto found = findings_of(run_of({
      failed("q1", "QUERY", wrong("QUERY", "quota")),
      failed("q2", "QUERY", wrong("QUERY", "quota")),
      failed("l1", "LIST", wrong("LIST", "fragments")),
      failed("l2", "LIST", wrong("LIST", "fragments")),
      passed("g1", "GET"),
  }));
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_THAT((std::vector{found[0].cases, found[1].cases}),
              UnorderedElementsAre(ElementsAre("q1", "q2"), ElementsAre("l1", "l2")));
}

TEST(Findings, AreOneForEachFailureOfACaseThatTriesSeveralInputs) {
  CaseResult several =
      failed("inputs", "INSERT", {.kind = Code::Kind::crash, .input = "opcode-40"});
  several.code->further = {{.kind = Code::Kind::silent, .message = "INSERT", .input = "opcode-31"},
                           wrong("QUERY", "quota")};
  several.reason = "opcode 40 kills the process; after opcode 31 all is silent; opcode 50 is wrong";
  const auto found = findings_of(run_of({several, passed("insert", "INSERT")}));
  ASSERT_THAT(found, SizeIs(3));
  EXPECT_EQ(found[0].sentence, "title of inputs: opcode 40 kills the process");
  EXPECT_EQ(found[1].sentence, "title of inputs: after opcode 31 all is silent");
  EXPECT_EQ(found[2].sentence, "title of inputs: opcode 50 is wrong");
  for (const reports::CertifyFinding& one : found) EXPECT_THAT(one.cases, ElementsAre("inputs"));
}

/// Other operations fail as well where one that they use is broken.
TEST(Findings, FollowTheMessageThatWasWrongIntoOtherOperations) {
  const auto found = findings_of(run_of({
      failed("insert", "INSERT", wrong("QUERY", "quota")),
      failed("update", "UPDATE", wrong("QUERY", "ttl")),
      failed("query", "QUERY", wrong("QUERY", "quota")),
      passed("insert2", "INSERT"),
      passed("update2", "UPDATE"),
  }));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].cases, ElementsAre("insert", "update", "query"));
}

TEST(Findings, OfACrashAreNotThoseOfItsMessage) {
  const auto found = findings_of(run_of({
      failed("s1", "SET", wrong("SET", "status")),
      failed("s2", "SET", wrong("SET", "status")),
      failed("s3", "SET", {.kind = Code::Kind::crash, .message = "SET"}),
  }));
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].severity, Severity::critical) << "the most serious comes first";
  EXPECT_THAT(found[0].cases, ElementsAre("s3"));
  EXPECT_THAT(found[1].cases, ElementsAre("s1", "s2"));
}

TEST(Findings, DeliveriesOfAVectorAreOne) {
  const auto found = findings_of(run_of({
      failed("d/w/get/value", "GET", wrong("GET", "value")),
      failed("d/w/get/value#split", "GET", {.kind = Code::Kind::silent, .message = "GET"}),
      failed("d/w/get/value#bytewise", "GET", {.kind = Code::Kind::silent, .message = "GET"}),
      passed("d/w/get/other", "GET"),
  }));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].shown_by, "d/w/get/value") << "in one piece is simpler";
}

TEST(Findings, AreNotMadeOfKnownFailures) {
  CaseResult known = failed("q", "QUERY", wrong("QUERY", "quota"));
  known.verdict = Verdict::known;
  EXPECT_THAT(findings_of(run_of({known})), IsEmpty());
}

TEST(Findings, NameTheClausesThatAllTheirCasesCite) {
  const auto found = findings_of(run_of({
      failed("q1", "QUERY", wrong("QUERY", "ttl"), {"query.found", "ttl.left"}),
      failed("q2", "QUERY", wrong("QUERY", "ttl"), {"ttl.left", "width.value-size"}),
  }));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].clauses, ElementsAre("ttl.left"));
}

TEST(Findings, HaveTheSameIdsAgain) {
  const auto run = run_of(
      {failed("q", "QUERY", wrong("QUERY", "quota")), failed("x", "LIST", wrong("LIST", "keys"))});
  EXPECT_EQ(findings_of(run), findings_of(run));
  auto with_more = run;
  with_more.cases.push_back(failed("q2", "QUERY", wrong("QUERY", "quota")));
  const auto ids = [](const auto& found) {
    std::set<std::string> all;
    for (const auto& one : found) all.insert(one.id);
    return all;
  };
  EXPECT_EQ(ids(findings_of(with_more)), ids(findings_of(run)));
}

}  // namespace
}  // namespace hallmark::conformance
