#include "cli/options/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace hallmark::cli {
namespace {

/// The number of typing errors between the two.
std::size_t errors_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row.back();
}

bool begins(std::string_view came, std::string_view name) {
  constexpr std::size_t fewest_letters = 3;
  return came.size() >= fewest_letters && name.starts_with(came);
}

}  // namespace

std::optional<std::string> nearest(std::string_view came, std::span<const std::string> names) {
  std::optional<std::string> found;
  std::size_t fewest = std::max<std::size_t>(1, came.size() / 3) + 1;
  for (const std::string& name : names) {
    const std::size_t errors = begins(came, name) ? 0 : errors_between(came, name);
    if (errors >= fewest) continue;
    fewest = errors;
    found = name;
  }
  return found;
}

std::string did_you_mean(std::string_view came, std::span<const std::string> names,
                         std::string_view otherwise) {
  const auto near = nearest(came, names);
  return near ? fmt::format("; did you mean {}?", *near) : std::string(otherwise);
}

}  // namespace hallmark::cli
