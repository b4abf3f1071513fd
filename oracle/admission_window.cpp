#include "oracle/admission_window.hpp"

#include <cmath>

#include "base/nanoseconds.hpp"
#include "oracle/admission_bound.hpp"

namespace hallmark::oracle {
namespace {

double steady_per_ns(const protocol::ratelimit::Limit& limit) {
  return (limit.uses + 0.5) / (limit.period_seconds * base::ns_per_second);
}

}  // namespace

double most_admitted(const protocol::ratelimit::Limit& limit, std::int64_t window_ns) {
  return 1 + limit.uses + steady_per_ns(limit) * static_cast<double>(window_ns);
}

AdmissionWindow::AdmissionWindow(const protocol::ratelimit::Limit& limit,
                                 std::int64_t clock_resolution_ns)
    : limit_(limit),
      clock_resolution_ns_(clock_resolution_ns),
      steady_per_ns_(steady_per_ns(limit)) {}

// A use that was sent before the window began was perhaps decided before it, too: not counted.
std::optional<TooMany> AdmissionWindow::admitted(std::int64_t sent_ns, std::int64_t received_ns) {
  if (count_ != 0 && sent_ns < from_ns_) return std::nullopt;
  if (!surplus_at(sent_ns)) {
    from_ns_ = sent_ns;
    count_ = 0;
  }
  ++count_;
  const std::int64_t window_ns = received_ns - from_ns_ + 2 * clock_resolution_ns_;
  const double allowed = most_admitted(limit_, window_ns);
  if (static_cast<double>(count_) <= allowed) return std::nullopt;
  const TooMany found{from_ns_, received_ns, count_, static_cast<std::uint64_t>(allowed)};
  count_ = 0;
  return found;
}

bool AdmissionWindow::surplus_at(std::int64_t at_ns) const {
  return static_cast<double>(count_) > steady_per_ns_ * static_cast<double>(at_ns - from_ns_);
}

}  // namespace hallmark::oracle
