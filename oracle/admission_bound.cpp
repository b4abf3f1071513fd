#include "oracle/admission_bound.hpp"

#include <cmath>

#include "base/nanoseconds.hpp"

namespace hallmark::oracle {
namespace {

/// Limiters count in doubles: what they gain by rounding is far below such a part of an admission,
/// or of all that a window admits.
constexpr double rounding = 1e-6;
constexpr double rounding_of_all = 1e-9;

double gained(const RateBound& bound, std::int64_t ns) {
  return bound.per_second * static_cast<double>(ns) / base::ns_per_second;
}

}  // namespace

std::optional<Exceeded> BoundWatch::admitted(const Bound& bound, std::int64_t at_ns) {
  return std::visit([&](const auto& rule) { return within(rule, at_ns); }, bound.rule);
}

// While a window has admitted more than the steady rate gains, a later beginning cannot exceed the
// bound any further. Once it has not, the window begins anew.
std::optional<Exceeded> BoundWatch::within(const RateBound& bound, std::int64_t at_ns) {
  if (static_cast<double>(count_) <= gained(bound, at_ns - from_ns_)) {
    from_ns_ = at_ns;
    count_ = 0;
  }
  ++count_;
  const double allowed = bound.burst + gained(bound, at_ns - from_ns_);
  if (static_cast<double>(count_) <= allowed * (1 + rounding_of_all) + rounding)
    return std::nullopt;
  const Exceeded found{0, from_ns_, at_ns, count_, static_cast<std::uint64_t>(std::floor(allowed))};
  count_ = 0;
  return found;
}

std::optional<Exceeded> BoundWatch::within(const WindowBound& bound, std::int64_t at_ns) {
  if (count_ == 0 || at_ns - from_ns_ >= bound.window_ns) {
    from_ns_ = at_ns;
    count_ = 0;
  }
  ++count_;
  if (bound.limit >= 0 && count_ <= static_cast<std::uint64_t>(bound.limit)) return std::nullopt;
  return Exceeded{0, from_ns_, at_ns, count_, static_cast<std::uint64_t>(bound.limit)};
}

std::optional<Exceeded> AdmissionBounds::admitted(std::size_t key, std::int64_t at_ns) {
  std::optional<Exceeded> first;
  for (std::size_t i = 0; i < bounds_.size(); ++i) {
    auto found = watches_[key * bounds_.size() + i].admitted(bounds_[i], at_ns);
    if (!found || first) continue;
    found->bound = i;
    first = found;
  }
  return first;
}

}  // namespace hallmark::oracle
