#include "conformance/isolation/confirmation.hpp"

#include <gmock/gmock.h>

#include "conformance/engine/rounds.hpp"
#include "conformance/tests/fake_process.hpp"
#include "conformance/tests/fixture.hpp"

namespace hallmark::conformance::testing {
namespace {

using reports::CertifyResult;
using reports::Verdict;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A run whose target is always ready to be asked.
class ReadyDriver : public RunDriver {
 public:
  explicit ReadyDriver(Seam& seam) : seam_(seam) {}
  Seam& seam() override { return seam_; }
  Attendant* attendant() override { return &process_; }
  std::vector<reports::CaseResult> play(const Unit&) override { return {}; }
  std::string why_no_more() override { return {}; }
  bool stopped() override { return false; }
  bool exclusive() const override { return true; }
  boost::system::result<Opening, std::string> open(CertifyResult&) override { return Opening(); }
  void begin(Time, CertifyResult&) override {}
  void close(CertifyResult&) override {}

 private:
  Seam& seam_;
  FakeProcess process_{[] { return ProcessFigures(); }};
};

CaseEntry entry(const std::string& id, Delivery delivery = Delivery::whole) {
  CaseEntry made;
  made.id = id;
  made.operation = "SET";
  made.delivery = delivery;
  return made;
}

Unit vector_in_two_deliveries() {
  Unit unit;
  unit.vector = std::make_shared<const vectors::Vector>(sample_vector());
  unit.cases = {entry("set"), entry("set#split", Delivery::split)};
  return unit;
}

reports::CaseResult ended(const std::string& id, Verdict verdict, std::string reason = {},
                          Code::Kind kind = Code::Kind::wrong_field) {
  reports::CaseResult result;
  result.id = id;
  result.verdict = verdict;
  result.reason = std::move(reason);
  if (verdict == Verdict::fail) result.code = Code{.kind = kind, .message = "SET"};
  return result;
}

class Confirming : public ::testing::Test {
 protected:
  /// Confirms a run that came to these results; alone, cases come to those of `alone_`.
  void confirm(std::vector<reports::CaseResult> crowd) {
    result_.header.dialect = "d";
    result_.cases = std::move(crowd);
    Confirmation(driver_, suite_, simulation_.patience, [this](const std::string& id) {
      played_.push_back(id);
      return std::optional(alone_.contains(id) ? alone_.at(id) : ended(id, Verdict::pass));
    }).confirm(result_);
  }

  std::vector<std::string> verdicts() const {
    std::vector<std::string> found;
    for (const auto& one : result_.cases)
      found.push_back(one.id + ' ' + std::string(reports::name_of(one.verdict)));
    return found;
  }

  Simulation simulation_;
  ReadyDriver driver_{simulation_.network};
  Suite suite_{vector_in_two_deliveries()};
  std::map<std::string, reports::CaseResult> alone_;
  std::vector<std::string> played_;
  CertifyResult result_;
};

TEST_F(Confirming, ALostReplyMakesTheRunUnstableAndNotTheCaseThatMetIt) {
  const auto silent = ended("set", Verdict::fail, "silent", Code::Kind::silent);
  confirm({silent, ended("set#split", Verdict::pass)});
  EXPECT_THAT(verdicts(), ElementsAre("set pass", "set#split pass", "d/sanity/steady unstable"));
  EXPECT_THAT(played_, ElementsAre("set")) << "nothing is looked for";
  EXPECT_EQ(result_.cases[0].repeated, (reports::Repetitions{.failed = 0, .played = 1}));
}

TEST_F(Confirming, WhatACaseNeedsIsLookedForAmongCasesThatWerePlayed) {
  suite_.emplace_back().cases = {entry("slow")};
  suite_.emplace_back().cases = {entry("get")};
  confirm({ended("set", Verdict::pass), ended("set#split", Verdict::pass),
           ended("slow", Verdict::skipped, "waits out a minute"), ended("get", Verdict::fail)});
  EXPECT_THAT(played_, ElementsAre("get", "set", "set#split", "get"));
  EXPECT_THAT(verdicts(), ::testing::Contains("d/sanity/steady unstable"));
}

TEST_F(Confirming, DeliveriesOfAVectorThatFailsAreSkippedWhateverBecameOfThem) {
  alone_.emplace("set", ended("set", Verdict::fail));
  confirm({ended("set", Verdict::fail), ended("set#split", Verdict::fail)});
  EXPECT_THAT(verdicts(), ElementsAre("set fail", "set#split skipped"));
  EXPECT_EQ(result_.cases[1].reason, fails_as_a_whole);
}

TEST_F(Confirming, DeliveriesOfAVectorWhoseOperationIsMissingAreNotPlayed) {
  confirm({ended("set", Verdict::unsupported),
           ended("set#split", Verdict::skipped, std::string(fails_as_a_whole))});
  EXPECT_THAT(verdicts(), ElementsAre("set unsupported", "set#split skipped"));
  EXPECT_THAT(played_, ElementsAre());
}

TEST_F(Confirming, DeliveriesOfAVectorThatPassesAfterAllArePlayed) {
  alone_.emplace("set#split", ended("set#split", Verdict::fail));
  const std::string reason(fails_as_a_whole);
  confirm({ended("set", Verdict::fail, "silent", Code::Kind::silent),
           ended("set#split", Verdict::skipped, reason)});
  EXPECT_THAT(verdicts(), ElementsAre("set pass", "set#split fail", "d/sanity/steady unstable"));
}

TEST_F(Confirming, ADeliveryMeetsWhatOthersCouldNotRemove) {
  confirm({ended("set", Verdict::pass), ended("set#split", Verdict::fail)});
  EXPECT_THAT(verdicts(), ElementsAre("set pass", "set#split pass"));
}

TEST_F(Confirming, TheVerdictIsThatOfTheCaseAloneWhicheverItIs) {
  alone_.emplace("set", ended("set", Verdict::indeterminate, "too late"));
  confirm({ended("set", Verdict::fail), ended("set#split", Verdict::pass)});
  EXPECT_THAT(verdicts(), ElementsAre("set indeterminate", "set#split pass"));
}

}  // namespace
}  // namespace hallmark::conformance::testing
