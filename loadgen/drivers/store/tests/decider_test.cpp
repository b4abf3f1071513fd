#include "loadgen/drivers/store/decider.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loadgen/drivers/store/tests/bucket.hpp"
#include "stores/tests/support/redis_server.hpp"

namespace hallmark::loadgen::store {
namespace {

using End = Decided::End;

/// A connection between whose reads and writes others get their turn.
class Contended final : public stores::Connection {
 public:
  Contended(std::unique_ptr<stores::Connection> real, std::function<void()> rival)
      : real_(std::move(real)), rival_(std::move(rival)) {}

  stores::Result<std::vector<stores::Held>> get(std::span<const std::string> keys,
                                                WithExpiry expiry) override {
    auto held = real_->get(keys, expiry);
    rival_();
    return held;
  }
  stores::Result<std::vector<stores::Outcome>> compare_and_set(
      std::span<const stores::Change> changes) override {
    return real_->compare_and_set(changes);
  }
  stores::Result<std::vector<stores::Outcome>> compare_and_delete(
      std::span<const stores::Removal> removals) override {
    return real_->compare_and_delete(removals);
  }
  stores::Result<std::uint64_t> erase(std::span<const std::string> keys) override {
    return real_->erase(keys);
  }

 private:
  std::unique_ptr<stores::Connection> real_;
  std::function<void()> rival_;
};

class Decider : public testing::Test {
 protected:
  Decided decide_once(stores::Connection& connection, std::uint32_t retries = 10) {
    return decide(connection, bucket_, "k", retries, [&] { return now_; });
  }
  std::unique_ptr<stores::Connection> connect() {
    return stores::connect(server_.address()).value();
  }

  stores::test::RedisServer server_;
  Bucket bucket_{2, 1};
  std::int64_t now_ = 1'000'000'000;
};

TEST_F(Decider, AllowsWritesAndDenies) {
  const auto connection = connect();
  EXPECT_EQ(decide_once(*connection).end, End::allowed);
  EXPECT_EQ(server_.run({"GET", "k"}), "1 1000000000");
  EXPECT_NE(server_.run({"PTTL", "k"}), "-1");
  EXPECT_EQ(decide_once(*connection).end, End::allowed);
  EXPECT_EQ(decide_once(*connection).end, End::denied);
  EXPECT_EQ(server_.run({"GET", "k"}), "0 1000000000") << "a denied request writes nothing";
  now_ += 1'000'000'000;
  const auto later = decide_once(*connection);
  EXPECT_EQ(later.end, End::allowed);
  EXPECT_EQ(later.now_ns, now_);
  EXPECT_EQ(later.conflicts, 0U);
}

TEST_F(Decider, AfterAConflictDecidesAgainOnWhatIsThere) {
  std::vector<std::string> written{"0.5 1000000000", "1.5 1000000000", "2 1000000000"};
  Contended contended(connect(), [&] {
    if (written.empty()) return;
    server_.run({"SET", "k", written.back()});
    written.pop_back();
  });
  const auto decided = decide_once(contended);
  EXPECT_EQ(decided.end, End::denied) << "the last one left too little";
  EXPECT_EQ(decided.conflicts, 3U);
}

TEST_F(Decider, GivesUpAfterSoManyRetries) {
  int turn = 0;
  Contended contended(connect(), [&] { server_.run({"SET", "k", "2 " + std::to_string(++turn)}); });
  const auto decided = decide_once(contended, 4);
  EXPECT_EQ(decided.end, End::gave_up);
  EXPECT_EQ(decided.conflicts, 5U);
  EXPECT_EQ(turn, 5);
}

TEST_F(Decider, AStateThatIsNoneIsLeftAlone) {
  const auto connection = connect();
  server_.run({"SET", "k", "nonsense"});
  const auto decided = decide_once(*connection);
  EXPECT_EQ(decided.end, End::bad_state);
  EXPECT_THAT(decided.why, testing::HasSubstr("offset 0"));
  EXPECT_EQ(server_.run({"GET", "k"}), "nonsense");
  server_.run({"DEL", "k"});
  server_.run({"HSET", "k", "f", "v"});
  EXPECT_EQ(decide_once(*connection).end, End::bad_state);
}

TEST_F(Decider, AStoreThatIsGoneIsAFailure) {
  const auto connection = connect();
  server_.kill();
  const auto decided = decide_once(*connection);
  EXPECT_EQ(decided.end, End::failed);
  EXPECT_TRUE(decided.lost);
}

}  // namespace
}  // namespace hallmark::loadgen::store
