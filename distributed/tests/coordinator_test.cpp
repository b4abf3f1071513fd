#include "distributed/coordinator.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "distributed/tests/load_of_rank.hpp"
#include "distributed/tests/local_peers.hpp"
#include "loadgen/results/summary.hpp"
#include "reports/json_report.hpp"

namespace hallmark::distributed {
namespace {

using reports::ExitCode;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// A coordinator of three ranks, whose messages and clocks the test makes.
class CoordinatorTest : public testing::Test {
 protected:
  static constexpr std::uint32_t size = 3;

  CoordinatorTest()
      : coordinator_(peers_.at(0), {[this] { return now_ns_; }, [this] { return now_ns_; }},
                     {{"--rate", "5k"}, "5k", 1'000'000}, [this](std::int64_t begins_ns) {
                       begins_ns_ = begins_ns;
                       return std::make_unique<GatheredRun>(load_.options, load_.names, outputs_,
                                                            size, loadgen::Share().start);
                     }) {}

  static Hello hello(std::uint32_t rank) {
    return {"host" + std::to_string(rank), {"--rate", "5k"}, "5k", {}};
  }

  /// The messages that came to a rank since the last call.
  std::vector<Message> taken(std::uint32_t rank) {
    std::vector<Message> messages;
    while (const auto envelope = peers_.at(rank).receive()) {
      auto message = decode(envelope->bytes);
      if (message) messages.push_back(std::move(*message));
    }
    return messages;
  }
  template <class Kind>
  bool got(std::uint32_t rank) {
    const auto messages = taken(rank);
    return std::ranges::any_of(
        messages, [](const Message& one) { return std::holds_alternative<Kind>(one); });
  }

  void greet_all() {
    for (std::uint32_t rank = 0; rank < size; ++rank) coordinator_.take(rank, hello(rank));
  }
  /// Each clock is ahead by so much, and an answer takes `trip_ns`.
  void answer_for_clocks(std::int64_t ahead_ns, std::int64_t trip_ns) {
    for (std::uint32_t rank = 0; rank < size; ++rank) {
      for (unsigned round = 0; round < Coordinator::rounds; ++round) {
        const std::int64_t theirs = now_ns_ + trip_ns / 2 + ahead_ns * rank;
        now_ns_ += trip_ns;
        coordinator_.take(rank, Pong{theirs, theirs});
      }
    }
  }
  void begin() {
    greet_all();
    answer_for_clocks(0, 100);
    for (std::uint32_t rank = 0; rank < size; ++rank) coordinator_.take(rank, Connected{});
  }
  void finish(std::uint32_t rank) {
    coordinator_.take(rank, Finished{reports::render_json(load_.finished(seconds_))});
  }
  /// All of these ranks live, while time goes by.
  void pass(std::int64_t ns, const std::vector<std::uint32_t>& living) {
    for (std::int64_t gone = 0; gone < ns; gone += Coordinator::silence_ns / 10) {
      now_ns_ += Coordinator::silence_ns / 10;
      for (const std::uint32_t rank : living) coordinator_.take(rank, Alive{});
      coordinator_.tick();
    }
  }

  std::int64_t now_ns_ = 1'000'000'000;
  std::int64_t begins_ns_ = 0;
  std::uint64_t seconds_ = 2;
  test::LoadOfRank load_;
  loadgen::LoadOutputs outputs_;
  test::LocalPeers peers_{size};
  Coordinator coordinator_;
};

TEST_F(CoordinatorTest, AllBeginTogetherEachByItsOwnClock) {
  greet_all();
  EXPECT_TRUE(coordinator_.compares());
  answer_for_clocks(50'000, 100);
  EXPECT_TRUE(got<Prepare>(2));
  for (std::uint32_t rank = 0; rank < size; ++rank) {
    EXPECT_EQ(begins_ns_, 0) << "before rank " << rank << " was connected";
    coordinator_.take(rank, Connected{});
  }
  EXPECT_EQ(begins_ns_, now_ns_ + Coordinator::lead_ns);
  for (std::uint32_t rank = 1; rank < size; ++rank) {
    const auto messages = taken(rank);
    EXPECT_EQ(std::get<Begin>(messages.back()).steady_ns, begins_ns_ + 50'000 * rank) << rank;
  }
}

TEST_F(CoordinatorTest, ResultsAreThoseOfAllRanks) {
  begin();
  for (std::uint32_t rank = 0; rank < size; ++rank) {
    for (std::uint64_t second = 0; second < seconds_; ++second)
      coordinator_.take(rank, load_.second(second));
  }
  for (std::uint32_t rank = 0; rank < size; ++rank) coordinator_.take(rank, Ended{});
  EXPECT_TRUE(got<AllEnded>(0));
  for (std::uint32_t rank = 0; rank < size; ++rank) {
    EXPECT_FALSE(coordinator_.over());
    finish(rank);
  }
  ASSERT_TRUE(coordinator_.over());
  const auto result = coordinator_.result();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->counts.planned, size * seconds_ * test::LoadOfRank::per_second);
  EXPECT_EQ(result->counts.completed, result->counts.planned);
  EXPECT_EQ(result->corrected.quantiles.count, result->counts.planned);
  ASSERT_EQ(result->series.size(), seconds_);
  EXPECT_EQ(result->series[1].completed, size * test::LoadOfRank::per_second);
  EXPECT_EQ(result->run_error, "");
  EXPECT_THAT(result->header.notes, testing::ElementsAre(HasSubstr("3 ranks began within")));
}

TEST_F(CoordinatorTest, RanksStandApartToo) {
  greet_all();
  answer_for_clocks(50'000, 100);
  for (std::uint32_t rank = 0; rank < size; ++rank) coordinator_.take(rank, Connected{});
  for (std::uint32_t rank = 0; rank < size; ++rank) coordinator_.take(rank, load_.second(0));
  for (std::uint32_t rank = 0; rank < size; ++rank) {
    reports::LoadResult own = load_.finished(1);
    own.rate_achieved = 10 + rank;
    own.corrected.quantiles.p50 = 1000 + rank;
    coordinator_.take(rank, Finished{reports::render_json(without_tallies(std::move(own)))});
  }
  const auto result = coordinator_.result();
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->ranks.size(), size);
  const reports::RankLoad& last = result->ranks[2];
  EXPECT_EQ(last.rank, 2U);
  EXPECT_EQ(last.host, "host2");
  EXPECT_EQ(last.rate_achieved, 12);
  EXPECT_EQ(last.latency.quantiles.p50, 1002U);
  EXPECT_EQ(last.clock_offset_ns, 100'000);
  EXPECT_EQ(last.clock_bound_ns, 50);
  EXPECT_EQ(result->ranks[0].clock_bound_ns, 0);
  EXPECT_EQ(result->corrected.quantiles.count, size * test::LoadOfRank::per_second)
      << "all together";
}

TEST(WithoutTallies, KeepsHistogramsOfFewRanksOnly) {
  loadgen::Histogram latency;
  latency.record(1000);
  reports::LoadResult result;
  result.corrected = loadgen::latency_of(latency);
  result.run.emplace().of = most_ranks_with_histograms;
  EXPECT_NE(without_tallies(result).ranks[0].latency.histogram, "");
  result.run->of = 1 + most_ranks_with_histograms;
  const auto slim = without_tallies(result);
  EXPECT_EQ(slim.ranks[0].latency.histogram, "");
  EXPECT_EQ(slim.ranks[0].latency.quantiles.p50, 1000U);
  EXPECT_EQ(slim.corrected.quantiles.count, 0U);
}

TEST_F(CoordinatorTest, ARankWithOtherOptionsIsNamed) {
  Hello other = hello(2);
  other.options = {"--rate", "6k"};
  coordinator_.take(0, hello(0));
  coordinator_.take(2, other);
  ASSERT_TRUE(coordinator_.refusal());
  EXPECT_EQ(coordinator_.refusal()->why,
            "rank 2 (host2) was given --rate 6k instead of --rate 5k; start all ranks with the "
            "same options");
  EXPECT_EQ(coordinator_.refusal()->code, ExitCode::usage);
}

TEST_F(CoordinatorTest, ARankThatReadsOtherFilesIsNamed) {
  Hello other = hello(1);
  other.options_hash = "6k";
  coordinator_.take(1, other);
  ASSERT_TRUE(coordinator_.refusal());
  EXPECT_EQ(coordinator_.refusal()->why,
            "rank 1 (host1) reads something else in a file that the options name; give all ranks "
            "the same files");
}

TEST_F(CoordinatorTest, ARankThatCannotReadItsCommandLineIsNamed) {
  coordinator_.take(1, Hello{"host1", {}, {}, "no such file"});
  ASSERT_TRUE(coordinator_.refusal());
  EXPECT_EQ(coordinator_.refusal()->why, "rank 1 (host1): no such file");
}

TEST_F(CoordinatorTest, ClocksThatAreTooFarApartAreRefused) {
  greet_all();
  answer_for_clocks(-2'000'000, 100);
  ASSERT_TRUE(coordinator_.refusal());
  EXPECT_THAT(coordinator_.refusal()->why,
              StartsWith("the clock of rank 1 (host1) is 2.000 ms behind that of rank 0; allowed "
                         "by --start-slack: 1.000 ms"));
}

TEST_F(CoordinatorTest, ClocksThatCannotBeComparedAreRefused) {
  greet_all();
  answer_for_clocks(0, 3'000'000);
  ASSERT_TRUE(coordinator_.refusal());
  EXPECT_THAT(coordinator_.refusal()->why, HasSubstr("to 1.500 ms only"));
}

TEST_F(CoordinatorTest, ARankThatCannotConnectEndsAll) {
  greet_all();
  answer_for_clocks(0, 100);
  coordinator_.take(0, Connected{});
  reports::LoadResult broken = load_.finished(0);
  broken.run_error = "cannot connect";
  coordinator_.take(2, Finished{reports::render_json(broken)});
  EXPECT_TRUE(got<Stop>(1));
  finish(0);
  finish(1);
  ASSERT_TRUE(coordinator_.over());
  const auto result = coordinator_.result();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->run_error, "rank 2 (host2): cannot connect");
}

TEST_F(CoordinatorTest, AnInterruptedRankStopsAll) {
  begin();
  coordinator_.take(1, Interrupted{});
  for (std::uint32_t rank = 0; rank < size; ++rank) EXPECT_TRUE(got<Stop>(rank)) << rank;
}

TEST_F(CoordinatorTest, ARankThatDiesLeavesWhatItToldAndTheResultsOfTheOthers) {
  begin();
  for (std::uint32_t rank = 0; rank < size; ++rank) coordinator_.take(rank, load_.second(0, 3));
  pass(Coordinator::silence_ns + Coordinator::silence_ns / 5, {0, 1});
  EXPECT_TRUE(got<Stop>(0));
  EXPECT_TRUE(got<Stop>(1));
  EXPECT_TRUE(coordinator_.lost_any());
  for (const std::uint32_t rank : {0U, 1U}) {
    coordinator_.take(rank, load_.late_replies(1, 3));
    finish(rank);
  }
  ASSERT_TRUE(coordinator_.over());
  const auto result = coordinator_.result();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_THAT(result->run_error, AllOf(StartsWith("rank 2 (host2) died"), HasSubstr("s into")));
  EXPECT_EQ(result->counts.planned, size * test::LoadOfRank::per_second);
  EXPECT_EQ(result->counts.failed, 3U) << "what was in flight on the rank that died";
  EXPECT_TRUE(result->counts.balanced());
  ASSERT_EQ(result->errors.size(), 1U);
  EXPECT_EQ(result->errors[0].kind, "rank lost");
  EXPECT_TRUE(result->ranks[2].lost);
  EXPECT_EQ(result->ranks[2].counts.failed, 3U);
  EXPECT_EQ(result->ranks[2].counts.planned, test::LoadOfRank::per_second);
  EXPECT_EQ(reports::exit_code(*result), ExitCode::unreachable_or_harness_error);
}

TEST_F(CoordinatorTest, ARankThatNeverComesIsNamed) {
  coordinator_.take(0, hello(0));
  coordinator_.take(1, hello(1));
  pass(Coordinator::greeting_ns + Coordinator::silence_ns, {0, 1});
  ASSERT_TRUE(coordinator_.refusal());
  EXPECT_EQ(coordinator_.refusal()->why, "rank 2 did not start within 60 s");
  EXPECT_EQ(coordinator_.refusal()->code, ExitCode::unreachable_or_harness_error);
}

TEST_F(CoordinatorTest, TheOthersLeaveWithItsExitCodeAndAreWaitedFor) {
  coordinator_.end(4);
  const auto messages = taken(2);
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_EQ(std::get<Leave>(messages[0]).exit_code, 4U);
  coordinator_.take(1, Gone{});
  EXPECT_FALSE(coordinator_.all_gone());
  coordinator_.take(2, Gone{});
  EXPECT_TRUE(coordinator_.all_gone());
}

}  // namespace
}  // namespace hallmark::distributed
