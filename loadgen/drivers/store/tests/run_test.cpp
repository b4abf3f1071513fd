#include "loadgen/engine/run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <thread>

#include "loadgen/drivers/store/tests/bucket.hpp"
#include "protocol/dialects.hpp"
#include "stores/tests/support/postgres_server.hpp"
#include "stores/tests/support/redis_server.hpp"

namespace hallmark::loadgen::store {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

LoadOptions options_for(const stores::Address& address, double burst = 5, double per_second = 20) {
  const auto bucket = std::make_shared<Bucket>(burst, per_second);
  LoadOptions options{
      .target_text = to_string(address),
      .target = base::UnixEndpoint{},
      .workload = {.readings = {protocol::ratelimit_state, protocol::Profile::deployed},
                   .width = protocol::Width::none,
                   .mix = "decide",
                   .keys = 10,
                   .key_prefix = "hallmark:"}};
  options.store = StoreOptions{.connect = [address] { return stores::connect(address); },
                               .limiter = bucket,
                               .strategy = "bucket",
                               .bounds = bucket->bounds()};
  options.rate = 2'000;
  options.connections = 4;
  options.duration = milliseconds(300);
  options.timeout = std::chrono::seconds(10);
  options.handle_signals = false;
  return options;
}

reports::LoadResult run(const LoadOptions& options) {
  return loadgen::run_load(options, {}).value();
}

void expect_all_accounted_for(const reports::LoadResult& result) {
  EXPECT_EQ(result.run_error, "");
  EXPECT_TRUE(result.counts.balanced());
  EXPECT_EQ(result.store->counts.allowed + result.store->counts.denied, result.counts.completed);
  EXPECT_EQ(result.corrected.quantiles.count, result.counts.completed);
  EXPECT_EQ(result.store->admissions.not_judged, 0U);
}

TEST(StoreRun, AnOpenLoopOnRedisIsMeasuredAndWithinItsLimits) {
  const stores::test::RedisServer server;
  const auto result = run(options_for(server.address()));
  expect_all_accounted_for(result);
  EXPECT_EQ(result.counts, (reports::LoadCounts{600, 600, 0, 0, 0}));
  EXPECT_GT(result.store->counts.allowed, 0U);
  EXPECT_GT(result.store->counts.denied, 0U);
  EXPECT_EQ(result.store->admissions.judged, result.store->counts.allowed);
  EXPECT_EQ(result.store->admissions.exceeded, 0U);
  EXPECT_EQ(result.send_lag.quantiles.count, 600U);
  ASSERT_TRUE(result.client && result.client->schedule) << "the client is judged";
  // A busy machine taints what the client measures.
  EXPECT_THAT(reports::exit_code(result),
              testing::AnyOf(reports::ExitCode::as_expected, reports::ExitCode::indeterminate));
}

TEST(StoreRun, AClosedLoopOnOneKeyMeetsConflictsAndStaysWithinItsLimits) {
  const stores::test::RedisServer server;
  // Nearly everything is admitted, so nearly everything is written.
  auto options = options_for(server.unix_address(), 1e6, 1e6);
  options.closed = true;
  options.workload.keys = 1;
  options.store->retries = 1'000;
  const auto result = run(options);
  expect_all_accounted_for(result);
  EXPECT_GT(result.store->counts.conflicts, 0U);
  EXPECT_EQ(result.store->counts.retries, result.store->counts.conflicts);
  EXPECT_EQ(result.store->admissions.exceeded, 0U);
  EXPECT_EQ(result.send_lag.quantiles.count, 0U);
}

TEST(StoreRun, WithoutRetriesConflictsFail) {
  const stores::test::RedisServer server;
  auto options = options_for(server.unix_address(), 1e6, 1e6);
  options.closed = true;
  options.workload.keys = 1;
  options.store->retries = 0;
  const auto result = run(options);
  EXPECT_GT(result.store->counts.gave_up, 0U);
  EXPECT_EQ(result.store->counts.gave_up, result.counts.failed);
  EXPECT_EQ(result.store->counts.retries, 0U);
  ASSERT_EQ(result.errors.size(), 1U);
  EXPECT_EQ(result.errors[0].kind, "conflicts");
  EXPECT_EQ(reports::exit_code(result), reports::ExitCode::failures);
}

TEST(StoreRun, OnPostgres) {
  const stores::test::PostgresServer server;
  server.create_table();
  server.run("INSERT INTO ratelimit_kv VALUES ('other', 'kept', null)");
  auto options = options_for(server.address());
  options.rate = 500;
  options.workload.keys = 2;
  const auto result = run(options);
  expect_all_accounted_for(result);
  EXPECT_EQ(result.counts.completed, 150U);
  EXPECT_GT(result.store->counts.denied, 0U);
  EXPECT_EQ(result.store->admissions.exceeded, 0U);
  EXPECT_EQ(server.run("SELECT string_agg(key, ',') FROM ratelimit_kv"), "other");
}

TEST(StoreRun, ItsKeysAreRemovedBeforeAndAfterAndNoOthers) {
  const stores::test::RedisServer server;
  server.run({"SET", "hallmark:0", "nonsense of an earlier run"});
  server.run({"SET", "hallmark:10", "beyond the keys"});
  server.run({"SET", "other", "kept"});
  const auto result = run(options_for(server.address()));
  EXPECT_EQ(result.counts.failed, 0U);
  EXPECT_EQ(server.run({"DBSIZE"}), "2");
  EXPECT_EQ(server.run({"GET", "hallmark:10"}), "beyond the keys");
}

/// The proof that the oracle sees lost updates: everything is as above, but for conflicts ignored.
TEST(StoreRun, ACompareAndSetThatIgnoresConflictsIsCaught) {
  const stores::test::RedisServer server;
  auto options = options_for(server.unix_address(), 100, 1);
  options.closed = true;
  options.workload.keys = 1;
  options.connections = 8;
  options.store->connect = [address = server.unix_address()] {
    return stores::Result<std::unique_ptr<stores::Connection>>(
        std::make_unique<Careless>(stores::connect(address).value()));
  };
  // Two have to meet, and on a busy machine that takes its time.
  auto result = run(options);
  for (int more = 0; more < 20 && result.store->admissions.exceeded == 0; ++more)
    result = run(options);
  EXPECT_EQ(result.counts.failed, 0U);
  ASSERT_GT(result.store->admissions.exceeded, 0U);
  EXPECT_EQ(result.store->admissions.findings[0].key, "hallmark:0");
  EXPECT_GT(result.store->admissions.findings[0].admitted,
            result.store->admissions.findings[0].allowed);
  EXPECT_EQ(reports::exit_code(result), reports::ExitCode::failures);
}

TEST(StoreRun, ALimiterThatAdmitsTooMuchIsCaught) {
  const stores::test::RedisServer server;
  auto options = options_for(server.address());
  options.store->limiter = std::make_shared<Generous>();
  const auto result = run(options);
  EXPECT_GT(result.store->admissions.exceeded, 0U);
  EXPECT_EQ(reports::exit_code(result), reports::ExitCode::failures);
}

TEST(StoreRun, AStateOfAnotherLimiterFailsItsRequests) {
  const stores::test::RedisServer server;
  auto options = options_for(server.address());
  options.closed = true;
  options.duration = milliseconds(500);
  std::jthread spoiler([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) server.run({"SET", "hallmark:3", "nonsense"});
  });
  const auto result = run(options);
  spoiler.request_stop();
  spoiler.join();
  EXPECT_GT(result.counts.failed, 0U);
  ASSERT_FALSE(result.errors.empty());
  EXPECT_EQ(result.errors.back().kind, "malformed state");
  EXPECT_THAT(result.errors.back().example, HasSubstr("offset 0"));
}

TEST(StoreRun, AStoreThatDiesAndComesBackIsMetAgain) {
  stores::test::RedisServer server;
  auto options = options_for(server.address());
  options.closed = true;
  options.duration = std::chrono::seconds(60);
  std::atomic<std::uint64_t> answered = 0;
  const auto bucket = options.store->limiter;
  class Counting final : public Limiter {
   public:
    Counting(std::shared_ptr<const Limiter> real, std::atomic<std::uint64_t>& count)
        : real_(std::move(real)), count_(count) {}
    base::Result<Decision> decide(std::optional<std::string_view> state,
                                  std::int64_t now) const override {
      ++count_;
      return real_->decide(state, now);
    }

   private:
    std::shared_ptr<const Limiter> real_;
    std::atomic<std::uint64_t>& count_;
  };
  options.store->limiter = std::make_shared<Counting>(bucket, answered);
  options.handle_signals = true;
  std::jthread killer([&] {
    const auto wait_for_more = [&] {
      const auto before = answered.load();
      while (answered.load() < before + 100) std::this_thread::yield();
    };
    wait_for_more();
    server.kill();
    server.restart();
    wait_for_more();
    ::raise(SIGINT);
  });
  const auto result = run(options);
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(result.run_error, "");
  EXPECT_TRUE(result.counts.balanced());
  EXPECT_GT(result.counts.completed, 150U);
  EXPECT_GT(result.counts.failed, 0U);
  EXPECT_THAT(result.errors[0].example, HasSubstr("redis://127.0.0.1"));
  EXPECT_NE(result.errors.back().kind, "keys left behind");
  EXPECT_EQ(server.run({"DBSIZE"}), "0");
}

/// A connection that breaks at its first use.
class Broken final : public stores::Connection {
 public:
  stores::Result<std::vector<stores::Held>> get(std::span<const std::string>, WithExpiry) override {
    return lost();
  }
  stores::Result<std::vector<stores::Outcome>> compare_and_set(
      std::span<const stores::Change>) override {
    return lost();
  }
  stores::Result<std::vector<stores::Outcome>> compare_and_delete(
      std::span<const stores::Removal>) override {
    return lost();
  }
  stores::Result<std::uint64_t> erase(std::span<const std::string>) override {
    return std::uint64_t{0};
  }

 private:
  static stores::Error lost() { return {stores::ErrorKind::lost, "the connection is lost"}; }
};

TEST(StoreRun, AMachineWithoutADescriptorLeftTaintsTheClientAndNotTheStore) {
  const auto address = base::parse_endpoint<stores::Address>("redis://127.0.0.1:1").value();
  auto options = options_for(address);
  std::atomic<std::uint32_t> made = 0;
  options.store->connect =
      [&, wanted = options.connections]() -> stores::Result<std::unique_ptr<stores::Connection>> {
    if (made++ < wanted) return std::make_unique<Broken>();
    return stores::Error{stores::ErrorKind::starved, "Too many open files"};
  };
  const auto result = run(options);
  EXPECT_TRUE(result.counts.balanced());
  EXPECT_GT(result.counts.shed, 0U);
  EXPECT_EQ(result.counts.shed + result.counts.failed, result.counts.planned);
  EXPECT_LE(result.counts.failed, options.connections) << "those that met the lost connections";
  EXPECT_NE(result.inconclusive, "");
}

TEST(StoreRun, AStoreThatIsNotThere) {
  const auto address = base::parse_endpoint<stores::Address>(
                           "redis://127.0.0.1:" + std::to_string(stores::test::free_port()))
                           .value();
  const auto result = run(options_for(address));
  EXPECT_THAT(result.run_error, HasSubstr("Connection refused"));
  EXPECT_EQ(reports::exit_code(result), reports::ExitCode::unreachable_or_harness_error);
}

}  // namespace
}  // namespace hallmark::loadgen::store
