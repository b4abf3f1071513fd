#include "audit/json_state.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/json.hpp"

namespace hallmark::audit {
namespace {

/// Bounds what one value of a store can make us build.
constexpr std::size_t longest = 4096;

struct Members {
  std::string_view strategy;
  std::vector<std::string_view> names;
};

/// `last_refill` and `LastRefill` are one name.
std::string plain(std::string name) {
  std::erase(name, '_');
  std::ranges::transform(name, name.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return name;
}

bool has_all(const std::vector<std::string>& names, const Members& members) {
  return std::ranges::all_of(members.names, [&](std::string_view name) {
    return std::ranges::find(names, name) != names.end();
  });
}

}  // namespace

std::string_view strategy_of_json(std::string_view text) {
  static const Members strategies[] = {{"token-bucket", {"tokens", "lastrefill"}},
                                       {"fixed-window", {"count", "start"}},
                                       {"leaky-bucket", {"requests", "lastleak"}},
                                       {"gcra", {"tat"}}};
  if (!text.starts_with('{') || text.size() > longest) return {};
  const auto json = base::parse_json(text);
  if (!json || !json->is_object()) return {};
  std::vector<std::string> names;
  for (const auto& [name, value] : json->members()) names.push_back(plain(name));
  for (const Members& members : strategies) {
    if (has_all(names, members)) return members.strategy;
  }
  return {};
}

}  // namespace hallmark::audit
