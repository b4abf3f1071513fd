#pragma once
#include <string>
#include <string_view>

#include "reports/load/load_spread.hpp"

namespace hallmark::reports {

/// A line below a table in which something is marked with `~`.
inline constexpr std::string_view client_mark_text =
    "~ the client sent or read so late that it could explain more than a tenth of this";

/// The value of a metric for people, with its marks: `>=` for a lower bound, `~` where the client
/// could explain more than a tenth of it.
inline std::string marked_metric(const std::string& metric, const Mean& value) {
  std::string text = value.at_least ? ">= " : "";
  if (value.by_client) text += '~';
  return text + metric_text(metric, value.value);
}

}  // namespace hallmark::reports
