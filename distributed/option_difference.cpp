#include "distributed/option_difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <vector>

namespace hallmark::distributed {
namespace {

constexpr std::array of_one_rank =
    std::to_array<std::string_view>({"--json", "--csv", "--hlog", "--html", "--live", "--verbose",
                                     "--quiet", "--metrics", "--metrics-linger", "--metrics-push"});

std::string_view name_of(std::string_view option) { return option.substr(0, option.find(' ')); }

/// Each option with its values, sorted.
std::vector<std::string> grouped(std::span<const std::string> arguments) {
  std::vector<std::string> options;
  for (const std::string& argument : arguments) {
    if (argument.starts_with("--") || options.empty()) {
      options.push_back(argument);
      if (const auto equals = argument.find('='); equals != std::string::npos)
        options.back()[equals] = ' ';
    } else {
      options.back() += " " + argument;
    }
  }
  std::erase_if(options, [](const std::string& option) {
    return std::ranges::find(of_one_rank, name_of(option)) != of_one_rank.end();
  });
  std::ranges::sort(options);
  return options;
}

std::vector<std::string> only_in(const std::vector<std::string>& a,
                                 const std::vector<std::string>& b) {
  std::vector<std::string> only;
  std::ranges::set_difference(a, b, std::back_inserter(only));
  return only;
}

}  // namespace

std::string option_difference(std::span<const std::string> options,
                              std::span<const std::string> expected) {
  const auto have = grouped(options);
  const auto want = grouped(expected);
  const auto extra = only_in(have, want);
  const auto missing = only_in(want, have);
  for (const std::string& option : extra) {
    const auto same = std::ranges::find(missing, name_of(option), name_of);
    if (same != missing.end()) return fmt::format("{} instead of {}", option, *same);
  }
  if (!extra.empty()) return fmt::format("{} in addition", extra.front());
  if (!missing.empty()) return fmt::format("no {}", missing.front());
  return {};
}

}  // namespace hallmark::distributed
