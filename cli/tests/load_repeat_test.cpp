#include <gmock/gmock.h>

#include "base/endpoint.hpp"
#include "cli/load/load_series.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::cli {
namespace {

using base::Result;
using reports::LoadResult;

loadgen::LoadOptions night_run() {
  loadgen::LoadOptions options{
      .target = base::parse_endpoint<loadgen::Target>("tcp://127.0.0.1:1").value(),
      .workload = {.readings = {protocol::throttr_7_1, protocol::Profile::deployed},
                   .mix = "query=1"}};
  options.run_id = "night";
  return options;
}

/// A run that completed so many requests in a second, and began so many seconds after 1970.
LoadResult repeated_run(const loadgen::LoadOptions& options, int began_s, std::uint64_t completed) {
  LoadResult result;
  result.run = reports::RunIdentity{.run = options.run_id, .options = "0"};
  result.run->begin += std::chrono::seconds(began_s);
  result.header.duration = std::chrono::seconds(1);
  result.counts = {.planned = completed, .completed = completed};
  result.operations = {{"query", result.counts, {}, {}}};
  result.rate_achieved = static_cast<double>(completed);
  return result;
}

TEST(Repeat, RunsAreOneResultWithTheSpreadBetweenThem) {
  std::vector<std::string> ids;
  const auto all = repeat(night_run(), 3, [&](const loadgen::LoadOptions& one) {
    ids.push_back(one.run_id);
    const std::size_t run = ids.size();
    return Result<LoadResult>(repeated_run(one, 10 * static_cast<int>(run), 100 * run));
  });
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_THAT(ids, testing::ElementsAre("night-1", "night-2", "night-3"));
  EXPECT_EQ(all->counts.completed, 600U);
  EXPECT_EQ(all->header.duration, std::chrono::seconds(3));
  ASSERT_FALSE(all->spread.empty());
  EXPECT_EQ(all->spread[0].metric, "throughput");
  EXPECT_THAT(all->spread[0].runs,
              testing::ElementsAre(reports::Mean(100), reports::Mean(200), reports::Mean(300)));
}

TEST(Repeat, ARunThatWasEndedEarlyIsTheLast) {
  int runs = 0;
  const auto all = repeat(night_run(), 5, [&](const loadgen::LoadOptions& one) {
    LoadResult result = repeated_run(one, 10 * ++runs, 100);
    if (runs == 2) result.aborted = "errors>10% in second 1: 20 %";
    return Result<LoadResult>(result);
  });
  ASSERT_TRUE(all);
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(all->counts.completed, 200U);
  EXPECT_EQ(all->aborted, "errors>10% in second 1: 20 %");
  EXPECT_EQ(exit_code(*all), reports::ExitCode::indeterminate);
}

TEST(Repeat, ATargetThatIsNotThereIsToldOnce) {
  const auto all = repeat(night_run(), 5, [&](const loadgen::LoadOptions&) {
    LoadResult result;
    result.run_error = "cannot connect";
    return Result<LoadResult>(result);
  });
  EXPECT_EQ(all->run_error, "cannot connect");
}

}  // namespace
}  // namespace hallmark::cli
