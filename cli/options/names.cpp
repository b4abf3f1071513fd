#include "cli/options/names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

#include "protocol/dialects.hpp"

namespace hallmark::cli {
namespace {

using base::Error;
using base::Result;

template <class Range, class Name>
Error unknown(std::string_view what, std::string_view came, const Range& allowed, Name name) {
  std::vector<std::string> names;
  for (const auto& one : allowed) names.emplace_back(name(one));
  return {fmt::format("unknown {} '{}'; allowed: {}", what, came, fmt::join(names, ", "))};
}

/// Letters to insert, remove or replace to make one out of the other (Levenshtein 1966), where a
/// letter that `name` has in excess costs a tenth: people leave parts out more than they mistype.
std::size_t tenths_apart(std::string_view came, std::string_view name) {
  std::vector<std::size_t> row(name.size() + 1);
  for (std::size_t j = 0; j <= name.size(); ++j) row[j] = j;
  for (const char c : came) {
    std::size_t diagonal = row[0];
    row[0] += 10;
    for (std::size_t j = 1; j <= name.size(); ++j) {
      const std::size_t replaced = diagonal + (c == name[j - 1] ? 0 : 10);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 10, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

Result<const protocol::Dialect*> dialect_named(std::string_view name) {
  for (const auto* dialect : protocol::all_dialects) {
    if (dialect->name == name) return dialect;
  }
  return unknown("dialect", name, protocol::all_dialects,
                 [](const auto* dialect) { return dialect->name; });
}

Result<protocol::Width> width_named(const protocol::Dialect& dialect, std::string_view name) {
  for (const auto width : dialect.widths) {
    if (protocol::name_of(width) == name) return width;
  }
  return unknown("width", name, dialect.widths,
                 [](protocol::Width width) { return protocol::name_of(width); });
}

Result<protocol::Profile> profile_named(std::string_view name) {
  constexpr protocol::Profile profiles[] = {protocol::Profile::deployed,
                                            protocol::Profile::literal};
  for (const auto profile : profiles) {
    if (protocol::name_of(profile) == name) return profile;
  }
  return unknown("profile", name, profiles,
                 [](protocol::Profile profile) { return protocol::name_of(profile); });
}

Result<const protocol::Operation*> operation_named(const protocol::Dialect& dialect,
                                                   std::string_view name) {
  if (const auto* found = protocol::find_operation_called(dialect, name)) return found;
  return unknown("operation", name, dialect.operations,
                 [](const protocol::Operation& operation) { return operation.name; });
}

std::vector<std::string> near_matches(std::string_view came, std::span<const std::string> names,
                                      std::size_t most) {
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const auto& name : names) {
    const std::size_t apart = tenths_apart(came, name);
    if (apart < 10 * std::max<std::size_t>(came.size() / 2, 1)) ranked.emplace_back(apart, name);
  }
  std::ranges::sort(ranked);
  std::vector<std::string> best;
  for (const auto& [apart, name] : ranked) {
    if (best.size() == most) break;
    best.push_back(name);
  }
  return best;
}

}  // namespace hallmark::cli
