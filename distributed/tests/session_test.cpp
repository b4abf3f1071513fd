#include "distributed/session.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>

#include "distributed/tests/load_of_rank.hpp"
#include "distributed/tests/local_peers.hpp"

namespace hallmark::distributed {
namespace {

using base::Result;
using reports::LoadResult;

/// Three ranks, each with a thread, whose loads are made up.
class SessionTest : public testing::Test {
 protected:
  static constexpr std::uint32_t size = 3;

  SessionTest() { load_.options.connections = size; }

  /// Tells one second and ends.
  Result<LoadResult> measure(const loadgen::LoadOptions& options,
                             const loadgen::LoadOutputs& outputs) {
    if (outputs.connected()) {
      loadgen::Tally tally(1);
      EXPECT_TRUE(loadgen::add_encoded(load_.second(0).tally, tally));
      outputs.tallied(0, 1.0, tally);
      options.share->ended();
    }
    return load_.finished(1);
  }

  /// The outcome of one rank.
  struct Left {
    Result<LoadResult> result = LoadResult();
    int exit_code = -1;
    bool all_left = false;
  };

  std::array<Left, size> play(const std::vector<std::vector<std::string>>& arguments) {
    test::LocalPeers peers(size);
    std::array<Left, size> left;
    std::vector<std::thread> threads;
    for (std::uint32_t rank = 0; rank < size; ++rank) {
      threads.emplace_back([&, rank] {
        Session session(
            peers.at(rank), Clock::of_machine(), {"host", arguments[rank]},
            [this](const auto& options, const auto& outputs) { return measure(options, outputs); });
        left[rank].result = session.run(load_.options, {}, std::chrono::seconds(10));
        left[rank].exit_code = session.leave(left[rank].result ? 0 : 2);
        left[rank].all_left = session.all_left();
      });
    }
    for (auto& thread : threads) thread.join();
    return left;
  }

  test::LoadOfRank load_;
};

TEST_F(SessionTest, RankZeroGetsTheResultOfAll) {
  const auto left = play({{}, {}, {}});
  for (const Left& one : left) {
    EXPECT_TRUE(one.result);
    EXPECT_EQ(one.exit_code, 0);
    EXPECT_TRUE(one.all_left);
  }
  EXPECT_EQ(left[0].result->counts.completed, size * test::LoadOfRank::per_second);
  EXPECT_EQ(left[0].result->run_error, "");
  EXPECT_EQ(left[1].result->counts.completed, 0U);
}

TEST_F(SessionTest, ARefusalEndsAllWithOneExitCode) {
  const auto left = play({{"--rate", "1"}, {"--rate", "1"}, {"--rate", "2"}});
  EXPECT_THAT(left[0].result.error().message, testing::StartsWith("rank 2 (host) was given"));
  for (const Left& one : left) EXPECT_EQ(one.exit_code, 2);
}

/// Rank 0 is the test: it lets rank 1 run, and falls silent.
TEST_F(SessionTest, ARankWhoseRankZeroDiedHasTheResultOfItsShare) {
  load_.options.watched = 0;  // no rank waits for what others observed
  test::LocalPeers peers(size);
  Peers& root = peers.at(0);
  std::atomic<std::int64_t> now_ns = 1;
  const auto clock = [&] { return now_ns.load(); };
  Left left;
  std::thread thread([&] {
    Session session(
        peers.at(1), {clock, clock}, {"node7", {}},
        [this](const auto& options, const auto& outputs) { return measure(options, outputs); });
    left.result = session.run(load_.options, {}, std::chrono::seconds(10));
    EXPECT_TRUE(session.orphaned());
    left.exit_code = session.leave(0);
  });
  root.send(1, encode(Prepare{"night", 1}));
  root.send(1, encode(Begin{1, 0, 2'000'000'000}));
  for (bool finished = false; !finished; std::this_thread::yield()) {
    const auto envelope = root.receive();
    finished = envelope && std::holds_alternative<Finished>(decode(envelope->bytes).value());
  }
  now_ns = 2 + Coordinator::silence_ns;
  thread.join();
  ASSERT_TRUE(left.result);
  EXPECT_EQ(left.result->run_error, "rank 0 died; this is the share of rank 1 (node7)");
  EXPECT_EQ(left.result->header.duration, std::chrono::seconds(1));
  ASSERT_TRUE(left.result->run);
  EXPECT_EQ(left.result->run->run, "night");
  EXPECT_EQ(left.result->run->rank, 1U);
  EXPECT_EQ(left.result->run->of, size);
  EXPECT_EQ(left.result->run->begin.time_since_epoch(), std::chrono::seconds(2));
  EXPECT_EQ(left.exit_code, 3);
}

TEST_F(SessionTest, EachRankNeedsAConnection) {
  load_.options.connections = size - 1;
  const auto left = play({{}, {}, {}});
  EXPECT_EQ(left[0].result.error().message,
            "--connections 2 for 3 ranks; allowed: one for each at least");
  for (const Left& one : left) EXPECT_EQ(one.exit_code, 2);
}

}  // namespace
}  // namespace hallmark::distributed
