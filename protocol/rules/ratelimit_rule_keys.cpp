#include "protocol/rules/ratelimit_rule_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "protocol/annotate.hpp"
#include "protocol/rules/ratelimit_star_places.hpp"

namespace hallmark::protocol::ratelimit {
namespace {

/// Rules before it may take some keys of a rule, and not others.
constexpr std::uint64_t most_tries = 256;
/// The bits of a number that two runs hardly ever both choose.
constexpr unsigned bits_of_nobody = 24;
/// The run that stands for all others when templates are chosen.
constexpr std::uint64_t sample_run = 0x9e3779b97f4a7c15;
constexpr std::string_view plain_letters = "abcdefghijklmnopqrstuvwxyz0123456789";

/// Letters that neither the pattern nor those of the rules before it hold.
std::string letters_besides(const Rules& rules, const Rule& rule) {
  std::string taken;
  for (const Rule& one : rules.rules()) {
    for (std::size_t i = 0; i <= one.pattern.stars(); ++i) taken += one.pattern.between(i);
    if (&one == &rule) break;
  }
  std::string left;
  std::ranges::copy_if(plain_letters, std::back_inserter(left),
                       [&](char letter) { return taken.find(letter) == std::string::npos; });
  return left.size() < 2 ? std::string(plain_letters) : left;
}

/// The same with text of those letters.
std::vector<KeyPlace> spelled(std::vector<KeyPlace> places, const std::string& alphabet) {
  for (KeyPlace& place : places) {
    if (place.kind == KeyPlace::Kind::text) place.alphabet = alphabet;
  }
  return places;
}

std::string in_print(std::string_view key) { return printable(base::as_bytes(key)); }

bool is_counted(const Rule& rule, std::size_t star) {
  return !rule.rewrites || rule.rewrite.uses(star);
}

/// The same with text in one place that is counted, and none in the others: short keys.
std::vector<KeyPlace> in_one_place(std::vector<KeyPlace> places, const Rule& rule) {
  bool kept = false;
  for (std::size_t i = places.size(); i-- > 0;) {
    if (places[i].kind != KeyPlace::Kind::text) continue;
    if (kept || !is_counted(rule, i)) places[i] = {.kind = KeyPlace::Kind::nothing};
    kept = kept || is_counted(rule, i);
  }
  return places;
}

}  // namespace

RuleKeys::RuleKeys(const Rules& rules, const Rule& rule, const KeyTemplate* given)
    : rules_(&rules), rule_(&rule) {
  choose(given);
  if (!any_) why_ = why_none();
}

std::optional<std::string> RuleKeys::key(std::uint64_t run, std::uint64_t& next) const {
  for (std::uint64_t i = 0; i < most_tries; ++i) {
    std::string key = text_.key({run, next++});
    if (key.size() <= longest_key && rules_->match(key).limit == &rule_->limit) return key;
  }
  return std::nullopt;
}

/// Takes the template if its keys reach the rule, unless one was taken whose keys are as good. True
/// if its keys are counted apart.
bool RuleKeys::take(KeyTemplate text) {
  std::swap(text_, text);
  std::uint64_t next = 0;
  const auto first = key(sample_run, next);
  const auto second = key(sample_run, next);
  several_ = first && second && counted_under(*first) != counted_under(*second);
  if (any_ && !several_) text_ = std::move(text);
  any_ = any_ || (first && second);
  return several_;
}

void RuleKeys::choose(const KeyTemplate* given) {
  if (given != nullptr) {
    take(*given);
    return judge_users(true, false);
  }
  const StarPlaces found = star_places(rule_->pattern);
  const auto takes = [&](const std::vector<KeyPlace>& places) {
    return take(KeyTemplate::of(rule_->pattern, places));
  };
  const auto takes_otherwise = [&] {
    const auto places = spelled(found.places, letters_besides(*rules_, *rule_));
    return takes(places) || takes(in_one_place(places, *rule_));
  };
  if (!takes(found.places)) takes_otherwise();
  judge_users(false, found.in_network);
}

void RuleKeys::judge_users(bool given, bool in_network) {
  if (!any_) return;
  why_ = why_shared(given, in_network);
  if (!why_.empty()) return;
  unsigned bits = 0;
  for (std::size_t i = 0; i < text_.places().size(); ++i) {
    if (given || is_counted(*rule_, i)) bits += text_.places()[i].bits();
  }
  users_ = bits >= bits_of_nobody ? Users::nobody : Users::runs;
}

std::string RuleKeys::why_shared(bool given, bool in_network) const {
  if (several_) return in_network ? "its addresses may be those of real users" : "";
  std::uint64_t next = 0;
  const std::string one = *key(sample_run, next);
  if (given && text_.places().empty())
    return fmt::format("--key-pattern names one key, {}", in_print(one));
  if (rule_->rewrites)
    return fmt::format("its uses are counted under {}, which real users share",
                       in_print(counted_under(one)));
  return fmt::format("it has {}, which real users share",
                     rule_->pattern.literal() ? "one key" : "few keys");
}

std::string RuleKeys::why_none() const {
  const std::string key = text_.key({sample_run, 0});
  if (key.size() > longest_key)
    return fmt::format("its keys are too long: {} bytes, where a request has room for {}",
                       key.size(), longest_key);
  const auto before = std::ranges::find_if(
      rules_->rules(), [&](const Rule& one) { return one.pattern.matches(key); });
  if (before == rules_->rules().end()) return "no key was found that its pattern matches";
  return fmt::format("line {} takes the keys that were made for it, such as {}", before->line,
                     in_print(key));
}

std::optional<std::string> unruled_key(const Rules& rules, std::uint64_t run, std::uint64_t& next) {
  Pattern anything;
  anything.add_star();
  const std::string letters = letters_besides(rules, rules.rules().back());
  for (const std::string& alphabet : {std::string(), letters}) {
    std::string key = KeyTemplate::of(anything, {{.alphabet = alphabet}}).key({run, next++});
    if (rules.match(key).limit == nullptr) return key;
  }
  return std::nullopt;
}

base::Result<const Rule*> rule_of(const Rules& rules, const KeyTemplate& text,
                                  std::string_view as_typed) {
  const Rule* found = nullptr;
  for (const std::uint64_t number : {0U, 1U, 1000U}) {
    const std::string key = text.key({sample_run, number});
    const Limit* const limit = rules.match(key).limit;
    const auto rule =
        std::ranges::find_if(rules.rules(), [&](const Rule& one) { return &one.limit == limit; });
    if (rule == rules.rules().end() || key.size() > longest_key) {
      return base::Error{
          fmt::format("key pattern '{}' makes keys such as {}, which no rule is "
                      "for; expected keys of one rule",
                      as_typed, in_print(key))};
    }
    if (found != nullptr && found != &*rule) {
      return base::Error{
          fmt::format("key pattern '{}' makes keys of lines {} and {}; expected keys of one rule",
                      as_typed, found->line, rule->line)};
    }
    found = &*rule;
  }
  return found;
}

}  // namespace hallmark::protocol::ratelimit
