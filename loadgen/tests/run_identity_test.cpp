#include "loadgen/results/run_identity.hpp"

#include <gmock/gmock.h>

#include <functional>

#include "base/endpoint.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::loadgen {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Time = std::chrono::sys_time<milliseconds>;

LoadOptions options_of_share(std::uint32_t number) {
  LoadOptions options{.target_text = "tcp://127.0.0.1:1",
                      .target = base::parse_endpoint<Target>("tcp://127.0.0.1:1").value(),
                      .workload = {.readings = {protocol::throttr_7_1, protocol::Profile::deployed},
                                   .mix = "query=1"}};
  options.connections = 8;
  options.warmup = seconds(2);
  options.share = Share{number, 3, Time(seconds(1'000'000'000))};
  return options;
}

TEST(RunIdentity, SharesAgreeOnTheirRun) {
  const auto first = identity_of(options_of_share(0), Time(seconds(5)));
  const auto second = identity_of(options_of_share(1), Time(seconds(7)));
  EXPECT_EQ(first.run, second.run);
  EXPECT_THAT(first.run, testing::StartsWith("20010909T014640-"));
  EXPECT_EQ(first.options, second.options);
  EXPECT_EQ(first.options.size(), 16U);
  EXPECT_EQ(first.rank, 0U);
  EXPECT_EQ(second.rank, 1U);
  EXPECT_EQ(second.of, 3U);
  EXPECT_EQ(second.begin, Time(seconds(1'000'000'002)));  // behind the warm-up
}

TEST(RunIdentity, WholeRunsAreTheirOwn) {
  LoadOptions options = options_of_share(0);
  options.share.reset();
  const auto first = identity_of(options, Time(seconds(5)));
  EXPECT_NE(first.run, identity_of(options, Time(seconds(5))).run);
  EXPECT_FALSE(first.is_share());
  options.run_id = "night";
  EXPECT_EQ(identity_of(options, Time(seconds(5))).run, "night");
}

TEST(RunIdentity, OptionsThatDecideWhatIsSentAreHashed) {
  const std::string usual = options_hash(options_of_share(0));
  const auto changed = [](const std::function<void(LoadOptions&)>& change) {
    LoadOptions options = options_of_share(0);
    change(options);
    return options_hash(options);
  };
  EXPECT_EQ(usual, changed([](LoadOptions& one) { one.threads = 7; }));
  EXPECT_EQ(usual, changed([](LoadOptions& one) { one.share->number = 2; }));
  EXPECT_NE(usual, changed([](LoadOptions& one) { one.rate = 2'000; }));
  EXPECT_NE(usual, changed([](LoadOptions& one) { one.closed = true; }));
  EXPECT_NE(usual, changed([](LoadOptions& one) { one.workload.mix = "update=1"; }));
  EXPECT_NE(usual, changed([](LoadOptions& one) { one.workload.seed = 2; }));
  EXPECT_NE(usual, changed([](LoadOptions& one) { one.timeout = seconds(2); }));
  EXPECT_NE(usual, changed([](LoadOptions& one) { one.connections = 9; }));
}

}  // namespace
}  // namespace hallmark::loadgen
