#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reference/model/states/strategy.hpp"

namespace hallmark::model {
namespace {

using base::Error;
using base::Result;

constexpr std::size_t most_quotas = 8;
constexpr double most_gcra_rate = 1e9;

Result<void> positive(std::string_view what, double value, double least) {
  const bool right = std::isfinite(value) && value >= least && value > 0;
  if (right) return {};
  return Error{fmt::format("{} {}; expected a finite number {}", what, value,
                           least > 0 ? fmt::format("of at least {}", least) : "above 0")};
}

class Validity {
 public:
  Result<void> operator()(const TokenBucket& bucket) const {
    if (auto wrong = positive("burst", bucket.burst, 1); !wrong) return wrong;
    return positive("rate", bucket.rate, 0);
  }
  Result<void> operator()(const LeakyBucket& bucket) const {
    if (auto wrong = positive("capacity", bucket.capacity, 1); !wrong) return wrong;
    return positive("rate", bucket.rate, 0);
  }
  Result<void> operator()(const Gcra& gcra) const {
    if (auto wrong = positive("burst", gcra.burst, 1); !wrong) return wrong;
    if (auto wrong = positive("rate", gcra.rate, 0); !wrong) return wrong;
    if (gcra.rate <= most_gcra_rate) return {};
    return Error{
        fmt::format("rate {}; expected at most 1e9: an interval is a whole nanosecond", gcra.rate)};
  }
  Result<void> operator()(const FixedWindow& fixed) const {
    if (fixed.quotas.empty() || fixed.quotas.size() > most_quotas)
      return Error{fmt::format("{} quotas; expected 1 to {}", fixed.quotas.size(), most_quotas)};
    for (auto quota = fixed.quotas.begin(); quota != fixed.quotas.end(); ++quota) {
      if (auto wrong = one(*quota); !wrong) return wrong;
      if (std::any_of(fixed.quotas.begin(), quota,
                      [&](const Quota& other) { return other.name == quota->name; }))
        return Error{
            fmt::format("two quotas are called {}; expected different names", quota->name)};
    }
    return {};
  }
  Result<void> operator()(const Composite& composite) const {
    if (auto wrong = part("primary", composite.primary); !wrong) return wrong;
    return part("secondary", composite.secondary);
  }

 private:
  static Result<void> one(const Quota& quota) {
    if (quota.name.empty() || quota.name.find_first_of("|$") != std::string::npos) {
      return Error{fmt::format(
          "quota '{}'; expected a name that is not empty and has no | and no $", quota.name)};
    }
    if (quota.limit < 0)
      return Error{fmt::format("limit {} of {}; expected 0 or more", quota.limit, quota.name)};
    if (quota.window <= 0)
      return Error{
          fmt::format("window {} ns of {}; expected more than 0", quota.window, quota.name)};
    return {};
  }

  Result<void> part(std::string_view which, const SingleStrategy& strategy) const {
    auto right = std::visit(*this, strategy);
    if (right) return right;
    return Error{fmt::format("{}: {}", which, right.error().message)};
  }
};

}  // namespace

std::string_view name_of(const Strategy& strategy) {
  constexpr std::string_view names[] = {"token-bucket", "fixed-window", "leaky-bucket", "gcra",
                                        "composite"};
  return names[strategy.index()];
}

std::string_view name_of(const SingleStrategy& strategy) {
  return std::visit([](const auto& one) { return name_of(Strategy(one)); }, strategy);
}

base::Result<void> valid(const Strategy& strategy) {
  return std::visit([](const auto& one) { return Validity()(one); }, strategy);
}

}  // namespace hallmark::model
