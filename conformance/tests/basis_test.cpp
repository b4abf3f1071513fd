#include "conformance/judgement/basis.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "conformance/engine/certify.hpp"
#include "conformance/engine/sanity.hpp"
#include "conformance/identify/tests/fake_throttr.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::conformance::testing {
namespace {

using protocol::Dialect;
using protocol::Profile;
using protocol::Readings;
using protocol::Width;
using reports::ExitCode;
using reports::Verdict;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Unit insert_and_query(const std::string& prefix) {
  Unit unit;
  unit.name = "round-trip";
  unit.run = [](Stage& stage) {
    const std::string key = stage.key("k");
    stage.connection().ask(insert(key, 5), success());
    stage.require(stage.connection().ask(query(key)).number_or("quota", 0) == 5,
                  "not what was stored");
  };
  unit.cases.push_back(
      {prefix + "/round-trip", "INSERT and QUERY", "INSERT", protocol::Level::must, {}, {}});
  return unit;
}

/// All readings of the dialect, and a case of behaviour.
base::Expected<Suite, std::string> some_suite(const WireFormat& format) {
  const std::string prefix = id_prefix(&format.dialect(), format.width());
  Suite suite = suite_of_readings(format.dialect(), prefix);
  suite.push_back(insert_and_query(prefix));
  return suite;
}

CertifyOptions asking(Asked asked) {
  CertifyOptions options;
  options.target_text = "simulated";
  options.asked = std::move(asked);
  options.schedule.jobs = 1;
  return options;
}

reports::CertifyResult certified(Responder& target, const Asked& asked,
                                 const SuiteMaker& make_suite = some_suite) {
  TestNetwork network(target);
  return *certify_over(network, make_suite, asking(asked));
}

const Asked seven_one{.dialect = &protocol::throttr_7_1, .width = Width::u16};

FakeThrottr server(const Dialect& dialect, Profile profile = Profile::deployed,
                   Width width = Width::u16) {
  return {width, Readings(dialect, profile)};
}

const reports::CaseResult* find(const reports::CertifyResult& result, std::string_view end) {
  for (const reports::CaseResult& one : result.cases) {
    if (one.id.ends_with(end)) return &one;
  }
  return nullptr;
}

TEST(Basis, AsksFirstAndHoldsTheTargetToItsAnswers) {
  FakeThrottr target = server(protocol::throttr_7_1, Profile::literal);
  const auto result = certified(target, seven_one);
  EXPECT_EQ(exit_code(result), ExitCode::as_expected);
  EXPECT_EQ(result.cases.front().id, "throttr-7.1/u16/sanity/dialect");
  EXPECT_EQ(result.header.profile, "auto");
  EXPECT_THAT(result.header.readings, Contains("status-prefix=no"));
  EXPECT_THAT(result.header.answers,
              Contains(reports::ReadingAnswer{"set-value-size", "one-byte", "one-byte"}));
  EXPECT_EQ(find(result, "/readings/set-value-size")->verdict, Verdict::pass);
  EXPECT_EQ(find(result, "/round-trip")->verdict, Verdict::pass);
  EXPECT_EQ(result.cases.back().id, "throttr-7.1/u16/sanity/after");
}

TEST(Basis, ARunOnReleasedAnswersDiffersInNothing) {
  FakeThrottr target = server(protocol::throttr_7_1);
  const auto result = certified(target, seven_one);
  EXPECT_EQ(exit_code(result), ExitCode::as_expected);
  EXPECT_THAT(result.header.readings, IsEmpty());
  EXPECT_GT(result.header.answers.size(), 20U);
}

TEST(Basis, WhatIsOpenIsFoundOut) {
  for (const Dialect* const dialect : protocol::throttr_dialects) {
    FakeThrottr target = server(*dialect, Profile::deployed, dialect->widths.back());
    const auto result = certified(target, {});
    EXPECT_EQ(exit_code(result), ExitCode::as_expected) << dialect->name;
    EXPECT_EQ(result.header.dialect, dialect->name);
    EXPECT_EQ(result.header.width, "u64");
    EXPECT_EQ(result.cases.front().id, std::string(dialect->name) + "/u64/sanity/dialect");
    EXPECT_THAT(result.header.notes,
                Contains(fmt::format("found by its replies: {0} u64; --dialect {0} --width u64 "
                                     "pins it",
                                     dialect->name)));
  }
}

TEST(Basis, APinnedAnswerIsHeldToWithoutAsking) {
  FakeThrottr target = server(protocol::throttr_7_1);
  Asked asked = seven_one;
  asked.pins = {{"insert-existing", "replaced"}};
  const auto result = certified(target, asked);
  const auto* const pinned = find(result, "/readings/insert-existing");
  EXPECT_EQ(pinned->verdict, Verdict::skipped);
  EXPECT_EQ(pinned->reason, "not asked: pinned to replaced");
  EXPECT_EQ(find(result, "/round-trip")->verdict, Verdict::pass);
  EXPECT_THAT(result.header.answers, Contains(reports::ReadingAnswer{"insert-existing", "replaced",
                                                                     "", "pinned to replaced"}));
  EXPECT_THAT(result.header.readings, ElementsAre("insert-existing=replaced"));
}

TEST(Basis, AnAnswerOfTheProfileThatIsNotGivenFailsAndTheRestIsPlayed) {
  FakeThrottr target = server(protocol::throttr_2_0, Profile::deployed, Width::u64);
  Asked asked{.dialect = &protocol::throttr_2_0, .width = Width::u64};
  asked.profile = Profile::literal;
  const auto result = certified(target, asked);
  EXPECT_EQ(exit_code(result), ExitCode::failures);
  const auto* const failed = find(result, "/readings/insert-existing");
  EXPECT_EQ(failed->verdict, Verdict::fail);
  EXPECT_EQ(failed->reason, "held to replaced, the target answers refused");
  EXPECT_FALSE(failed->evidence.empty());
}

TEST(Basis, OtherLayoutsThanThoseHeldToEndTheRun) {
  FakeThrottr target = server(protocol::throttr_7_1);
  Asked asked = seven_one;
  asked.profile = Profile::literal;
  const auto result = certified(target, asked);
  EXPECT_EQ(exit_code(result), ExitCode::failures);
  EXPECT_THAT(find(result, "/readings/status-prefix")->reason,
              HasSubstr("held to no, the target answers yes: WHOAMI: 18 was answered 01"));
  const auto* const skipped = find(result, "/round-trip");
  EXPECT_EQ(skipped->verdict, Verdict::skipped);
  EXPECT_THAT(skipped->reason, HasSubstr("other layouts: status-prefix=yes, not no"));
  EXPECT_EQ(target.records(), 0U);
}

TEST(Basis, AReadingThatNoLayoutDependsOnDoesNotEndTheRun) {
  FakeThrottr target = server(protocol::throttr_7_1);
  Asked asked = seven_one;
  asked.pins = {{"ip-field", "raw"}, {"fragments", "from-0"}};
  const auto result = certified(target, asked);
  EXPECT_EQ(find(result, "/readings/ip-field")->verdict, Verdict::fail);
  EXPECT_EQ(find(result, "/readings/fragments")->verdict, Verdict::fail);
  EXPECT_EQ(find(result, "/round-trip")->verdict, Verdict::pass);
}

TEST(Basis, AnotherWidthIsNamedAndShownAndNothingElseIsPlayed) {
  for (const Width width : {Width::u8, Width::u32, Width::u64}) {
    FakeThrottr target = server(protocol::throttr_7_1, Profile::deployed, width);
    const auto result = certified(target, seven_one);
    const std::string_view served = name_of(width);
    const std::string spoken = fmt::format("the target answers as throttr-7.1 {}", served);
    const std::string advice = fmt::format("{}: --dialect throttr-7.1 --width {}", spoken, served);
    EXPECT_EQ(exit_code(result), ExitCode::failures);
    EXPECT_EQ(result.cases.front().verdict, Verdict::fail);
    EXPECT_EQ(result.cases.front().likely_cause, advice);
    EXPECT_THAT(result.cases.front().reason,
                HasSubstr(spoken + ", not as throttr-7.1 u16: the reply to QUERY"));
    EXPECT_FALSE(result.cases.front().evidence.empty());
    EXPECT_EQ(find(result, "/round-trip")->verdict, Verdict::skipped);
    EXPECT_EQ(find(result, "/round-trip")->reason, advice);
    EXPECT_EQ(target.records(), 0U);
  }
}

TEST(Basis, AnotherDialectIsNamedWithTheMessageThatTellsIt) {
  FakeThrottr target = server(protocol::throttr_7_3);
  target.version = "7.1.1";
  const auto result = certified(target, seven_one);
  const reports::CaseResult& first = result.cases.front();
  EXPECT_EQ(first.verdict, Verdict::fail);
  EXPECT_EQ(first.likely_cause,
            "the target answers as throttr-7.3 u16: --dialect throttr-7.3 --width u16");
  EXPECT_THAT(first.reason, HasSubstr("CONNECTIONS: 14 was answered"));
  EXPECT_THAT(first.reason, HasSubstr("a whole message of throttr-7.3, not of throttr-7.1"));
  EXPECT_EQ(result.header.dialect, "throttr-7.1");
}

TEST(Basis, ADialectThatIsContainedPassesAndSaysSo) {
  for (const Profile profile : {Profile::deployed, Profile::literal}) {
    FakeThrottr target = server(protocol::throttr_7_1, profile);
    const auto result = certified(target, {.dialect = &protocol::throttr_6_0, .width = Width::u16});
    EXPECT_EQ(exit_code(result), ExitCode::as_expected);
    EXPECT_THAT(result.header.notes,
                ElementsAre("throttr-6.0 is contained in throttr-7.1, which the target speaks"));
    EXPECT_EQ(find(result, "/readings/list-bytes-used")->verdict, Verdict::pass);
    EXPECT_EQ(find(result, "/round-trip")->id, "throttr-6.0/u16/round-trip");
  }
}

TEST(Basis, ADialectIsNotContainedTheOtherWayRound) {
  FakeThrottr target = server(protocol::throttr_6_0);
  const auto result = certified(target, seven_one);
  EXPECT_EQ(result.cases.front().likely_cause,
            "the target answers as throttr-6.0 u16: --dialect throttr-6.0 --width u16");
}

TEST(Basis, AStrangerIsShownToBeOneWhereNothingElseIsKnown) {
  const auto bad_request = [](base::ByteView) {
    return Stranger::Answer{base::to_bytes("HTTP/1.1 400 Bad Request\r\n"), true};
  };
  Stranger target(bad_request);
  const auto result = certified(target, {});
  ASSERT_EQ(result.cases.size(), 1U);
  EXPECT_EQ(exit_code(result), ExitCode::failures);
  EXPECT_THAT(result.cases.front().reason,
              HasSubstr("the target is no Throttr, unless --dialect and --width say so: "));
  EXPECT_THAT(result.cases.front().reason, HasSubstr("as HTTP servers do"));
  EXPECT_EQ(result.header.dialect, "auto");
}

TEST(Basis, AStrangerOfWhichMuchIsSaidIsStillJudgedByIt) {
  Stranger target([](base::ByteView) { return Stranger::Answer{{1}, false}; });
  const auto result = certified(target, seven_one);
  EXPECT_EQ(exit_code(result), ExitCode::failures);
  EXPECT_EQ(find(result, "/sanity/before")->verdict, Verdict::fail);
  EXPECT_NE(find(result, "/round-trip")->verdict, Verdict::skipped);
  EXPECT_THAT(find(result, "/round-trip")->likely_cause, HasSubstr("no Throttr"));
}

/// So many documented cases, and one about resources.
SuiteMaker documented_and_one_more(int documented) {
  return [documented](const WireFormat& format) -> base::Expected<Suite, std::string> {
    const std::string prefix = id_prefix(&format.dialect(), format.width());
    Suite suite;
    for (int i = 0; i < documented; ++i)
      suite.push_back(insert_and_query(fmt::format("{}/{}", prefix, i)));
    suite.push_back(insert_and_query(prefix + "/crowd"));
    suite.back().cases.front().danger = Danger::resources;
    return suite;
  };
}

TEST(Basis, AStrangerOfWhichNoDocumentedCasePassesIsSentNothingElse) {
  Stranger target([](base::ByteView) { return Stranger::Answer{{1}, false}; });
  const auto result = certified(target, seven_one, documented_and_one_more(30));
  EXPECT_EQ(exit_code(result), ExitCode::failures);
  EXPECT_EQ(std::ranges::count(result.cases, Verdict::fail, &reports::CaseResult::verdict), 1);
  EXPECT_EQ(result.cases.front().verdict, Verdict::fail);
  EXPECT_EQ(find(result, "/29/round-trip")->verdict, Verdict::skipped);
  EXPECT_THAT(find(result, "/29/round-trip")->reason,
              HasSubstr("did not pass, as no documented case does: the target is no Throttr"));
  EXPECT_EQ(find(result, "/crowd/round-trip")->verdict, Verdict::skipped);
  EXPECT_THAT(find(result, "/crowd/round-trip")->reason,
              HasSubstr("not played: no documented case passes, and the target is no Throttr"));
  EXPECT_EQ(find(result, "/sanity/after"), nullptr);
}

TEST(Basis, AFewFailuresMakeNoStranger) {
  Stranger target([](base::ByteView) { return Stranger::Answer{{1}, false}; });
  const auto result = certified(target, seven_one, documented_and_one_more(3));
  EXPECT_EQ(find(result, "/crowd/round-trip")->verdict, Verdict::fail);
}

TEST(Basis, ATargetThatMayBeWhatWasAskedForIsTakenForIt) {
  FakeThrottr target = server(protocol::throttr_7_1);
  target.without = {"CONNECTIONS", "CHANNELS", "PUBLISH", "SUBSCRIBE"};
  const auto result = certified(target, seven_one);
  EXPECT_EQ(result.cases.front().verdict, Verdict::pass);
  EXPECT_EQ(find(result, "/round-trip")->verdict, Verdict::pass);
  const auto open = certified(target, {});
  EXPECT_EQ(open.cases.front().verdict, Verdict::fail);
  EXPECT_THAT(open.cases.front().reason,
              HasSubstr("--dialect has to say what the target speaks: its messages fit throttr-7.1 "
                        "and throttr-7.3; "));
}

TEST(Basis, ATargetThatIsNotThereIsARunError) {
  FakeThrottr target = server(protocol::throttr_7_1);
  TestNetwork network(target);
  network.refuse();
  const auto result = *certify_over(network, some_suite, asking(seven_one));
  EXPECT_EQ(result.run_error, "cannot connect: refused");
  EXPECT_THAT(result.cases, IsEmpty());
  EXPECT_EQ(result.header.width, "u16");
}

TEST(Basis, AStopWhileAskingInterruptsTheRun) {
  FakeThrottr target = server(protocol::throttr_7_1);
  TestNetwork network(target);
  CertifyOptions options = asking(seven_one);
  const std::atomic<bool> stop{true};
  options.schedule.stop = &stop;
  const auto result = *certify_over(network, some_suite, options);
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(find(result, "/round-trip"), nullptr);
}

TEST(Basis, ReadingsThatWereNotChosenAreAskedForAndNotReported) {
  FakeThrottr target = server(protocol::throttr_7_1);
  const auto result = certified(target, seven_one, [](const WireFormat& format) {
    return base::Expected<Suite, std::string>(
        Suite{insert_and_query(id_prefix(&format.dialect(), format.width()))});
  });
  EXPECT_EQ(find(result, "/readings/insert-existing"), nullptr);
  EXPECT_GT(result.header.answers.size(), 20U);
}

TEST(Basis, ASuiteThatCannotBeMadeIsAMistakeOfTheCaller) {
  FakeThrottr target = server(protocol::throttr_7_1);
  TestNetwork network(target);
  const auto outcome = certify_over(
      network, [](const WireFormat&) { return base::Expected<Suite, std::string>("nothing"); },
      asking(seven_one));
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error(), "nothing");
}

}  // namespace
}  // namespace hallmark::conformance::testing
