#include "conformance/findings/findings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/judgement/lapses.hpp"

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

/// It is not about what else is wrong with the operation that it asks with.
TEST(Findings, SilencesAreShownByTheCaseThatSaysHowManyRepliesAConnectionHas) {
  const Code silent{.kind = Code::Kind::silent, .message = "INSERT"};
  const CaseResult lifetimes = failed("answered", "QUERY",
                                      {.kind = Code::Kind::silent,
                                       .message = "QUERY",
                                       .promise = std::string(every_connection_lasts)});
  const CaseResult u1 = failed("u1", "QUERY", wrong("QUERY", "quota"));
  const CaseResult u2 = failed("u2", "QUERY", wrong("QUERY", "quota"));
  const auto found =
      findings_of(run_of({u1, u2, failed("i1", "INSERT", silent), failed("i2", "INSERT", silent),
                          lifetimes, passed("i3", "INSERT")}));
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].shown_by, "answered");
  EXPECT_THAT(found[0].cases, UnorderedElementsAre("i1", "i2", "answered"));
  EXPECT_THAT(found[1].cases, ElementsAre("u1", "u2"));
  const auto alone = findings_of(run_of({u1, u2, lifetimes, passed("q1", "QUERY")}));
  ASSERT_THAT(alone, SizeIs(2));
  EXPECT_THAT((std::vector{alone[0].cases, alone[1].cases}),
              UnorderedElementsAre(ElementsAre("answered"), ElementsAre("u1", "u2")));
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

/// Two ends of the process are one finding: it says how the other cases ended.
TEST(Findings, OfDeathsNameTheOtherEnds) {
  auto run = run_of({
      failed("s1", "SET", {.kind = Code::Kind::crash, .message = "SET"}),
      failed("s2", "SET", {.kind = Code::Kind::crash, .message = "SET"}),
  });
  for (const auto& [killer, how] :
       {std::pair("s1", "killed by signal 11"), std::pair("s2", "killed by signal 6")}) {
    run.deaths.emplace_back().killer = killer;
    run.deaths.back().how = how;
  }
  const auto found = findings_of(run);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].shown_by, "s1");
  EXPECT_EQ(found[0].sentence, "title of s1: reason; other cases: killed by signal 6");
}

/// A finding over many cases does not repeat what is odd about one of them.
TEST(Findings, ShowTheUsualSymptom) {
  CaseResult odd = failed("q1", "QUERY", wrong("QUERY", "ttl"));
  odd.reproduction = {"03"};
  CaseResult usual = failed("q2", "QUERY", wrong("QUERY", "quota"));
  usual.reproduction = {"03", "03"};
  const auto found =
      findings_of(run_of({odd, usual, failed("q3", "QUERY", wrong("QUERY", "quota"))}));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].shown_by, "q2");
}

Code silent(std::string message) {
  return {.kind = Code::Kind::silent, .message = std::move(message)};
}

TEST(Findings, OfLostRepliesAreApartFromOtherSilence) {
  Code loses = silent("QUERY");
  loses.promise = every_request_is_answered;
  const auto found = findings_of(run_of({
      failed("query", "QUERY", silent("QUERY")),
      failed("query2", "QUERY", silent("QUERY")),
      failed("answered", "QUERY", loses),
  }));
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_THAT((std::vector{found[0].cases, found[1].cases}),
              UnorderedElementsAre(ElementsAre("query", "query2"), ElementsAre("answered")));
}

/// A server that stops to answer does so whatever it is asked.
TEST(Findings, OfAConnectionThatFallsSilentAreOne) {
  const auto found = findings_of(run_of({
      failed("i", "INSERT", silent("INSERT")),
      passed("i2", "INSERT"),
      passed("i3", "INSERT"),
      failed("s", "STAT", silent("STAT")),
      passed("s2", "STAT"),
      passed("s3", "STAT"),
      failed("c", "CHANNELS", silent("CHANNELS")),
      passed("c2", "CHANNELS"),
      passed("c3", "CHANNELS"),
  }));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].cases, ElementsAre("i", "s", "c"));
}

TEST(Findings, OfTwoOperationsThatAreSilentAreTwo) {
  const auto found = findings_of(run_of({
      failed("i", "INSERT", silent("INSERT")),
      failed("i2", "INSERT", silent("INSERT")),
      failed("c", "CHANNELS", silent("CHANNELS")),
      failed("c2", "CHANNELS", silent("CHANNELS")),
  }));
  EXPECT_THAT(found, SizeIs(2));
}

/// Almost all that cites the clause is about quotas; what is left of it is no second cause.
TEST(Findings, AreNotMadeOfTheRestOfATrait) {
  std::vector<CaseResult> cases;
  for (const char* const id : {"q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8", "q9", "q10"})
    cases.push_back(failed(id, "QUERY", wrong("QUERY", "quota"), {"clause"}));
  cases.push_back(failed("l1", "LIST", wrong("GET", "value"), {"clause"}));
  cases.push_back(failed("l2", "SET", wrong("STAT", "reads"), {"clause"}));
  for (const char* const operation : {"LIST", "SET", "GET", "STAT"}) {
    for (const char* const id : {"1", "2", "3"})
      cases.push_back(passed(std::string(operation) + id, operation));
  }
  for (const char* const id : {"u1", "u2"}) cases.push_back(passed(id, "UPDATE", {"clause"}));
  EXPECT_THAT(findings_of(run_of(std::move(cases))), SizeIs(1));
}

/// The lone one shares its traits with no other, and is found first.
TEST(Findings, OfALoneFailureAreThoseOfItsOperation) {
  const auto found = findings_of(run_of({
      failed("g1", "GET", wrong("GET", "status")),
      failed("g2", "GET", wrong("GET", "status")),
      passed("g3", "GET"),
      passed("g4", "GET"),
      failed("r", "RECORD", {.kind = Code::Kind::wrong_order, .message = "GET"}),
  }));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].cases, ElementsAre("g1", "g2", "r"));
}

/// Each is seen once, about the same operation: these are two bugs, whatever else fails beside
/// them.
TEST(Findings, OfLoneFailuresThatShowSomethingElseAreTheirOwn) {
  const auto found = findings_of(run_of({
      failed("p", "PURGE", wrong("PURGE", "status")),
      failed("i", "PURGE", wrong("PURGE", "request_id")),
      failed("r", "PURGE", {.kind = Code::Kind::wrong_order, .message = "PURGE"}),
      passed("p2", "PURGE"),
  }));
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_THAT(found[0].cases, ElementsAre("i", "r"));
  EXPECT_THAT(found[1].cases, ElementsAre("p"));
}

/// One whose reason names many inputs is no sentence to begin with.
TEST(Findings, AreShownByWhatIsSoonSaid) {
  CaseResult many = failed("q1", "QUERY", wrong("QUERY", "quota"));
  many.reason = std::string(300, 'r');
  const auto found = findings_of(run_of({many, failed("q2", "QUERY", wrong("QUERY", "quota"))}));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].shown_by, "q2");
}

/// Otherwise half of what is wrong with LIST would have another id where a case is not played.
TEST(Findings, OfOneSymptomAreOne) {
  const auto found = findings_of(run_of({
      failed("l1", "LIST", wrong("LIST", "keys"), {"list.entry"}),
      failed("l2", "LIST", wrong("LIST", "keys"), {"list.entry"}),
      failed("k1", "SET", wrong("LIST", "keys"), {"key.binary"}),
      failed("k2", "SET", wrong("LIST", "keys"), {"key.binary"}),
      passed("l3", "LIST"),
      passed("l4", "LIST"),
      passed("l5", "LIST"),
      passed("s1", "SET"),
  }));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].cases, ElementsAre("l1", "l2", "k1", "k2"));
}

TEST(Findings, CountRepetitionsOfAllTheirCases) {
  CaseResult once = failed("q1", "QUERY", wrong("QUERY", "quota"));
  once.repeated = {.failed = 1, .played = 1};
  CaseResult not_always = failed("q2", "QUERY", wrong("QUERY", "quota"));
  not_always.repeated = {.failed = 1, .played = 2};
  const auto found = findings_of(run_of({once, not_always}));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].repeated, (reports::Repetitions{.failed = 2, .played = 3}));
}

TEST(Findings, OfUnsteadinessNameTheCasesThatPassedAlone) {
  CaseResult steady = failed("d/sanity/steady", "", {});
  steady.verdict = Verdict::unstable;
  CaseResult wavering = passed("w", "SET");
  wavering.repeated = {.failed = 0, .played = 1};
  const auto found = findings_of(run_of({passed("p", "SET"), wavering, steady}));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].cases, ElementsAre("d/sanity/steady", "w"));
}

TEST(Findings, AreShownByTheShortestScript) {
  CaseResult whole = failed("q1", "QUERY", wrong("QUERY", "quota"));
  whole.reproduction = {"c1: 00", "c1: 01"};
  CaseResult shorter = failed("q2", "QUERY", wrong("QUERY", "quota"));
  shorter.reproduction = {"c1: 00"};
  CaseResult without = failed("q3", "QUERY", wrong("QUERY", "quota"));
  const auto found = findings_of(run_of({whole, shorter, without}));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].shown_by, "q2");
}

TEST(Findings, HaveTheSameIdAtEveryWidth) {
  const auto of_width = [](const std::string& width) {
    auto result = run_of({failed("throttr-7.1/" + width + "/get/value", "", {})});
    result.cases.front().code.reset();
    result.header.dialect = "throttr-7.1";
    result.header.width = width;
    return findings_of(result);
  };
  EXPECT_EQ(of_width("u8").front().id, of_width("u16").front().id);
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
