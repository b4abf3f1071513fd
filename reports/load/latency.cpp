#include "reports/load/latency.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/quantity.hpp"

namespace hallmark::reports {

std::string text_of(const Quantile& quantile) {
  const std::chrono::nanoseconds time(static_cast<std::int64_t>(quantile.value));
  const std::string_view bound = quantile.at_least ? ">= " : "";
  const std::string_view mark = quantile.by_client ? "~" : "";
  return std::string(bound).append(mark) + base::human_duration(time);
}

namespace {

constexpr Quantile Quantiles::*all_quantiles[] = {&Quantiles::p50,   &Quantiles::p90,
                                                  &Quantiles::p99,   &Quantiles::p999,
                                                  &Quantiles::p9999, &Quantiles::max};

}  // namespace

void keep_marks(Quantiles& merged, const Quantiles& one) {
  for (const auto quantile : all_quantiles) keep_mark(merged.*quantile, one.*quantile);
  keep_mark(merged.mean, one.mean);
}

bool any_client_part(const Quantiles& quantiles) {
  return quantiles.mean.client_part > 0 ||
         std::ranges::any_of(all_quantiles, [&](const auto quantile) {
           return (quantiles.*quantile).client_part != 0;
         });
}

bool any_by_client(const Quantiles& quantiles) {
  return quantiles.mean.by_client || std::ranges::any_of(all_quantiles, [&](const auto quantile) {
           return (quantiles.*quantile).by_client;
         });
}

std::string since_start(std::uint64_t ns) {
  return fmt::format("{:.6f} s", static_cast<double>(ns) / 1e9);
}

}  // namespace hallmark::reports
