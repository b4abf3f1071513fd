#include "cli/workload_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>

#include "cli/shipped_workloads.hpp"

namespace hallmark::cli {
namespace {

using loadgen::Error;
using nlohmann::json;

/// What is about a run, and not about what it asks of its target.
const std::set<std::string> not_of_a_workload{"workload", "json", "csv", "hlog",   "metrics",
                                              "help",     "live", "slo", "search", "versus"};

std::optional<std::string> text_of(const std::string& workload) {
  for (const auto& [name, text] : shipped) {
    if (name == workload) return std::string(text);
  }
  std::ifstream file(workload);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string value_text(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string allowed(const CLI::App& command) {
  std::string names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      if (!not_of_a_workload.contains(name)) names += (names.empty() ? "" : ", ") + name;
    }
  }
  return names;
}

loadgen::Result<void> apply(CLI::App& command, const std::string& source, const std::string& name,
                            const json& value) {
  CLI::Option* const option =
      not_of_a_workload.contains(name) ? nullptr : command.get_option_no_throw("--" + name);
  if (option == nullptr)
    return Error{fmt::format("{}: no option '{}'; allowed: {}", source, name, allowed(command))};
  if (option->count() != 0) return {};
  try {
    if (value.is_array()) {
      for (const json& one : value) option->add_result(value_text(one));
    } else if (!(value.is_boolean() && option->get_expected_min() == 0 && !value.get<bool>())) {
      option->add_result(value_text(value));
    }
    if (option->count() != 0) option->run_callback();
  } catch (const CLI::Error& error) {
    return Error{fmt::format("{}: {}: {}", source, name, error.what())};
  }
  return {};
}

}  // namespace

std::string shipped_workloads() {
  std::vector<std::string_view> names;
  for (const auto& one : shipped) names.push_back(one.first);
  return fmt::format("{}", fmt::join(names, ", "));
}

loadgen::Result<void> apply_workload(CLI::App& command, const std::string& workload) {
  const auto text = text_of(workload);
  if (!text)
    return Error{
        fmt::format("--workload {}: no such file, nor one of those that come with this: {}",
                    workload, shipped_workloads())};
  const json parsed = json::parse(*text, nullptr, false);
  if (!parsed.is_object())
    return Error{fmt::format(
        "{}: no JSON object; expected: options such as {{\"mix\": \"query=1\"}}", workload)};
  for (const auto& [name, value] : parsed.items()) {
    if (name == "description") continue;
    if (value.is_object() || value.is_null())
      return Error{fmt::format("{}: {}: {}; expected: text, a number, true or false", workload,
                               name, value.type_name())};
    if (const auto applied = apply(command, workload, name, value); !applied) return applied;
  }
  return {};
}

}  // namespace hallmark::cli
