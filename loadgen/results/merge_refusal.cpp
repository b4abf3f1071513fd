#include "loadgen/results/merge_refusal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/utc.hpp"
#include "loadgen/results/merge_series.hpp"

namespace hallmark::loadgen {
namespace {

using reports::LoadResult;
using reports::RunIdentity;

/// One of the results, with its name.
struct NamedResult {
  const LoadResult& result;
  const std::string& name;
};

/// Empty: these two belong together.
using Refusal = std::string;

std::string kind_of(const LoadResult& run) {
  return fmt::format("{} {} {} loop, depth {}{}", run.header.dialect, run.header.width,
                     name_of(run.loop), run.depth, run.store ? ", on a store" : "");
}

std::string objectives_of(const LoadResult& run) {
  std::string text;
  for (const auto& one : run.objectives) text += (text.empty() ? "" : ",") + one.objective;
  return text.empty() ? "none" : text;
}

/// The options that shares may have different values of. Threads, and whether they are pinned,
/// depend on the machine.
bool may_differ(const std::string& option) {
  return option == "share" || option == "threads" || option == "pin";
}

/// The first option that has another value; where the results do not list it, the hashes.
std::string different_options(const LoadResult& a, const LoadResult& b) {
  const auto value = [](const LoadResult& run, const std::string& name) {
    const auto found = std::ranges::find(run.header.options, name, &reports::Option::name);
    return found == run.header.options.end() ? "none" : found->value;
  };
  std::set<std::string> names;
  for (const LoadResult* run : {&a, &b})
    for (const auto& option : run->header.options) names.insert(option.name);
  for (const std::string& name : names) {
    if (!may_differ(name) && value(a, name) != value(b, name))
      return fmt::format("{} is {} and {}", name, value(a, name), value(b, name));
  }
  if (a.rate_asked != b.rate_asked && a.rate_asked && b.rate_asked)
    return fmt::format("the rates are {:g} and {:g}", *a.rate_asked, *b.rate_asked);
  return fmt::format("their hashes are {} and {}", a.run->options, b.run->options);
}

std::string interval_of(const LoadResult& run) {
  const auto begin = begin_of(run);
  return fmt::format("{} to {}", base::iso_utc(begin),
                     base::iso_utc(std::chrono::time_point_cast<std::chrono::milliseconds>(
                         begin + run.header.duration)));
}

bool overlap(const LoadResult& a, const LoadResult& b) {
  return begin_of(a) < begin_of(b) + b.header.duration &&
         begin_of(b) < begin_of(a) + a.header.duration;
}

Refusal shares_refused(const NamedResult& a, const NamedResult& b) {
  const RunIdentity& first = *a.result.run;
  const RunIdentity& second = *b.result.run;
  if (!overlap(a.result, b.result))
    return fmt::format("do not overlap in time ({} and {}); shares of one run do",
                       interval_of(a.result), interval_of(b.result));
  if (first.run != second.run)
    return fmt::format("are shares of two runs: {} and {}", first.run, second.run);
  if (first.of != second.of) return fmt::format("are shares of {} and of {}", first.of, second.of);
  if (first.rank == second.rank)
    return fmt::format("are the same share, {}/{}", first.rank + 1, first.of);
  return {};
}

Refusal identities_refused(const NamedResult& a, const NamedResult& b) {
  const RunIdentity& first = *a.result.run;
  const RunIdentity& second = *b.result.run;
  if (first.options != second.options)
    return "have other options: " + different_options(a.result, b.result);
  if (first.is_share() != second.is_share())
    return fmt::format("are a {} and a {}", first.is_share() ? "share" : "whole run",
                       second.is_share() ? "share" : "whole run");
  if (first.is_share()) return shares_refused(a, b);
  if (first.run == second.run) return fmt::format("are the same run, {}", first.run);
  return {};
}

Refusal refused(const NamedResult& a, const NamedResult& b) {
  if (kind_of(a.result) != kind_of(b.result))
    return fmt::format("are of different kinds: {} and {}", kind_of(a.result), kind_of(b.result));
  if (a.result.header.target != b.result.header.target)
    return fmt::format("are of two targets: {} and {}", a.result.header.target,
                       b.result.header.target);
  if (objectives_of(a.result) != objectives_of(b.result))
    return fmt::format("have other objectives: {} and {}", objectives_of(a.result),
                       objectives_of(b.result));
  // Results that were written before runs had an identity have none.
  return a.result.run && b.result.run ? identities_refused(a, b) : Refusal();
}

}  // namespace

std::optional<base::Error> merge_refusal(std::span<const LoadResult> runs,
                                         std::span<const std::string> names) {
  for (std::size_t i = 1; i < runs.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Refusal refusal = refused({runs[j], names[j]}, {runs[i], names[i]});
      if (!refusal.empty())
        return base::Error{fmt::format("{} and {} {}", names[j], names[i], refusal)};
    }
  }
  return std::nullopt;
}

}  // namespace hallmark::loadgen
