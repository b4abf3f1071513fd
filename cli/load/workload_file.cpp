#include "cli/load/workload_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <vector>

#include "base/json_reader.hpp"
#include "base/read_file.hpp"
#include "base/text.hpp"
#include "cli/load/shipped_workloads.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/nearest.hpp"

namespace hallmark::cli {
namespace {

using base::Error;
using base::Json;
using base::JsonReader;

constexpr std::size_t most_file_bytes = 16 * base::mebibyte;

/// Options that are about a run, and not about the requests to its target.
const std::set<std::string> not_of_a_workload{
    "workload", "json", "html",     "csv",  "hlog", "metrics", "metrics-linger", "metrics-push",
    "run-id",   "help", "help-all", "live", "slo",  "search",  "versus"};

/// The text of a shipped workload, or of a file.
base::Result<std::string> text_of(const std::string& workload) {
  for (const auto& [name, text] : shipped) {
    if (name == workload) return std::string(text);
  }
  auto text = base::read_file(workload, most_file_bytes, "a workload");
  if (!text)
    return Error{fmt::format("--workload {}: {}, or one of those that come with this: {}", workload,
                             text.error().message, shipped_workloads())};
  return text;
}

std::string value_text(const JsonReader& reader) {
  const Json& value = reader.json();
  if (value.is_string()) return reader.printable_string();
  if (!value.is_number() && !value.is_boolean()) reader.refuse("a string, a number, true or false");
  return value.dump();
}

/// A flag that is false is not given at all.
std::vector<std::string> values_of(const JsonReader& reader, bool flag) {
  std::vector<std::string> values;
  if (reader.json().is_array()) {
    for (const JsonReader& one : reader.items()) values.push_back(value_text(one));
  } else if (!(flag && reader.json() == false)) {
    values.push_back(value_text(reader));
  }
  return values;
}

std::vector<std::string> allowed(const Command& command) {
  std::vector<std::string> names = command.long_names();
  std::erase_if(names, [](const auto& name) { return not_of_a_workload.contains(name); });
  return names;
}

void apply(Command& command, std::string_view name, const JsonReader& value) {
  Option* const option = not_of_a_workload.contains(std::string(name))
                             ? nullptr
                             : command.find_option(fmt::format("--{}", name));
  if (option == nullptr) {
    const std::string instead = did_you_mean(name, allowed(command), "; see hallmark load --help");
    value.complain("no such option" + instead);
  }
  const std::vector<std::string> values = values_of(value, option->is_flag());
  if (option->count() != 0) return;
  if (const auto refused = option->set(values)) value.complain(base::printable(*refused));
}

}  // namespace

std::vector<std::string> names_of_shipped_workloads() {
  std::vector<std::string> names;
  for (const auto& one : shipped) names.emplace_back(one.first);
  return names;
}

std::string shipped_workloads() {
  return fmt::format("{}", fmt::join(names_of_shipped_workloads(), ", "));
}

base::Result<void> apply_workload(Command& command, const std::string& workload) {
  const auto text = text_of(workload);
  if (!text) return text.error();
  const auto applied = base::read_json(*text, [&](const JsonReader& reader) {
    for (const auto& [name, value] : reader.members()) {
      if (name != "description") apply(command, name, value);
    }
    return true;
  });
  if (!applied) return Error{fmt::format("{}: {}", workload, applied.error().message)};
  return {};
}

}  // namespace hallmark::cli
