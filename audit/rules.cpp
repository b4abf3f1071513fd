#include "audit/rules.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::audit {
namespace {

using base::Error;
using base::Result;

constexpr std::string_view key_place = "{key}";
constexpr std::string_view quota_place = "{quota}";
constexpr std::size_t most_quotas = 8;

/// A name or a pattern as messages show it.
std::string shortened(std::string_view name) { return base::excerpt(name, 60); }

bool is_quota_name(const std::string& name) {
  return !name.empty() && name.find_first_of("|$") == name.npos;
}

Result<void> check_quota(const std::string& name) {
  if (is_quota_name(name)) return {};
  return Error{fmt::format("quota '{}'; expected a name that is not empty and has no | and no $",
                           shortened(name))};
}

Result<void> check_quotas(const std::vector<std::string>& names) {
  if (names.empty() || names.size() > most_quotas)
    return Error{fmt::format("{} quotas to merge; expected 1 to {}", names.size(), most_quotas)};
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (auto right = check_quota(*name); !right) return right;
    if (std::find(names.begin(), name, *name) != name)
      return Error{fmt::format("quota '{}' twice; expected different names", shortened(*name))};
  }
  return {};
}

bool has_once(std::string_view text, std::string_view part) {
  const std::size_t found = text.find(part);
  return found != text.npos && text.find(part, found + 1) == text.npos;
}

Result<void> check_strategy(const std::string& name) {
  const auto allowed = protocol::state::strategies(protocol::ratelimit_state);
  if (std::ranges::find(allowed, name) != allowed.end()) return {};
  return Error{
      fmt::format("strategy '{}'; allowed: {}", shortened(name), fmt::join(allowed, ", "))};
}

Result<void> check(const Configured& configured) {
  if (!configured.strategy.empty()) {
    if (auto known = check_strategy(configured.strategy); !known) return known;
  }
  if (configured.quota.empty()) return {};
  if (configured.strategy != "fixed-window")
    return Error{fmt::format("quota '{}' of '{}'; only a fixed-window has quotas",
                             shortened(configured.quota), shortened(configured.strategy))};
  return check_quota(configured.quota);
}

bool is_given(const Configured& configured) {
  return !configured.strategy.empty() || !configured.quota.empty();
}

Result<void> check(const Rule& rule) {
  if (rule.match.empty()) return Error{"match ''; expected a pattern such as *"};
  for (const Configured* const one : {&rule.whole, &rule.primary, &rule.secondary}) {
    if (auto right = check(*one); !right) return right;
  }
  if (rule.whole.strategy.empty()) return Error{"no strategy; expected one"};
  if (rule.whole.strategy != "composite" && (is_given(rule.primary) || is_given(rule.secondary)))
    return Error{fmt::format("primary or secondary of {}; only a composite has parts",
                             shortened(rule.whole.strategy))};
  if (rule.merge && rule.whole.strategy != "fixed-window")
    return Error{fmt::format("merge of {}; only a fixed-window had a key for each quota",
                             shortened(rule.whole.strategy))};
  return {};
}

}  // namespace

Result<MergePattern> MergePattern::parse(const std::string& pattern,
                                         std::vector<std::string> quotas) {
  const auto refused = [&](std::string_view why) {
    return Error{fmt::format("merge '{}'; expected a pattern such as {{key}}:{{quota}}, {}",
                             shortened(pattern), why)};
  };
  if (!has_once(pattern, key_place) || !has_once(pattern, quota_place))
    return refused("each of them once");
  MergePattern made;
  made.key_first_ = pattern.find(key_place) < pattern.find(quota_place);
  const std::string_view first = made.key_first_ ? key_place : quota_place;
  const std::string_view second = made.key_first_ ? quota_place : key_place;
  const std::size_t begin = pattern.find(first);
  const std::size_t next = pattern.find(second);
  made.before_ = pattern.substr(0, begin);
  made.between_ = pattern.substr(begin + first.size(), next - begin - first.size());
  made.after_ = pattern.substr(next + second.size());
  if (made.between_.empty()) return refused("with something between them");
  if (auto right = check_quotas(quotas); !right) return right.error();
  made.quotas_ = std::move(quotas);
  return made;
}

std::optional<MergePattern::Part> MergePattern::part_of(std::string_view key) const {
  if (!key.starts_with(before_) || !key.ends_with(after_)) return std::nullopt;
  if (key.size() < before_.size() + after_.size()) return std::nullopt;
  key = key.substr(before_.size(), key.size() - before_.size() - after_.size());
  for (const std::string& quota : quotas_) {
    const std::string place = key_first_ ? between_ + quota : quota + between_;
    if (key.size() <= place.size()) continue;
    if (key_first_ && key.ends_with(place))
      return Part{key.substr(0, key.size() - place.size()), quota};
    if (!key_first_ && key.starts_with(place)) return Part{key.substr(place.size()), quota};
  }
  return std::nullopt;
}

std::string MergePattern::key_of(std::string_view key, std::string_view quota) const {
  return fmt::format("{}{}{}{}{}", before_, key_first_ ? key : quota, between_,
                     key_first_ ? quota : key, after_);
}

model::MigrationHints Rule::hints() const {
  return {.taken = {whole.strategy, primary.strategy, secondary.strategy},
          .quota = whole.quota,
          .primary_quota = primary.quota,
          .secondary_quota = secondary.quota};
}

Result<Rules> Rules::make(std::vector<Rule> rules) {
  Rules made;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (auto right = check(rules[i]); !right)
      return Error{fmt::format("rule {}: {}", i + 1, right.error().message)};
    made.globs_.emplace_back(rules[i].match);
  }
  made.used_.resize(rules.size());
  made.rules_ = std::move(rules);
  return made;
}

Result<Rules> Rules::only(Rule rule) {
  if (auto right = check(rule); !right) return right.error();
  Rules made;
  made.globs_.emplace_back(rule.match);
  made.used_.resize(1);
  made.rules_.push_back(std::move(rule));
  return made;
}

const Rule* Rules::rule_for(std::string_view key) {
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    if (!globs_[i].matches(key)) continue;
    used_[i] = 1;
    return &rules_[i];
  }
  return nullptr;
}

std::vector<std::string> Rules::unused() const {
  std::vector<std::string> patterns;
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    if (used_[i] == 0) patterns.push_back(rules_[i].match);
  }
  return patterns;
}

}  // namespace hallmark::audit
