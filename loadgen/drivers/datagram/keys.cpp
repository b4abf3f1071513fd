#include "loadgen/drivers/datagram/keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace hallmark::loadgen::datagram {
namespace {

using base::Error;
using base::Result;

namespace ratelimit = protocol::ratelimit;

constexpr std::string_view place = "{}";
constexpr std::uint32_t most_keys = 10'000'000;
/// The oracle keeps about a kilobyte of each key that was used.
constexpr std::uint32_t most_watched_keys = 1'000'000;

// Even, so that digits are written in pairs.
std::size_t digits_for(std::uint32_t numbers) {
  std::size_t digits = 2;
  for (std::uint32_t rest = (numbers - 1) / 100; rest != 0; rest /= 100) digits += 2;
  return digits;
}

Result<KeyPattern> parse_pattern(std::string_view text) {
  const auto at = text.find(place);
  if (at == std::string_view::npos) return KeyPattern{std::string{text}, {}, false};
  const std::string_view after = text.substr(at + place.size());
  if (after.find(place) != std::string_view::npos) {
    return Error{fmt::format("key pattern '{}'; allowed: {{}} once", text)};
  }
  return KeyPattern{std::string{text.substr(0, at)}, std::string{after}, true};
}

/// A key pattern out of that of a rule: its first star varies, the others stand for nothing.
KeyPattern pattern_for(const ratelimit::Rule& rule) {
  KeyPattern made;
  for (const char c : rule.pattern_text) {
    if (c == '*' && !made.varies) {
      made.varies = true;
    } else if (c != '*') {
      (made.varies ? made.after : made.before) += c;
    }
  }
  return made;
}

}  // namespace

Keys::Keys(const KeyPlan& plan) : keys_(plan.keys), nonce_(plan.nonce) {}

Result<Keys> Keys::make(const KeyPlan& plan) {
  const std::uint32_t most = plan.rules ? most_watched_keys : most_keys;
  if (plan.keys == 0 || plan.keys > most) {
    return Error{fmt::format("keys: {}; allowed: 1 to {}", plan.keys, most)};
  }
  Keys keys{plan};
  if (const auto added = keys.add_patterns(plan); !added) return added.error();
  if (plan.rules) {
    if (const auto added = keys.add_groups(plan); !added) return added.error();
  }
  if (keys.of_worker_.empty()) keys.pickers_.emplace_back(plan.choice, keys.keys_, plan.seed);
  for (const auto& own : keys.of_worker_)
    keys.pickers_.emplace_back(plan.choice, static_cast<std::uint32_t>(own.size()), plan.seed);
  return keys;
}

// Without patterns: one for each rule that decides about the key made after it. A rule may be
// written in a way that this does not see through, or stand behind one that takes its keys.
Result<void> Keys::add_patterns(const KeyPlan& plan) {
  for (const std::string& text : plan.patterns) {
    auto pattern = parse_pattern(text);
    if (!pattern) return pattern.error();
    patterns_.push_back(std::move(*pattern));
  }
  if (patterns_.empty() && plan.rules) {
    for (const ratelimit::Rule& rule : plan.rules->rules()) {
      const KeyPattern made = pattern_for(rule);
      const std::string key = made.before + (made.varies ? nonce_ + "00" : "") + made.after;
      if (plan.rules->match(key).limit == &rule.limit) patterns_.push_back(made);
    }
    if (patterns_.empty()) {
      return Error{"rules: no key follows from their patterns; give some with --key-pattern"};
    }
  }
  if (patterns_.empty()) patterns_.push_back({plan.prefix, {}, true});
  const bool vary =
      std::any_of(patterns_.begin(), patterns_.end(), [](const auto& p) { return p.varies; });
  if (!vary) keys_ = std::min(keys_, static_cast<std::uint32_t>(patterns_.size()));
  digits_ = digits_for(number_of(keys_ - 1) + 1);
  for (std::size_t i = 0; i < std::min<std::size_t>(patterns_.size(), keys_); ++i) {
    const std::string text = text_of(static_cast<std::uint32_t>(i));
    if (text.size() > ratelimit::longest_key || text.find('\n') != std::string::npos) {
      return Error{fmt::format("key of {} bytes; allowed: at most {}, without a newline",
                               text.size(), ratelimit::longest_key)};
    }
  }
  return {};
}

Result<void> Keys::add_groups(const KeyPlan& plan) {
  std::unordered_map<std::string, std::uint32_t> known;
  for (std::uint32_t key = 0; key < keys_; ++key) {
    auto match = plan.rules->match(text_of(key));
    const auto next = static_cast<std::uint32_t>(groups_.size());
    const auto [found, is_new] = known.emplace(match.key, next);
    group_of_.push_back(found->second);
    if (!is_new) continue;
    const bool fresh = match.key.find(nonce_) != std::string::npos;
    groups_.push_back({std::move(match.key),
                       match.limit != nullptr ? *match.limit : ratelimit::Limit{},
                       match.limit != nullptr, fresh});
  }
  if (groups_.size() < plan.workers) {
    return Error{fmt::format("threads: {}; allowed: at most {}, as many as keys are counted apart",
                             plan.workers, groups_.size())};
  }
  of_worker_.resize(plan.workers);
  for (std::uint32_t key = 0; key < keys_; ++key) {
    of_worker_[group_of_[key] % plan.workers].push_back(key);
  }
  return {};
}

std::string Keys::text_of(std::uint32_t key) const {
  const KeyPattern& pattern = patterns_[pattern_of(key)];
  if (!pattern.varies) return pattern.before;
  return fmt::format("{}{}{:0{}}{}", pattern.before, nonce_, number_of(key), digits_,
                     pattern.after);
}

}  // namespace hallmark::loadgen::datagram
