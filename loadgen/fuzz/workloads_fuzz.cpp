// Feeds arbitrary text to the readers of what a load run is told: how keys are chosen, sizes of
// values, mixes, rates over time, conditions that end a run, lists of times to replay and of keys.
// A value that is accepted is printed as text that reads back as the same, and lies within its
// bounds; a refusal is one line.
#include "base/fuzz/requirement.hpp"
#include "loadgen/arrivals/arrival_times.hpp"
#include "loadgen/arrivals/rate_profile.hpp"
#include "loadgen/results/abort_condition.hpp"
#include "loadgen/workload/key_choice.hpp"
#include "loadgen/workload/value_sizes.hpp"
#include "loadgen/workload/workload.hpp"

namespace hallmark::loadgen {
namespace {

using fuzz::require;
using fuzz::require_line_about;

void read_key_choice(std::string_view text) {
  const auto choice = KeyChoice::parse(text);
  if (!choice) return require_line_about(text, choice.error().message);
  const auto again = KeyChoice::parse(choice->text());
  require(again && again->kind == choice->kind && again->exponent == choice->exponent &&
              again->hot_keys == choice->hot_keys && again->hot_requests == choice->hot_requests,
          "a choice of keys reads back as the same", choice->text());
  constexpr std::uint32_t keys = 1000;
  const KeyPicker picker(*choice, keys, 1);
  for (std::uint64_t i = 0; i < 16; ++i) require(picker.pick(i) < keys, "a key is there", text);
}

void read_value_sizes(std::string_view text) {
  const auto sizes = ValueSizes::parse(text);
  if (!sizes) return require_line_about(text, sizes.error().message);
  const auto again = ValueSizes::parse(sizes->text());
  require(again && again->classes() == sizes->classes(), "sizes read back", sizes->text());
  require(sizes->classes() >= 1 && sizes->classes() <= ValueSizes::most_classes,
          "sizes are few classes", text);
  for (std::size_t i = 0; i < sizes->classes(); ++i) {
    require(sizes->bytes_of(i) <= ValueSizes::most_bytes, "a size is bounded", text);
    require(again->bytes_of(i) == sizes->bytes_of(i), "sizes read back as the same", text);
  }
  require(sizes->class_of(7, 1) < sizes->classes(), "a key has a size", text);
}

void read_mix(std::string_view text) {
  constexpr std::string_view allowed[] = {"query", "insert", "update"};
  const auto mix = parse_mix(text, allowed);
  if (!mix) return require_line_about(text, mix.error().message);
  std::string printed;
  for (const MixPart& part : *mix)
    printed += (printed.empty() ? "" : ",") + part.operation + "=" + std::to_string(part.weight);
  const auto again = parse_mix(printed, allowed);
  const auto same = [](const MixPart& a, const MixPart& b) {
    return a.operation == b.operation && a.weight == b.weight;
  };
  require(again && std::ranges::equal(*again, *mix, same), "a mix reads back as the same", text);
}

void read_rate(std::string_view text) {
  constexpr std::chrono::seconds run(10);
  const auto rate = RateProfile::parse(text, run);
  if (!rate) return require_line_about(text, rate.error().message);
  const std::string printed = rate->text();
  const auto again = RateProfile::parse(printed, run);
  require(again.has_value(), again ? "" : again.error().message, printed);
  require(again->text() == printed, "a rate reads back as the same", printed);
  require(rate->highest() > 0 && rate->highest() <= RateProfile::most_rate, "a rate is bounded",
          text);
  const double due = rate->time_of(1);
  require(due >= 0, "a request is due after the start", text);
}

void read_condition(std::string_view text) {
  const auto condition = AbortCondition::parse(text);
  if (!condition) require_line_about(text, condition.error().message);
}

void read_files(std::string_view text) {
  static fuzz::MemoryFile file;
  file.hold(text);
  if (const auto times = read_arrival_times(file.path())) {
    require(!times->empty() && times->front() == 0, "times count from the first", text);
    require(std::ranges::is_sorted(*times), "times ascend", text);
  } else {
    fuzz::require_line(times.error().message);
  }
  const auto keys = read_named_keys(file.path());
  if (!keys) return fuzz::require_line(keys.error().message);
  require(!keys->names.empty() && keys->lines.size() >= keys->names.size(), "keys have lines",
          text);
  for (const std::uint32_t line : keys->lines)
    require(line < keys->names.size(), "a line names a key", text);
}

}  // namespace
}  // namespace hallmark::loadgen

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = hallmark::fuzz::Input(data, size).text();
  using namespace hallmark::loadgen;
  read_key_choice(text);
  read_value_sizes(text);
  read_mix(text);
  read_rate(text);
  read_condition(text);
  read_files(text);
  return 0;
}
