#include "loadgen/results/run_identity.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/random.hpp"

namespace hallmark::loadgen {
namespace {

using std::chrono::milliseconds;
using std::chrono::sys_time;

/// A line for each option, so that no two lists of options are the same text.
class OptionText {
 public:
  template <class Value>
  void add(std::string_view name, const Value& value) {
    fmt::format_to(std::back_inserter(text_), "{}={}\n", name, value);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void add_requests(const Workload& workload, OptionText& text) {
  text.add("dialect", workload.readings.dialect().name);
  text.add("width", name_of(workload.width));
  text.add("mix", workload.mix);
  text.add("keys", workload.keys);
  text.add("key-prefix", workload.key_prefix);
  text.add("key-choice", workload.key_choice.text());
  if (workload.named_keys) {
    text.add("named-keys", fmt::format("{}", fmt::join(workload.named_keys->names, "\n")));
    text.add("key-lines", fmt::format("{}", fmt::join(workload.named_keys->lines, ",")));
  }
  text.add("value-bytes", workload.value_sizes.text());
  text.add("subscribers", workload.subscribers);
  text.add("seed", workload.seed);
}

void add_times(const LoadOptions& options, OptionText& text) {
  text.add("closed", options.closed);
  text.add("depth", options.depth);
  text.add("arrivals", name_of(options.arrivals));
  text.add("rate", options.rate.text());
  if (options.times) text.add("replay", fmt::format("{}", fmt::join(*options.times, ",")));
  text.add("connections", options.connections);
  text.add("duration", options.duration.count());
  text.add("warmup", options.warmup.count());
  text.add("timeout", options.timeout.count());
  text.add("churn", options.churn.per_second);
  text.add("requests-per-connection", options.churn.requests);
}

std::string hash_of(std::string_view text) { return fmt::format("{:016x}", base::fnv1a(text)); }

}  // namespace

std::string options_hash(const LoadOptions& options) {
  OptionText text;
  add_requests(options.workload, text);
  add_times(options, text);
  return hash_of(text.text());
}

reports::RunIdentity identity_of(const LoadOptions& options, sys_time<milliseconds> started) {
  reports::RunIdentity identity;
  identity.options = options_hash(options);
  identity.begin = started;
  std::string unique = std::to_string(base::random_seed());
  if (options.share) {
    const auto start = std::chrono::time_point_cast<milliseconds>(options.share->start);
    identity.rank = options.share->number;
    identity.of = options.share->of;
    identity.begin = start + std::chrono::duration_cast<milliseconds>(options.warmup);
    unique = identity.options + options.target_text;
    started = start;
  }
  identity.run = options.run_id;
  if (identity.run.empty())
    identity.run = fmt::format("{:%Y%m%dT%H%M%S}-{}",
                               std::chrono::time_point_cast<std::chrono::seconds>(started),
                               hash_of(unique).substr(0, 8));
  return identity;
}

}  // namespace hallmark::loadgen
