#pragma once
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace hallmark::cli {

/// Checks the address of a Pushgateway, http:// or https://. Error: one line.
base::Result<void> check_push_url(const std::string& url);

/// The place of a run's metrics on a gateway: `url`, and the grouping key behind it unless it
/// names one (/metrics/job/…) itself.
std::string push_url(const std::string& url, std::string_view run, std::string_view rank);

/// Replaces the metrics at `url`, of `push_url`. Error: one line; the gateway cannot be reached
/// within ten seconds, or refuses them.
base::Result<void> push_metrics(const std::string& url, std::string_view text);

}  // namespace hallmark::cli
