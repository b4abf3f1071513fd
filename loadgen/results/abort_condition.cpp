#include "loadgen/results/abort_condition.hpp"

#include <fmt/format.h>

#include "loadgen/results/summary.hpp"

namespace hallmark::loadgen {
namespace {

using reports::Met;

bool is_told_each_second(const std::string& metric) {
  const bool of_send = metric.starts_with("service.") || metric.starts_with("lag.");
  return metric != "rate" && !of_send;
}

/// A second as if it were a run.
reports::LoadResult run_of(const reports::SecondSample& second) {
  reports::LoadResult run;
  run.counts = {.planned = second.completed + second.errors,
                .completed = second.completed,
                .failed = second.errors};
  if (second.length_s > 0)
    run.rate_achieved = static_cast<double>(second.completed) / second.length_s;
  if (const auto latency = latency_of(second)) run.corrected = latency_of(*latency);
  return run;
}

}  // namespace

base::Result<AbortCondition> AbortCondition::parse(std::string_view text) {
  auto conditions = reports::parse_objectives(text, "--abort-on");
  if (!conditions) return conditions.error();
  for (const reports::Objective& one : *conditions) {
    if (!is_told_each_second(one.metric))
      return base::Error{fmt::format(
          "--abort-on {}: {} is not known every second; expected errors, throughput, or a "
          "quantile from the planned send, such as errors>10%",
          text, one.metric)};
  }
  return AbortCondition(std::move(*conditions));
}

std::optional<std::string> AbortCondition::reached(const reports::SecondSample& second) const {
  const auto outcomes = reports::judge(conditions_, run_of(second));
  for (const reports::ObjectiveOutcome& one : outcomes) {
    if (one.met == Met::yes)
      return fmt::format("{} in second {}: {}", one.objective, second.second + 1, one.shown);
  }
  return std::nullopt;
}

}  // namespace hallmark::loadgen
