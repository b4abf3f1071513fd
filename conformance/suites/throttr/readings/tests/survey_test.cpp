#include "conformance/suites/throttr/readings/survey.hpp"

#include <gmock/gmock.h>

#include "conformance/identify/identify.hpp"
#include "conformance/identify/tests/fake_throttr.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::conformance::testing {
namespace {

using protocol::Dialect;
using protocol::Profile;
using protocol::Reading;
using protocol::Readings;
using protocol::Width;
using reports::Verdict;
using ::testing::HasSubstr;

constexpr Time deadline = 5'000'000'000;

/// One answer of one reading, served.
struct Served {
  const Dialect* dialect;
  const Reading* reading;
  const protocol::Answer* answer;
};

bool has_choice(const Reading& reading) {
  return std::ranges::count(reading.answers, protocol::Served::yes, &protocol::Answer::served) > 1;
}

std::vector<Served> all_answers() {
  std::vector<Served> all;
  for (const Dialect* const dialect : protocol::throttr_dialects) {
    for (const Reading& reading : dialect->readings) {
      if (!has_choice(reading)) continue;
      for (const protocol::Answer& answer : reading.answers)
        all.push_back({dialect, &reading, &answer});
    }
  }
  return all;
}

std::string name_of(const Served& served) {
  std::string name = std::string(served.dialect->name) + "_" + std::string(served.reading->id) +
                     "_" + std::string(served.answer->id);
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(c); }, '_');
  return name;
}

/// Identifies and surveys a target that gives these answers.
struct Surveyed {
  Surveyed(const Dialect& dialect, const Readings& readings, std::vector<Pin> pins = {},
           bool fickle = false)
      : server(dialect.widths.back(), readings), network(server), patience(deadline) {
    server.fickle = fickle;
    const auto made = identify_layouts(network, {.nonce = "identified"});
    EXPECT_EQ(made.dialect, &dialect);
    if (!made.known()) return;
    found = *made.readings;
    answers = survey(network, patience, *made.width, found, made.findings,
                     {.nonce = "surveyed", .prefix = "x", .pins = std::move(pins)});
  }

  const Answered* of(std::string_view reading) const {
    const auto one = std::ranges::find(answers, reading, &Answered::reading);
    return one == answers.end() ? nullptr : &*one;
  }

  FakeThrottr server;
  TestNetwork network;
  Patience patience;
  Readings found{protocol::throttr_7_1, Profile::deployed};
  std::vector<Answered> answers;
};

class Survey : public ::testing::TestWithParam<Served> {};

TEST_P(Survey, FindsTheAnswer) {
  const auto& [dialect, reading, answer] = GetParam();
  Readings readings(*dialect, Profile::deployed);
  ASSERT_TRUE(readings.set(reading->id, answer->id));
  // These readings only show if the other one does not have its usual answer.
  if (reading->id == "connection-index") readings.choose({"connection-id", "index"});
  if (reading->id == "publish-nobody" && !readings.answer("publish-reply").empty())
    readings.choose({"publish-reply", "status"});
  const Surveyed surveyed(*dialect, readings);
  const Answered* const found = surveyed.of(reading->id);
  ASSERT_NE(found, nullptr) << "no probe";
  EXPECT_EQ(found->told.answer, answer->id) << found->told.reason;
  EXPECT_EQ(found->result.verdict, Verdict::pass) << found->result.reason;
  EXPECT_FALSE(found->result.evidence.empty()) << "no bytes show the answer";
  EXPECT_EQ(surveyed.found.answer(*reading), answer->id);
  for (const Answered& one : surveyed.answers) {
    EXPECT_EQ(one.result.verdict, one.told.answer.empty() ? Verdict::skipped : Verdict::pass)
        << one.reading << ": " << one.result.reason;
    if (one.told.answer.empty()) continue;
    EXPECT_EQ(one.told.answer, readings.answer(one.reading)) << one.reading;
  }
  EXPECT_EQ(surveyed.server.records(), 0U);
}

TEST_P(Survey, HoldsToAPinnedAnswer) {
  const auto& [dialect, reading, answer] = GetParam();
  const Readings deployed(*dialect, Profile::deployed);
  const Surveyed surveyed(*dialect, deployed,
                          {{std::string(reading->id), std::string(answer->id)}});
  const Answered* const found = surveyed.of(reading->id);
  ASSERT_NE(found, nullptr);
  if (found->told.answer.empty()) {
    // These two show under other answers to other readings only.
    EXPECT_TRUE(reading->id == "connection-index" || reading->id == "publish-nobody")
        << reading->id;
    EXPECT_EQ(found->result.verdict, Verdict::skipped);
    return;
  }
  const bool same = deployed.answer(*reading) == answer->id;
  EXPECT_EQ(found->result.verdict, same ? Verdict::pass : Verdict::fail) << found->result.reason;
  if (!same) {
    EXPECT_THAT(found->result.reason, HasSubstr("held to " + std::string(answer->id)));
  }
  EXPECT_EQ(found->told.answer, deployed.answer(*reading));
}

INSTANTIATE_TEST_SUITE_P(Answers, Survey, ::testing::ValuesIn(all_answers()),
                         [](const auto& row) { return name_of(row.param); });

TEST(SurveyCases, CoverEveryReadingWithSeveralAnswers) {
  for (const Dialect* const dialect : protocol::throttr_dialects) {
    const Suite suite = suite_of_readings(*dialect, "p");
    std::set<std::string> ids;
    for (const Unit& unit : suite) ids.insert(unit.cases.front().id);
    for (const Reading& reading : dialect->readings) {
      const auto served =
          std::ranges::count(reading.answers, protocol::Served::yes, &protocol::Answer::served);
      EXPECT_EQ(ids.contains(reading_case("p", reading.id)), served > 1)
          << dialect->name << " " << reading.id;
    }
    EXPECT_EQ(ids.size(), suite.size());
  }
}

TEST(SurveyCases, TwoAskingsThatContradictEachOtherFail) {
  const Readings readings(protocol::throttr_7_1, Profile::deployed);
  const Surveyed surveyed(protocol::throttr_7_1, readings, {}, true);
  const Answered* const found = surveyed.of("insert-existing");
  EXPECT_EQ(found->result.verdict, Verdict::fail);
  EXPECT_THAT(found->result.reason, HasSubstr("two askings contradict each other: one by one"));
  EXPECT_THAT(found->result.reason, HasSubstr("; refused is taken for its answer"));
  EXPECT_TRUE(found->told.answer.empty());
  EXPECT_FALSE(found->result.evidence.empty());
  EXPECT_FALSE(found->result.reproduction.empty());
}

TEST(SurveyCases, WhatCannotBeToldKeepsItsAnswerAndSaysSo) {
  const Readings readings(protocol::throttr_7_1, Profile::deployed);
  const Surveyed surveyed(protocol::throttr_7_1, readings);
  const Answered* const found = surveyed.of("connection-index");
  EXPECT_EQ(found->result.verdict, Verdict::skipped);
  EXPECT_EQ(found->result.reason,
            "could not be told: CONNECTION asks by id; from-0 is taken for its answer");
}

}  // namespace
}  // namespace hallmark::conformance::testing
