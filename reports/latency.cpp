#include "reports/latency.hpp"

#include "base/quantity.hpp"

namespace hallmark::reports {

std::string text_of(const Quantile& quantile) {
  const std::chrono::nanoseconds time(static_cast<std::int64_t>(quantile.value));
  return (quantile.at_least ? ">= " : "") + base::human_duration(time);
}

}  // namespace hallmark::reports
