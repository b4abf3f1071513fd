#include "conformance/isolation/confirmation.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "conformance/engine/rounds.hpp"
#include "conformance/judgement/lapses.hpp"
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
  base::Expected<Opening, std::string> open(CertifyResult&) override { return Opening(); }
  void begin(Time, CertifyResult&) override {}
  void close(CertifyResult&) override {}
  std::uint64_t replies() const override { return replies_; }
  std::uint64_t replies_in(const std::string&) const override { return each_; }

  bool is_unsure(const std::string& id) const override { return unsure_.contains(id); }

  /// The case failed where nothing was removed any more, or after a wait that was brief.
  void fail_unsurely(const std::string& id) { unsure_.insert(id); }
  /// Counts the replies to a case from here on; each gets so many.
  void count(std::uint64_t each) { each_ = each; }
  void play_one() { replies_ += each_; }

 private:
  std::uint64_t each_ = 0;
  std::uint64_t replies_ = 0;
  std::set<std::string> unsure_;
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

Unit vector_in_two_deliveries(const std::string& id = "set") {
  Unit unit;
  unit.vector = std::make_shared<const vectors::Vector>(sample_vector());
  unit.cases = {entry(id), entry(id + "#split", Delivery::split)};
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
    Confirmation(driver_, suite_, [this](const std::string& id) {
      played_.push_back(id);
      driver_.play_one();
      const auto& known =
          std::ranges::count(played_, id) > 1 && again_.contains(id) ? again_ : alone_;
      return std::optional(known.contains(id) ? known.at(id) : ended(id, Verdict::pass));
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
  std::map<std::string, reports::CaseResult> again_;  ///< from the second time on, if that differs
  std::vector<std::string> played_;
  CertifyResult result_;
};

/// Vectors that pass as a whole. In segments, the first of them fail, each in one of two ways.
class InSegments : public Confirming {
 protected:
  void confirm_failing(std::size_t failing, std::size_t all) {
    suite_.clear();
    std::vector<reports::CaseResult> crowd;
    for (std::size_t i = 0; i < all; ++i) {
      const std::string id = "v" + std::to_string(i);
      suite_.push_back(vector_in_two_deliveries(id));
      crowd.push_back(ended(id, Verdict::pass));
      const auto kind = i % 2 == 0 ? Code::Kind::closed : Code::Kind::surplus;
      const Verdict verdict = i < failing ? Verdict::fail : Verdict::pass;
      crowd.push_back(ended(id + "#split", verdict, "seen", kind));
      alone_.emplace(crowd.back().id, crowd.back());
    }
    confirm(std::move(crowd));
  }
  std::set<std::string> codes() const {
    std::set<std::string> found;
    for (const auto& one : result_.cases) {
      if (one.code) found.insert(reports::text_of(*one.code));
    }
    return found;
  }
};

TEST_F(InSegments, WhatATargetShowsThatPutsNoneTogetherIsUpToChanceAndNotTold) {
  confirm_failing(12, 24);
  EXPECT_THAT(codes(), ElementsAre("broken-promise segments 'a request is put together from the "
                                   "segments in which it arrives'"));
  EXPECT_EQ(result_.cases[1].reason, "a request is not put together from its segments: seen");
}

TEST_F(InSegments, FewOfManyTellOfThemselves) {
  confirm_failing(12, 25);
  EXPECT_THAT(codes(), ElementsAre("closed SET", "surplus SET"));
}

TEST_F(InSegments, FewTellOfThemselvesWhereMoreAreNotPlayed) {
  confirm_failing(11, 11);
  EXPECT_THAT(codes(), ElementsAre("closed SET", "surplus SET"));
}

TEST_F(InSegments, TheEndOfAProcessIsWhatItIs) {
  suite_.clear();
  std::vector<reports::CaseResult> crowd;
  for (int i = 0; i < 12; ++i) {
    const std::string id = "v" + std::to_string(i);
    suite_.push_back(vector_in_two_deliveries(id));
    crowd.push_back(ended(id, Verdict::pass));
    crowd.push_back(ended(id + "#split", Verdict::fail, "died", Code::Kind::crash));
    alone_.emplace(crowd.back().id, crowd.back());
  }
  confirm(std::move(crowd));
  EXPECT_THAT(codes(), ElementsAre("crash SET"));
}

/// Vectors that pass as a whole, and fail in both other deliveries, alone, too.
class LonePasses : public Confirming {
 protected:
  void confirm_vectors(std::size_t count, Code::Kind pipelined = Code::Kind::wrong_field) {
    suite_.clear();
    std::vector<reports::CaseResult> crowd;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string id = "v" + std::to_string(i);
      Unit& unit = suite_.emplace_back(vector_in_two_deliveries(id));
      unit.cases.push_back(entry(id + "#pipelined", Delivery::pipelined));
      crowd.push_back(ended(id, Verdict::pass));
      crowd.push_back(ended(id + "#split", Verdict::fail));
      crowd.push_back(ended(id + "#pipelined", Verdict::fail, "seen", pipelined));
      for (const auto* other : {&crowd[crowd.size() - 2], &crowd.back()})
        alone_.emplace(other->id, *other);
    }
    confirm(std::move(crowd));
  }
};

TEST_F(LonePasses, AVectorThatFailsAloneAsAWholeFailsNoMoreThanOnce) {
  alone_.emplace("v0", ended("v0", Verdict::fail));
  confirm_vectors(1);
  EXPECT_THAT(verdicts(), ElementsAre("v0 fail", "v0#split skipped", "v0#pipelined skipped"));
  EXPECT_EQ(result_.cases[0].repeated, (reports::Repetitions{.failed = 1, .played = 1}));
}

TEST_F(LonePasses, AnotherDeliveryThatPassesMayHaveHadLuckToo) {
  suite_[0].cases.push_back(entry("set#pipelined", Delivery::pipelined));
  suite_[0].cases.push_back(entry("set#bytewise", Delivery::bytewise));
  for (const std::string id : {"set", "set#split", "set#pipelined"})
    alone_.emplace(id, ended(id, Verdict::fail));
  confirm({ended("set", Verdict::pass), ended("set#split", Verdict::fail),
           ended("set#pipelined", Verdict::fail), ended("set#bytewise", Verdict::pass)});
  EXPECT_THAT(verdicts(), ElementsAre("set fail", "set#split skipped", "set#pipelined skipped",
                                      "set#bytewise skipped"));
}

TEST_F(LonePasses, AVectorThatPassesAloneAsAWholeDidNotPassByLuck) {
  confirm_vectors(1);
  EXPECT_THAT(verdicts(), ElementsAre("v0 pass", "v0#split fail", "v0#pipelined fail"));
  EXPECT_THAT(played_, ElementsAre("v0#split", "v0#pipelined", "v0"));
}

TEST_F(LonePasses, DeliveriesThatFailInDifferentWaysHaveCausesOfTheirOwn) {
  confirm_vectors(1, Code::Kind::silent);
  EXPECT_THAT(played_, ElementsAre("v0#split", "v0#pipelined"));
}

TEST_F(LonePasses, WhereManyPassAsAWholeAloneThatIsHowTheTargetIs) {
  confirm_vectors(9);
  EXPECT_EQ(played_.size(), 18U);
}

/// A case that fails for a field, at that offset of the reply.
reports::CaseResult wrong(std::string field, std::size_t offset, std::string input = {}) {
  auto result = ended("set", Verdict::fail, field);
  result.code->field = field;
  result.code->input = std::move(input);
  reports::AnnotatedField& marked = result.evidence.emplace_back().fields.emplace_back();
  marked.path = std::move(field);
  marked.offset = offset;
  marked.wrong = true;
  return result;
}

TEST_F(Confirming, OfFieldsThatAreWrongNowAndThenTheFirstIsTold) {
  alone_.emplace("set", wrong("ttl", 2));
  again_.emplace("set", wrong("ttl_type", 1, "05-for-02"));
  confirm({wrong("ttl_type", 1, "04-for-02"), ended("set#split", Verdict::pass)});
  EXPECT_EQ(result_.cases[0].code, wrong("ttl_type", 1).code);
  EXPECT_EQ(result_.cases[0].reason, "ttl_type");
  EXPECT_EQ(result_.cases[0].repeated, (reports::Repetitions{.failed = 2, .played = 2}));
}

TEST_F(Confirming, AValueThatVariesIsNotTold) {
  alone_.emplace("set", wrong("ttl_type", 1, "04-for-02"));
  again_.emplace("set", wrong("ttl_type", 1, "05-for-02"));
  confirm({wrong("ttl_type", 1), ended("set#split", Verdict::pass)});
  EXPECT_EQ(result_.cases[0].code, wrong("ttl_type", 1).code);
}

TEST_F(Confirming, WhatIsWrongBesideOthersAloneIsNoReasonToDoubtWhatIsWrongAlone) {
  alone_.emplace("set", wrong("ttl", 2));
  confirm({wrong("status", 0, "00-for-01"), ended("set#split", Verdict::pass)});
  EXPECT_THAT(played_, ElementsAre("set", "set"));
  EXPECT_EQ(result_.cases[0].code, wrong("ttl", 2).code);
}

class RestsOnAbility : public Confirming {
 protected:
  const reports::CaseResult skipped_ =
      ended("set", Verdict::skipped,
            "rests on a value of 255 bytes, which fails by itself: set/longest-value");

  void confirm_skipped() { confirm({skipped_, ended("set#split", Verdict::pass)}); }
};

TEST_F(RestsOnAbility, ACaseHasItAlone) {
  confirm_skipped();
  EXPECT_THAT(played_, ElementsAre("set"));
  EXPECT_EQ(result_.cases[0].verdict, Verdict::pass);
}

TEST_F(RestsOnAbility, ACaseMayFailAlone) {
  alone_.emplace("set", ended("set", Verdict::fail));
  confirm_skipped();
  EXPECT_EQ(result_.cases[0].verdict, Verdict::fail);
  EXPECT_EQ(result_.cases[0].repeated, (reports::Repetitions{.failed = 1, .played = 1}));
}

TEST_F(RestsOnAbility, WithoutItACaseStaysSkipped) {
  alone_.emplace("set", skipped_);
  confirm_skipped();
  EXPECT_EQ(result_.cases[0], skipped_);
}

TEST_F(Confirming, ALostReplyMakesTheRunUnstableAndNotTheCaseThatMetIt) {
  const auto silent = ended("set", Verdict::fail, "silent", Code::Kind::silent);
  confirm({silent, ended("set#split", Verdict::pass)});
  EXPECT_THAT(verdicts(), ElementsAre("set pass", "set#split pass", "d/sanity/steady unstable"));
  EXPECT_THAT(played_, ElementsAre("set")) << "nothing is looked for";
  EXPECT_EQ(result_.cases[0].repeated, (reports::Repetitions{.failed = 0, .played = 1}));
}

TEST_F(Confirming, ASilenceThatNobodyWaitedOutMakesNoRunUnstable) {
  const auto silent = ended("set", Verdict::fail, "silent", Code::Kind::silent);
  driver_.fail_unsurely("set");
  confirm({silent, ended("set#split", Verdict::pass)});
  EXPECT_THAT(verdicts(), ElementsAre("set pass", "set#split pass"));
}

TEST_F(Confirming, WhatACaseNeedsIsLookedForAmongCasesThatWerePlayed) {
  suite_.emplace_back().cases = {entry("slow")};
  suite_.emplace_back().cases = {entry("get")};
  confirm({ended("set", Verdict::pass), ended("set#split", Verdict::pass),
           ended("slow", Verdict::skipped, "waits out a minute"), ended("get", Verdict::fail)});
  EXPECT_THAT(played_, ElementsAre("get", "set", "set#split", "get"));
  EXPECT_THAT(verdicts(), ::testing::Contains("d/sanity/steady unstable"));
}

TEST_F(Confirming, WhatOthersLeftBehindIsNoFailureOfTheCaseThatMetIt) {
  suite_.emplace_back().cases = {entry("get")};
  driver_.fail_unsurely("get");
  confirm({ended("set", Verdict::pass), ended("set#split", Verdict::pass),
           ended("get", Verdict::fail)});
  EXPECT_THAT(played_, ElementsAre("get")) << "nothing is looked for";
  EXPECT_THAT(verdicts(), ElementsAre("set pass", "set#split pass", "get pass"));
}

TEST_F(Confirming, WhatHasFailedAloneIsNotPlayedAgain) {
  auto failed = ended("set", Verdict::fail);
  failed.repeated = {.failed = 1, .played = 1};
  suite_.emplace_back().cases = {entry("get")};
  alone_.emplace("get", ended("get", Verdict::fail));
  confirm({failed, ended("get", Verdict::fail)});
  EXPECT_THAT(played_, ElementsAre("get"));
  EXPECT_THAT(verdicts(), ElementsAre("set fail", "get fail"));
  EXPECT_EQ(result_.cases[0].repeated.played, 1U);
}

TEST_F(Confirming, ACaseWithoutAVerdictHasTheOneThatItComesToAlone) {
  suite_.emplace_back().cases = {entry("get")};
  suite_.emplace_back().cases = {entry("list")};
  alone_.emplace("get", ended("get", Verdict::fail));
  alone_.emplace("list", ended("list", Verdict::indeterminate));
  confirm({ended("set", Verdict::indeterminate), ended("set#split", Verdict::pass),
           ended("get", Verdict::indeterminate), ended("list", Verdict::indeterminate)});
  EXPECT_THAT(verdicts(),
              ElementsAre("set pass", "set#split pass", "get fail", "list indeterminate"));
}

TEST_F(Confirming, WhereManyCasesHaveNoVerdictNoneIsPlayedAgain) {
  std::vector<reports::CaseResult> crowd;
  for (std::ptrdiff_t i = 0; i <= Confirmation::most_without_verdict; ++i)
    crowd.push_back(ended(std::to_string(i), Verdict::indeterminate));
  confirm(crowd);
  EXPECT_THAT(played_, ::testing::IsEmpty());
}

TEST_F(Confirming, GrowthThatAFreshProcessDoesNotShowWasThatOfOtherCases) {
  confirm({ended("set", Verdict::fail, "keeps 3 MB", Code::Kind::leak),
           ended("set#split", Verdict::pass)});
  EXPECT_THAT(verdicts(), ElementsAre("set pass", "set#split pass"));
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

/// A target that leaves its tenth request unanswered.
class ConfirmingDespiteLosses : public Confirming {
 protected:
  ConfirmingDespiteLosses() {
    loses_ = silent(std::string(all_answered_case), {});
    loses_.code->promise = every_request_is_answered;
    loses_.reproduction.assign(10, "c1: 02");
    alone_.emplace(loses_.id, loses_);
  }

  static reports::CaseResult silent(const std::string& id, const std::string& last_sent) {
    auto result = ended(id, Verdict::fail, "silent", Code::Kind::silent);
    result.reproduction = {last_sent};
    return result;
  }

  void confirm_one(const reports::CaseResult& one) {
    suite_.emplace_back().cases = {entry(loses_.id)};
    confirm({one, loses_});
    ASSERT_EQ(result_.cases.size(), 2U) << "no case stands for what is unsteady";
    EXPECT_EQ(result_.cases[1].verdict, Verdict::fail);
  }

  reports::CaseResult loses_;
};

TEST_F(ConfirmingDespiteLosses, TheCaseThatAsksAgainAndAgainIsPlayedAloneOnceIfItPasses) {
  alone_.erase(loses_.id);
  suite_.emplace_back().cases = {entry(loses_.id)};
  confirm({ended("set", Verdict::pass), loses_});
  EXPECT_THAT(played_, ElementsAre(loses_.id));
  EXPECT_THAT(verdicts(), ElementsAre("set pass", loses_.id + " pass", "d/sanity/steady unstable"));
  EXPECT_THAT(result_.cases[2].reason, HasSubstr("1 case failed once"));
}

TEST_F(ConfirmingDespiteLosses, ACaseThatPassesAlonePasses) {
  confirm_one(silent("set", "c1: 01"));
  EXPECT_EQ(result_.cases[0].verdict, Verdict::pass);
}

TEST_F(ConfirmingDespiteLosses, ACaseThatTakesMoreRepliesThanThereAreIsLeftOut) {
  driver_.count(9);
  alone_.emplace("set", silent("set", "c1: 01"));
  confirm_one(silent("set", "c1: 01"));
  EXPECT_EQ(result_.cases[0].verdict, Verdict::skipped);
  EXPECT_THAT(result_.cases[0].reason, HasSubstr(all_answered_case));
  EXPECT_THAT(played_, ElementsAre(loses_.id, loses_.id, "set"));
}

/// A case that sends as many requests as the target answers before a loss meets one.
TEST_F(ConfirmingDespiteLosses, AWrongFieldMayBeAReplyToAnotherWhereMoreRequestsMeetALoss) {
  driver_.count(9);
  for (const auto& [requests, verdict] :
       {std::pair(std::size_t{10}, Verdict::skipped), std::pair(std::size_t{9}, Verdict::fail)}) {
    result_ = {};
    suite_.clear();
    auto wrong = ended("set", Verdict::fail, "status", Code::Kind::wrong_field);
    wrong.reproduction.assign(requests, "c1: 01");
    alone_.insert_or_assign("set", wrong);
    confirm_one(wrong);
    EXPECT_EQ(result_.cases[0].verdict, verdict) << requests;
  }
}

TEST_F(ConfirmingDespiteLosses, ACaseThatPassedIsPlayedAloneUnlessItTakesFewReplies) {
  alone_.emplace("set", silent("set", "c1: 01"));
  driver_.count(3);
  confirm_one(ended("set", Verdict::pass));
  EXPECT_EQ(result_.cases[0].verdict, Verdict::pass);
  EXPECT_THAT(played_, ElementsAre(loses_.id, loses_.id));
  driver_.count(9);
  confirm({ended("set", Verdict::pass), loses_});
  EXPECT_EQ(result_.cases[0].verdict, Verdict::skipped);
}

TEST_F(ConfirmingDespiteLosses, SilenceAtTheSamePlaceIsTheDoingOfTheCase) {
  driver_.count(3);
  alone_.emplace("set", silent("set", "c1: 01"));
  confirm_one(silent("set", "c1: 01"));
  EXPECT_EQ(result_.cases[0].verdict, Verdict::fail);
  EXPECT_EQ(result_.cases[0].repeated, (reports::Repetitions{.failed = 2, .played = 2}));
}

TEST_F(ConfirmingDespiteLosses, OnceAloneIsEnoughFarFromTheFirstLoss) {
  loses_.reproduction.assign(100, "c1: 02");
  alone_.insert_or_assign(loses_.id, loses_);
  driver_.count(3);
  alone_.emplace("set", silent("set", "c1: 01"));
  again_.emplace("set", silent("set", "c1: 02"));
  confirm_one(silent("set", "c1: 01"));
  EXPECT_EQ(result_.cases[0].verdict, Verdict::fail);
  EXPECT_EQ(result_.cases[0].repeated, (reports::Repetitions{.failed = 1, .played = 1}));
  EXPECT_THAT(played_, ElementsAre(loses_.id, loses_.id, "set"));
}

TEST_F(ConfirmingDespiteLosses, SilenceAtAnotherPlaceIsALoss) {
  driver_.count(3);
  alone_.emplace("set", silent("set", "c1: 01"));
  again_.emplace("set", silent("set", "c1: 02"));
  confirm_one(silent("set", "c1: 01"));
  EXPECT_EQ(result_.cases[0].verdict, Verdict::skipped);
}

TEST_F(ConfirmingDespiteLosses, ACaseThatPassedIsNotPlayedWhereRepliesAreLostAtRandom) {
  auto later = loses_;
  later.reproduction.resize(7);
  again_.emplace(loses_.id, later);
  driver_.count(9);
  alone_.emplace("set", silent("set", "c1: 01"));
  confirm_one(ended("set", Verdict::pass));
  EXPECT_EQ(result_.cases[0].verdict, Verdict::pass);
  EXPECT_THAT(played_, ElementsAre(loses_.id, loses_.id));
}

TEST_F(ConfirmingDespiteLosses, WhereRepliesAreLostAtRandomACaseFailsThreeTimesAlike) {
  auto later = loses_;
  later.reproduction.resize(7);
  again_.emplace(loses_.id, later);
  alone_.emplace("set", silent("set", "c1: 01"));
  confirm_one(silent("set", "c1: 01"));
  EXPECT_EQ(result_.cases[0].verdict, Verdict::fail);
  EXPECT_EQ(result_.cases[0].repeated, (reports::Repetitions{.failed = 3, .played = 3}));
}

TEST_F(ConfirmingDespiteLosses, AWrongFieldIsNoLossHoweverManyRepliesCame) {
  driver_.count(100);
  alone_.emplace("set", ended("set", Verdict::fail, "wrong"));
  confirm_one(ended("set", Verdict::fail, "wrong"));
  EXPECT_EQ(result_.cases[0].verdict, Verdict::fail);
}

/// A target that answers its tenth request wrongly.
class ConfirmingDespiteChanges : public ConfirmingDespiteLosses {
 protected:
  ConfirmingDespiteChanges() {
    loses_.code->kind = Code::Kind::broken_promise;
    loses_.code->promise = every_reply_is_right;
    alone_.insert_or_assign(loses_.id, loses_);
  }

  static reports::CaseResult wrong(const std::string& last_sent) {
    auto result = ended("set", Verdict::fail, "wrong");
    result.reproduction = {last_sent};
    return result;
  }
};

TEST_F(ConfirmingDespiteChanges, AWrongFieldAtTheSamePlaceIsTheDoingOfTheCase) {
  driver_.count(3);
  alone_.emplace("set", wrong("c1: 01"));
  confirm_one(wrong("c1: 01"));
  EXPECT_EQ(result_.cases[0].verdict, Verdict::fail);
  EXPECT_EQ(result_.cases[0].repeated, (reports::Repetitions{.failed = 2, .played = 2}));
}

TEST_F(ConfirmingDespiteChanges, AfterSoManyRepliesAWrongFieldMayBeAChangedReply) {
  driver_.count(9);
  alone_.emplace("set", wrong("c1: 01"));
  confirm_one(wrong("c1: 01"));
  EXPECT_EQ(result_.cases[0].verdict, Verdict::skipped);
}

TEST_F(ConfirmingDespiteChanges, AWrongFieldAtAnotherPlaceIsAChangedReply) {
  alone_.emplace("set", wrong("c1: 01"));
  again_.emplace("set", wrong("c1: 02"));
  confirm_one(wrong("c1: 01"));
  EXPECT_EQ(result_.cases[0].verdict, Verdict::skipped);
  EXPECT_THAT(result_.cases[0].reason, HasSubstr("changes some of its replies"));
}

}  // namespace
}  // namespace hallmark::conformance::testing
