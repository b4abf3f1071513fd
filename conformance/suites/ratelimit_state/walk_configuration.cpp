#include <fmt/format.h>

#include <algorithm>

#include "conformance/suites/ratelimit_state/walk.hpp"
#include "protocol/dialects.hpp"
#include "protocol/text/state.hpp"

namespace hallmark::conformance {
namespace {

using base::Json;

constexpr std::int64_t second = 1'000'000'000;
/// Divisors of 1e9: an interval of GCRA is whole nanoseconds.
constexpr std::int64_t rates[] = {1, 2, 4, 5, 8, 10, 20, 50, 100, 1000};
constexpr std::int64_t windows[] = {10'000'000, second, 60 * second, 3600 * second};
constexpr const char* quota_names[] = {"default", "hourly", "daily"};
constexpr std::uint64_t most_burst = 20;
constexpr std::string_view singles[] = {"token-bucket", "fixed-window", "leaky-bucket", "gcra"};

WalkConfiguration draw_rate(AdapterTrial& trial, std::string_view strategy) {
  const auto burst = static_cast<std::int64_t>(1 + trial.random(most_burst));
  const std::int64_t rate = rates[trial.random(std::size(rates))];
  WalkConfiguration drawn;
  drawn.leaks = strategy == "leaky-bucket";
  drawn.json = {{"strategy", strategy},
                {drawn.leaks ? "capacity" : "burst", std::to_string(burst)},
                {"rate", std::to_string(rate)}};
  drawn.quotas = {quota_names[0]};
  drawn.bounds = {{burst, rate}};
  drawn.interval = second / rate;
  drawn.rest = (burst + 1) * drawn.interval;
  return drawn;
}

WalkConfiguration draw_windows(AdapterTrial& trial) {
  WalkConfiguration drawn;
  Json quotas = Json::array();
  const std::size_t count = 1 + trial.random(std::size(quota_names));
  for (std::size_t i = 0; i < count; ++i) {
    const auto limit = static_cast<std::int64_t>(1 + trial.random(most_burst));
    const std::int64_t window = windows[trial.random(std::size(windows))];
    quotas.push_back({{"name", quota_names[i]},
                      {"limit", std::to_string(limit)},
                      {"window_ns", std::to_string(window)}});
    drawn.quotas.emplace_back(quota_names[i]);
    drawn.bounds.push_back({.burst = limit, .window = window});
    drawn.interval = std::max(drawn.interval, window / 4);
    drawn.rest = std::max(drawn.rest, window);
  }
  drawn.json = {{"strategy", "fixed-window"}, {"quotas", std::move(quotas)}};
  return drawn;
}

WalkConfiguration draw_single(AdapterTrial& trial, std::string_view strategy) {
  WalkConfiguration drawn =
      strategy == "fixed-window" ? draw_windows(trial) : draw_rate(trial, strategy);
  drawn.strategy = strategy;
  return drawn;
}

/// Draws a strategy from those that the adapter lists; if it lists none, the first.
std::string_view draw_part(AdapterTrial& trial) {
  std::vector<std::string_view> listed;
  for (const std::string_view name : singles) {
    if (trial.supports().decide.contains(std::string(name))) listed.push_back(name);
  }
  return listed.empty() ? singles[0] : listed[trial.random(listed.size())];
}

WalkConfiguration draw_composite(AdapterTrial& trial) {
  WalkConfiguration all = draw_single(trial, draw_part(trial));
  WalkConfiguration second_part = draw_single(trial, draw_part(trial));
  all.parts = {all.strategy, second_part.strategy};
  all.strategy = "composite";
  all.json = {{"strategy", "composite"},
              {"primary", std::move(all.json)},
              {"secondary", std::move(second_part.json)}};
  all.quotas.insert(all.quotas.end(), second_part.quotas.begin(), second_part.quotas.end());
  all.bounds.insert(all.bounds.end(), second_part.bounds.begin(), second_part.bounds.end());
  all.interval = std::max(all.interval, second_part.interval);
  all.rest = std::max(all.rest, second_part.rest);
  all.leaks = all.leaks || second_part.leaks;
  return all;
}

std::string current_format(std::string_view strategy) {
  return std::string(protocol::state::current_format(protocol::ratelimit_state, strategy)->name);
}

}  // namespace

std::int64_t AdmissionBound::most_in(std::int64_t span) const {
  // Windows do not overlap: but for the first and the last, each takes its whole length.
  if (window > 0) return burst * (span / window + 2);
  return burst + span / (second / per_second);
}

std::vector<std::string> WalkConfiguration::formats() const {
  std::vector<std::string> names = {current_format(strategy)};
  for (const std::string& part : parts) names.push_back(current_format(part));
  return names;
}

WalkConfiguration draw_configuration(AdapterTrial& trial, std::string_view strategy) {
  return strategy == "composite" ? draw_composite(trial) : draw_single(trial, strategy);
}

}  // namespace hallmark::conformance
