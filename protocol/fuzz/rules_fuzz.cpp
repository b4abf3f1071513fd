// Feeds arbitrary text to the reader of ratelimit-udp's rules. What is accepted is printed as rules
// that read back as the same; for any key, the rule that decides is the first one that matches. A
// refusal is one line, about a place within the text. Keys of a template differ.
//
// The rules end at the first zero, the rest is a key, and a template of keys.
#include "protocol/rules/ratelimit_rules.hpp"

#include <algorithm>

#include "base/fuzz/requirement.hpp"
#include "protocol/rules/ratelimit_key_template.hpp"

namespace hallmark::protocol::ratelimit {
namespace {

using fuzz::require;

void require_place(std::string_view text, const RulesError& error) {
  fuzz::require_line(error.reason);
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
  require(error.line >= 1 && error.line <= lines, "an error is in a line", error.reason);
  require(error.column >= 1 && error.column <= text.size() + 1, "an error is in a column",
          error.reason);
}

bool same(const Rule& a, const Rule& b) {
  return a.limit == b.limit && a.pattern == b.pattern && a.rewrites == b.rewrites &&
         a.rewrite == b.rewrite;
}

void require_same_again(const Rules& rules) {
  std::string printed;
  for (const Rule& rule : rules.rules()) printed += to_string(rule) + "\n";
  const auto again = Rules::parse(printed);
  require(again.has_value(), "rules read back", printed);
  require(std::ranges::equal(rules.rules(), again->rules(), same), "rules read back as the same",
          printed);
}

void match(const Rules& rules, std::string_view key) {
  const auto all = rules.rules();
  const auto first =
      std::ranges::find_if(all, [&](const Rule& rule) { return rule.pattern.matches(key); });
  const Rules::Match found = rules.match(key);
  require(found.limit == (first == all.end() ? nullptr : &first->limit),
          "the first rule that matches decides", key);
  Rules::Room room;
  const Rules::MatchView view = rules.match(key, room);
  require(view.limit == found.limit && view.key == found.key, "both ways to match agree", key);
  if (first == all.end() || !first->rewrites)
    require(found.key == key, "a key that is not rewritten stays", key);
}

void read_template(std::string_view text) {
  const auto read = KeyTemplate::parse(text);
  if (!read) return fuzz::require_line_about(text, read.error().message);
  require(read->key({1, 2}) == read->key({1, 2}), "a number has one key", text);
  const bool differ = std::ranges::any_of(read->places(), [](const KeyPlace& place) {
    return place.kind == KeyPlace::Kind::digits || place.kind == KeyPlace::Kind::address6;
  });
  if (differ) require(read->key({1, 2}) != read->key({1, 3}), "no two numbers have a key", text);
}

}  // namespace
}  // namespace hallmark::protocol::ratelimit

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hallmark;
  using namespace hallmark::protocol::ratelimit;
  fuzz::Input input(data, size);
  const std::string_view text = input.until('\0');
  const std::string_view key = input.text();
  read_template(key);
  const auto rules = Rules::parse(text);
  if (!rules) {
    require_place(text, rules.error());
    return 0;
  }
  fuzz::require(!rules->rules().empty(), "rules are not empty", text);
  require_same_again(*rules);
  match(*rules, key);
  return 0;
}
