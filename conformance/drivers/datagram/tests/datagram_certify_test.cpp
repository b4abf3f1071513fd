#include "conformance/drivers/datagram/datagram_certify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "cmake/places/places.hpp"
#include "conformance/drivers/datagram/tests/fake_limiter.hpp"
#include "conformance/suites/ratelimit_udp/datagram_readings.hpp"
#include "protocol/about_clients.hpp"
#include "protocol/dialects.hpp"
#include "vectors/format/json.hpp"

namespace hallmark::conformance {
namespace {

using protocol::Profile;
using reports::CertifyResult;
using reports::Verdict;
using testing::FakeLimiter;
using testing::Flaw;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Weather;

constexpr const char* prefix = "ratelimit-udp";

DatagramCases all_cases(const WireFormat& format) {
  static const auto files =
      vectors::load_directory(places::source("vectors"), prefix, protocol::Width::none);
  const KnownRules known{&testing::fake_rules(), true, oracle::OverWhen::at_limit};
  DatagramCases cases = reading_cases(format.dialect(), prefix);
  for (const auto& part :
       {vector_cases(*files, format), transaction_cases(prefix), rule_cases(prefix, known)}) {
    cases.insert(cases.end(), part.begin(), part.end());
  }
  return cases;
}

CertifyOptions options_for_fake(std::optional<Profile> profile = Profile::deployed) {
  CertifyOptions options;
  options.asked.dialect = &protocol::ratelimit_udp;
  options.asked.width = protocol::Width::none;
  options.asked.profile = profile;
  options.target_text = "udp://fake";
  return options;
}

CertifyResult certified(Flaw flaw, const Weather& weather = {}, unsigned seed = 1,
                        std::optional<Profile> profile = Profile::deployed) {
  FakeLimiter target(flaw, weather, seed);
  CertifyOptions options = options_for_fake(profile);
  options.seed = seed;
  const auto outcome = certify_datagrams_over(target, all_cases, options);
  return *outcome;
}

std::vector<std::string> with_verdict(const CertifyResult& result, Verdict verdict) {
  std::vector<std::string> found;
  for (const auto& one : result.cases)
    if (one.verdict == verdict) found.push_back(one.id + ": " + one.reason);
  return found;
}

TEST(CertifyDatagrams, ARightTargetPassesEveryCase) {
  const CertifyResult result = certified(Flaw::none);
  EXPECT_EQ(result.run_error, "");
  EXPECT_THAT(with_verdict(result, Verdict::fail), IsEmpty());
  EXPECT_THAT(with_verdict(result, Verdict::indeterminate), IsEmpty());
  EXPECT_THAT(with_verdict(result, Verdict::error), IsEmpty());
  EXPECT_GT(with_verdict(result, Verdict::pass).size(), 100U);
  EXPECT_THAT(result.header.notes, IsEmpty());
}

TEST(CertifyDatagrams, ReadingsAreFoundOut) {
  const CertifyResult result = certified(Flaw::keys_up_to_a_space, {}, 1, std::nullopt);
  const auto found =
      std::ranges::find(result.header.answers, "udp-key", &reports::ReadingAnswer::reading);
  ASSERT_NE(found, result.header.answers.end());
  EXPECT_EQ(found->told, "word");
  EXPECT_EQ(found->held, "word");
}

/// All waits for replies that never come share four deadlines, and cases of many sockets share
/// them, too.
TEST(CertifyDatagrams, ATargetThatAnswersNoUsesDoesNotMakeTheRunLast) {
  constexpr int deadlines = 4;
  const auto right = certified(Flaw::none).header.duration;
  const CertifyResult result = certified(Flaw::ignores_uses);
  const auto waited = deadlines * std::chrono::nanoseconds(CertifyOptions().deadline);
  EXPECT_LT(result.header.duration, 2 * (right + waited));
  EXPECT_THAT(with_verdict(result, Verdict::fail), Not(IsEmpty()));
}

/// Only the last of its attempts waits for long.
TEST(CertifyDatagrams, AReplyToAnotherSocketDoesNotMakeItsCaseLast) {
  FakeLimiter target(Flaw::knows_senders_by_id, {}, 1);
  const auto one_case = [](const auto&... format) {
    DatagramCases cases = all_cases(format...);
    std::erase_if(cases, [](const auto& one) { return !one.entry.id.ends_with("same-id-again"); });
    return cases;
  };
  const CertifyOptions options = options_for_fake();
  const auto result = certify_datagrams_over(target, one_case, options);
  const auto found =
      std::ranges::find(result->cases, "ratelimit-udp/behaviour/transactions/same-id-again",
                        &reports::CaseResult::id);
  ASSERT_NE(found, result->cases.end());
  EXPECT_EQ(found->reason, "no reply to get_stats, and one to a ping behind it");
  EXPECT_LT(found->duration, 2 * std::chrono::nanoseconds(options.deadline));
}

/// Returns how often a case is played whose request is not answered, on a path that has lost so
/// many pings of so many.
std::size_t attempts_after(unsigned pings, unsigned lost) {
  const WireFormat format(protocol::Width::none,
                          protocol::Readings(protocol::ratelimit_udp, Profile::deployed));
  FakeLimiter target(Flaw::ignores_uses, {}, 1);
  Patience patience(CertifyOptions().deadline);
  DatagramContext context{.network = target, .format = &format, .patience = patience};
  context.path.note_pings(pings, lost);
  DatagramCase one;
  one.entry.id = "asks";
  one.run = [](Attempt& attempt) {
    attempt.ask("over_limit", {{"key", base::to_bytes(attempt.own_key())}});
  };
  const PlayedCase played = play(context, one);
  EXPECT_EQ(played.result.verdict, Verdict::fail) << played.result.reason;
  EXPECT_GE(played.result.duration, std::chrono::nanoseconds(CertifyOptions().deadline))
      << "the last waits for long";
  return played.sockets.size();
}

TEST(CertifyDatagrams, ARequestIsMissedAsOftenAsChanceMayHaveLostIt) {
  EXPECT_EQ(attempts_after(0, 0), most_datagram_attempts);
  EXPECT_EQ(attempts_after(100, 0), 3U);
  EXPECT_EQ(attempts_after(1000, 0), 2U);
  EXPECT_EQ(attempts_after(1000, 50), 5U);
}

/// Pings of the case itself may make fewer attempts enough than there were.
TEST(CertifyDatagrams, NoRequestIsMissedThatWasNotWaitedForLong) {
  for (const unsigned enough : {15U, 31U, 99U, 999U}) {
    for (unsigned pings = enough - 10; pings < enough + 2; ++pings) attempts_after(pings, 0);
  }
}

/// A reply that took as long as the deadline makes later waits no longer than that.
TEST(CertifyDatagrams, EachPingIsWaitedForNoLongerThanTheDeadline) {
  const WireFormat format(protocol::Width::none,
                          protocol::Readings(protocol::ratelimit_udp, Profile::deployed));
  FakeLimiter target(Flaw::none, {.lost = 1}, 1);
  const Time deadline = CertifyOptions().deadline;
  Patience patience(deadline);
  DatagramContext context{.network = target, .format = &format, .patience = patience};
  context.round_trip = deadline;
  DatagramCase one;
  one.entry.id = "pings";
  one.run = [](Attempt& attempt) { attempt.ask("ping"); };
  const PlayedCase played = play(context, one);
  EXPECT_TRUE(played.fell_silent);
  constexpr std::size_t pings_each = 5;  // its own, and those behind it
  EXPECT_LE(played.result.duration,
            std::chrono::nanoseconds(deadline * pings_each * most_datagram_attempts));
}

struct Found {
  Flaw flaw;
  const char* name;
  const char* id;      ///< part of the id of a case that has to fail
  const char* reason;  ///< part of its reason
};

class FlawedTarget : public ::testing::TestWithParam<Found> {};

TEST_P(FlawedTarget, FailsInTheCaseThatIsForIt) {
  const CertifyResult result = certified(GetParam().flaw);
  const auto failed = with_verdict(result, Verdict::fail);
  EXPECT_TRUE(std::ranges::any_of(failed, [](const std::string& one) {
    return one.find(GetParam().id) != std::string::npos &&
           one.find(GetParam().reason) != std::string::npos;
  })) << ::testing::PrintToString(failed);
}

/// A path that loses, doubles and delays never makes a verdict wrong: what is flawed may become
/// indeterminate, it does not pass where it is flawed.
TEST_P(FlawedTarget, IsNotExcusedByTheWeather) {
  const CertifyResult result =
      certified(GetParam().flaw, {.lost = 0.02, .doubled = 0.01, .delayed = 0.01}, 3);
  const bool undecided = std::ranges::any_of(result.cases, [](const auto& one) {
    return one.id.find(GetParam().id) != std::string::npos &&
           (one.verdict == Verdict::fail || one.verdict == Verdict::indeterminate);
  });
  EXPECT_TRUE(undecided);
}

constexpr Found flaws[] = {
    {Flaw::answers_unknown, "AnswersUnknown", "unknown-command", "must not be answered"},
    {Flaw::answers_unknown_late, "AnswersUnknownLate", "ping/", "answer"},
    {Flaw::answers_twice, "AnswersTwice", "answered-once", "more than once"},
    {Flaw::forgets_ids, "ForgetsIds", "sanity", ""},
    {Flaw::ids_as_numbers, "IdsAsNumbers", "readings/udp-id", "held to digits"},
    {Flaw::keys_up_to_a_space, "KeysUpToASpace", "readings/udp-key", "held to line"},
    {Flaw::wrong_key, "WrongKey", "get_stats/no-id", "key"},
    {Flaw::mixes_up_senders, "MixesUpSenders", "to-its-sender", ""},
    {Flaw::knows_senders_by_id, "KnowsSendersById", "same-id-again", "no reply to get_stats"},
    {Flaw::limit_off_by_one, "LimitOffByOne", "climb", "admitted though"},
    {Flaw::period_off, "PeriodOff", "falls", "has the rate"},
    {Flaw::never_over, "NeverOver", "climb", "admitted though"},
    {Flaw::leaky_for_strict, "LeakyForStrict", "strict-1/climb", "has the rate"},
    {Flaw::forgets_rates, "ForgetsRates", "climb", "has the rate"},
    {Flaw::rates_of_all_keys, "RatesOfAllKeys", "keys-apart", "has the rate"},
    {Flaw::counts_only_over, "CountsOnlyOver", "counted", "n_req"},
    {Flaw::counts_statistics, "CountsStatistics", "statistics-change-nothing", "n_req"},
    {Flaw::ignores_get_stats, "IgnoresGetStats", "get_stats/no-id", "no reply to get_stats"},
    {Flaw::ignores_uses, "IgnoresUses", "first-use", "no reply to over_limit"},
    {Flaw::case_insensitive, "CaseInsensitive", "upper-case", "must not be answered"},
    {Flaw::accepts_spaces, "AcceptsSpaces", "two-spaces-behind-id", "must not be answered"},
    {Flaw::two_decimals, "TwoDecimals", "first-use", "malformed"},
    {Flaw::dies_of_binary, "DiesOfBinary", "key-binary", "stopped answering"},
    {Flaw::answers_empty, "AnswersEmpty", "empty-datagram", "must not be answered"},
};
INSTANTIATE_TEST_SUITE_P(Flaws, FlawedTarget, ::testing::ValuesIn(flaws),
                         [](const auto& row) { return row.param.name; });

class Weathered : public ::testing::TestWithParam<unsigned> {};

TEST_P(Weathered, ARightTargetIsNeverAccused) {
  const CertifyResult result =
      certified(Flaw::none, {.lost = 0.02, .doubled = 0.02, .delayed = 0.02}, GetParam());
  EXPECT_THAT(with_verdict(result, Verdict::fail), IsEmpty());
  EXPECT_THAT(with_verdict(result, Verdict::error), IsEmpty());
  EXPECT_GT(with_verdict(result, Verdict::pass).size(), 100U);
  ASSERT_EQ(result.header.notes.size(), 1U);
  EXPECT_THAT(result.header.notes.front(), HasSubstr(" lost, "));
}
INSTANTIATE_TEST_SUITE_P(Seeds, Weathered, ::testing::Range(1U, 25U));

TEST(CertifyDatagrams, OnAPathThatLosesAThirdNothingIsAccusedEither) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const CertifyResult result =
        certified(Flaw::none, {.lost = 0.3, .doubled = 0.05, .delayed = 0.05}, seed);
    EXPECT_THAT(with_verdict(result, Verdict::fail), IsEmpty());
  }
}

TEST(CertifyDatagrams, EveryClauseHasACase) {
  const WireFormat format(protocol::Width::none,
                          protocol::Readings(protocol::ratelimit_udp, Profile::deployed));
  std::set<std::string> cited;
  for (const DatagramCase& one : all_cases(format))
    cited.insert(one.entry.clauses.begin(), one.entry.clauses.end());
  for (const protocol::Clause& clause : protocol::ratelimit_udp.clauses) {
    if (protocol::about_clients(clause)) continue;  // clients/tests/clauses_test.cpp
    EXPECT_TRUE(cited.contains(std::string(clause.id))) << clause.id;
  }
  for (const std::string& clause : cited)
    EXPECT_NE(protocol::find_clause(protocol::ratelimit_udp, clause), nullptr) << clause;
}

TEST(CertifyDatagrams, ASilentTargetIsUnreachable) {
  const CertifyResult result = certified(Flaw::none, {.lost = 1});
  EXPECT_THAT(result.run_error, HasSubstr("no answer from udp://fake"));
  EXPECT_THAT(result.cases, IsEmpty());
}

/// Takes datagrams from the beginning, and answers none before it is ready.
class SlowStarter : public FakeLimiter {
 public:
  explicit SlowStarter(Time starting)
      : FakeLimiter(Flaw::none, {}, 1), ready_(FakeLimiter::now() + starting) {}

  DatagramLinkResult open() override {
    if (now() >= ready_) return FakeLimiter::open();
    return std::unique_ptr<DatagramLink>(std::make_unique<DeafLink>(*this));
  }

 private:
  class DeafLink : public DatagramLink {
   public:
    explicit DeafLink(SlowStarter& target) : target_(target) {}
    Dispatch send(base::ByteView) override { return Dispatch::sent; }
    DatagramArrival receive(base::Bytes&, Time until) override {
      target_.wait_until(until);
      return DatagramArrival::timed_out;
    }

   private:
    SlowStarter& target_;
  };
  Time ready_;
};

TEST(CertifyDatagrams, ATargetThatWasStartedMayAnswerLaterThanItListens) {
  const CertifyOptions options = options_for_fake();
  SlowStarter target{3 * options.deadline / 2};
  const auto outcome = certify_datagrams_over(target, all_cases, options, true);
  EXPECT_EQ(outcome->run_error, "");
  EXPECT_THAT(with_verdict(*outcome, Verdict::fail), IsEmpty());
  SlowStarter others{3 * options.deadline / 2};
  EXPECT_THAT(certify_datagrams_over(others, all_cases, options)->run_error,
              HasSubstr("no answer from udp://fake"));
}

/// Whoever started it has to end it: nothing more is asked, and no other case fails of it.
TEST(CertifyDatagrams, ATargetOfOthersThatHangsIsAskedNothingMore) {
  const CertifyResult result = certified(Flaw::dies_of_binary);
  ASSERT_EQ(with_verdict(result, Verdict::fail).size(), 1U);
  const auto& failed =
      *std::ranges::find(result.cases, Verdict::fail, &reports::CaseResult::verdict);
  EXPECT_EQ(reports::text_of(*failed.code), "hang " + failed.operation);
  EXPECT_THAT(with_verdict(result, Verdict::skipped),
              ::testing::Contains(HasSubstr(
                  "not played: the target hangs: it answers no ping since the case " + failed.id)));
  EXPECT_THAT(result.run_error, HasSubstr("being played then: " + failed.id + ", which sent "));
}

TEST(CertifyDatagrams, AnInterruptionMakesNoVerdict) {
  FakeLimiter target(Flaw::dies_of_binary, {}, 1);
  std::atomic<bool> stop = false;
  target.when_dead([&] { stop = true; });
  CertifyOptions options = options_for_fake();
  options.schedule.stop = &stop;
  const CertifyResult result = *certify_datagrams_over(target, all_cases, options);
  EXPECT_TRUE(result.interrupted);
  EXPECT_THAT(with_verdict(result, Verdict::fail), IsEmpty());
  EXPECT_EQ(result.cases.back().reason, "not played to its end: the run was over");
  EXPECT_EQ(result.run_error, "");
}

/// After so many sockets a day passes at once.
class OvernightLimiter : public FakeLimiter {
 public:
  OvernightLimiter() : FakeLimiter(Flaw::none, {}, 1) {}

  DatagramLinkResult open() override {
    constexpr Time day = 86'400'000'000'000;
    if (++sockets_ == 20) wait_until(now() + day);
    return FakeLimiter::open();
  }

 private:
  unsigned sockets_ = 0;
};

TEST(CertifyDatagrams, ARunThatHasTakenItsTimeTellsOfTheRest) {
  OvernightLimiter target;
  const CertifyResult result = *certify_datagrams_over(target, all_cases, options_for_fake());
  EXPECT_TRUE(result.interrupted);
  EXPECT_THAT(with_verdict(result, Verdict::skipped), ::testing::Contains(HasSubstr("too long")));
  std::set<std::string> told;
  for (const auto& one : result.cases) told.insert(one.id);
  for (const auto& one : certified(Flaw::none).cases) {
    const bool is_last = one.id.ends_with("/sanity/after");
    EXPECT_TRUE(is_last || told.contains(one.id)) << one.id;
  }
}

TEST(CertifyDatagrams, IdsOfCasesAreUnique) {
  const WireFormat format(protocol::Width::none,
                          protocol::Readings(protocol::ratelimit_udp, Profile::deployed));
  std::set<std::string> ids;
  for (const DatagramCase& one : all_cases(format))
    EXPECT_TRUE(ids.insert(one.entry.id).second) << one.entry.id;
}

}  // namespace
}  // namespace hallmark::conformance
