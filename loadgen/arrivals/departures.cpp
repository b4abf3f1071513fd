#include "loadgen/arrivals/departures.hpp"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "loadgen/arrivals/anderson_darling.hpp"

namespace hallmark::loadgen {
namespace {

/// The least standard deviation of the time over a span. Requests that are due within the error of
/// a timer leave together.
constexpr double spread_ns = 200'000;
constexpr std::uint64_t least_arrivals = 20;
constexpr std::uint64_t most_spans = 1024;
/// The least number of spans for a test. With fewer, even a process without any chance in it might
/// pass.
constexpr std::size_t least_spans = 20;
constexpr double refuted_below = 0.001;

std::uint64_t arrivals_in_span(const SchedulePlan& plan, double share) {
  if (plan.arrivals == Arrivals::replay) return least_arrivals;
  const double over = share * plan.rate.highest() * spread_ns / 1e9;
  return std::max(least_arrivals, static_cast<std::uint64_t>(std::ceil(over * over)));
}

std::uint64_t arrivals_in(const SchedulePlan& plan, double share) {
  if (plan.arrivals == Arrivals::replay) return plan.times->size();
  return static_cast<std::uint64_t>(share *
                                    plan.rate.requests_by(static_cast<double>(plan.duration_ns)));
}

}  // namespace

DepartureLog::DepartureLog(const SchedulePlan& plan, double share)
    : plan_(plan),
      share_(share),
      span_(arrivals_in_span(plan, share)),
      shift_(static_cast<unsigned>(
          std::bit_width(std::max(span_, arrivals_in(plan, share) / most_spans)))),
      mask_((std::uint64_t{1} << shift_) - 1),
      sent_ns_(2 * ((arrivals_in(plan, share) >> shift_) + 1), not_sent) {}

std::vector<double> DepartureLog::uniform() const {
  std::vector<double> uniform;
  if (plan_.arrivals != Arrivals::poisson) return uniform;
  for (std::size_t i = 0; i + 1 < sent_ns_.size(); i += 2) {
    if (sent_ns_[i] == not_sent || sent_ns_[i + 1] == not_sent) continue;
    const double from = plan_.rate.requests_by(static_cast<double>(sent_ns_[i]));
    const double to = plan_.rate.requests_by(static_cast<double>(sent_ns_[i + 1]));
    uniform.push_back(
        boost::math::gamma_p(static_cast<double>(span_), share_ * std::max(0.0, to - from)));
  }
  return uniform;
}

reports::ProcessTest test_of(std::span<const DepartureLog* const> logs) {
  reports::ProcessTest result;
  std::vector<double> uniform;
  for (const DepartureLog* log : logs) {
    const auto own = log->uniform();
    uniform.insert(uniform.end(), own.begin(), own.end());
    result.span = std::max(result.span, log->span());
  }
  result.spans = uniform.size();
  if (uniform.size() < least_spans) return result;
  const AndersonDarling found = anderson_darling(std::move(uniform));
  result.statistic = found.statistic;
  result.p_value = found.p_value;
  result.as_asked = found.p_value < refuted_below ? reports::Met::no : reports::Met::yes;
  return result;
}

}  // namespace hallmark::loadgen
