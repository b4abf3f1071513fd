#include "cli/load/search.hpp"

#include <gmock/gmock.h>

#include "base/endpoint.hpp"
#include "protocol/dialects.hpp"
#include "reports/load/slo.hpp"

namespace hallmark::cli {
namespace {

using reports::LoadResult;

/// A target over a network that loses 1 % of the requests, and answers at most so many a second.
LoadResult lossy(double capacity, const loadgen::LoadOptions& options) {
  LoadResult result;
  const double rate = options.rate.highest();
  result.rate_asked = rate;
  const auto planned = static_cast<std::uint64_t>(rate);
  const std::uint64_t lost = planned / 100;
  result.counts = {planned, planned - lost, lost, 0, 0};
  result.rate_achieved = std::min(capacity, static_cast<double>(planned - lost));
  result.corrected.quantiles.count = planned - lost;
  result.corrected.quantiles.p50 = result.corrected.quantiles.p90 = 1'000'000;
  return result;
}

loadgen::LoadOptions from_1k() {
  loadgen::LoadOptions options{
      .target = base::parse_endpoint<loadgen::Target>("udp://127.0.0.1:1").value(),
      .workload = {.readings = {protocol::ratelimit_udp, protocol::Profile::deployed},
                   .mix = "ping=1"}};
  options.rate = 1'000.0;
  return options;
}

/// Searches with runs that end at once.
reports::Knee searched(const std::string& text, const RunOnce& run) {
  const SearchGoal goal{.objectives = reports::parse_objectives(text).value(),
                        .text = text,
                        .confirm_duration = std::chrono::seconds(10)};
  return search_knee(from_1k(), goal, run, [](const std::string&) {}).value();
}

reports::Knee searched(const std::string& text) {
  return searched(text, [](const loadgen::LoadOptions& one) {
    return base::Result<LoadResult>(lossy(20'000, one));
  });
}

TEST(SearchKnee, FindsTheRateOfATargetThatMayLoseRequests) {
  const auto knee = searched("p90<5ms,errors<2%");
  EXPECT_GT(knee.rate, 19'000);
  EXPECT_LT(knee.rate, 21'500);
}

TEST(SearchKnee, FindsNoneWhereNoRequestMayBeLost) {
  const auto knee = searched("p90<5ms");
  EXPECT_EQ(knee.rate, 0);
  EXPECT_EQ(exit_code(knee), reports::ExitCode::failures);
}

TEST(SearchKnee, DoesNotTakeWhatTheClientShedForAnswered) {
  const auto knee = searched("errors<50%", [](const loadgen::LoadOptions& one) {
    LoadResult result = lossy(1e9, one);
    const std::uint64_t shed = result.counts.completed / 2;
    result.counts.completed -= shed;
    result.counts.shed = shed;
    result.rate_achieved = static_cast<double>(result.counts.completed);
    return base::Result<LoadResult>(result);
  });
  EXPECT_EQ(knee.rate, 0);
}

TEST(SearchKnee, ATargetThatFailsIsNotExcusedByABusyClient) {
  const auto knee = searched("errors<0.5%", [](const loadgen::LoadOptions& one) {
    LoadResult result = lossy(1e9, one);
    result.inconclusive = "the client was busy";
    return base::Result<LoadResult>(result);
  });
  EXPECT_EQ(exit_code(knee), reports::ExitCode::failures);
  EXPECT_EQ(knee.points.size(), 2U);
}

TEST(SearchKnee, TheConfirmationLastsAsLongAsItIsToldTo) {
  std::chrono::nanoseconds longest{};
  const auto knee = searched("errors<2%", [&](const loadgen::LoadOptions& one) {
    longest = std::max(longest, one.duration);
    return base::Result<LoadResult>(lossy(20'000, one));
  });
  EXPECT_EQ(longest, std::chrono::seconds(10));
  EXPECT_GT(knee.confirmed, 19'000);
}

TEST(SearchKnee, ARunThatIsInterruptedEndsTheSearchWithWhatIsKnown) {
  int runs = 0;
  const auto knee = searched("errors<2%", [&](const loadgen::LoadOptions& one) {
    LoadResult result = lossy(20'000, one);
    result.interrupted = ++runs == 9;
    return base::Result<LoadResult>(result);
  });
  EXPECT_TRUE(knee.interrupted);
  EXPECT_EQ(knee.points.size(), 8U);
  EXPECT_GT(knee.rate, 10'000);
}

TEST(SearchKnee, TellsOfEachRun) {
  std::vector<std::string> lines;
  const SearchGoal goal{.objectives = reports::parse_objectives("p90<5ms,errors<2%").value()};
  const auto knee = search_knee(
      from_1k(), goal,
      [](const loadgen::LoadOptions& one) { return base::Result<LoadResult>(lossy(20'000, one)); },
      [&](const std::string& line) { lines.push_back(line); });
  EXPECT_EQ(lines.size(), knee->points.size());
  EXPECT_THAT(lines.front(), testing::HasSubstr("search, bracket: 1,000 requests/s"));
  EXPECT_THAT(lines.front(), testing::HasSubstr("holds"));
}

}  // namespace
}  // namespace hallmark::cli
