#include "reports/latency.hpp"

#include <fmt/format.h>

#include "base/quantity.hpp"

namespace hallmark::reports {

std::string text_of(const Quantile& quantile) {
  const std::chrono::nanoseconds time(static_cast<std::int64_t>(quantile.value));
  return (quantile.at_least ? ">= " : "") + base::human_duration(time);
}

std::string since_start(std::uint64_t ns) {
  return fmt::format("{:.6f} s", static_cast<double>(ns) / 1e9);
}

}  // namespace hallmark::reports
