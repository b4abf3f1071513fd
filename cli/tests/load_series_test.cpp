#include "cli/load/load_series.hpp"

#include <gmock/gmock.h>

#include "base/endpoint.hpp"
#include "protocol/dialects.hpp"
#include "reports/slo.hpp"

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

reports::Knee searched(const std::string& text) {
  const loadgen::LoadOptions options = from_1k();
  const auto objectives = reports::parse_objectives(text).value();
  return search_knee(options, objectives, text,
                     [](const loadgen::LoadOptions& one) {
                       return base::Result<LoadResult>(lossy(20'000, one));
                     })
      .value();
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
  const loadgen::LoadOptions options = from_1k();
  const auto knee =
      search_knee(options, reports::parse_objectives("errors<50%").value(), "errors<50%",
                  [](const loadgen::LoadOptions& one) {
                    LoadResult result = lossy(1e9, one);
                    const std::uint64_t shed = result.counts.completed / 2;
                    result.counts.completed -= shed;
                    result.counts.shed = shed;
                    result.rate_achieved = static_cast<double>(result.counts.completed);
                    return base::Result<LoadResult>(result);
                  })
          .value();
  EXPECT_EQ(knee.rate, 0);
}

TEST(SearchKnee, ATargetThatFailsIsNotExcusedByABusyClient) {
  const loadgen::LoadOptions options = from_1k();
  const auto knee =
      search_knee(options, reports::parse_objectives("errors<0.5%").value(), "errors<0.5%",
                  [](const loadgen::LoadOptions& one) {
                    LoadResult result = lossy(1e9, one);
                    result.inconclusive = "the client was busy";
                    return base::Result<LoadResult>(result);
                  })
          .value();
  EXPECT_EQ(exit_code(knee), reports::ExitCode::failures);
  EXPECT_EQ(knee.points.size(), 1U);
}

}  // namespace
}  // namespace hallmark::cli
