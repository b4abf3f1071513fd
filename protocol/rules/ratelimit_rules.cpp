#include "protocol/rules/ratelimit_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/read_file.hpp"

namespace hallmark::protocol::ratelimit {
namespace {

constexpr std::size_t most_file_bytes = 16 * base::mebibyte;

}  // namespace

std::string_view name_of(Discipline discipline) {
  return discipline == Discipline::strict ? "strict" : "leaky";
}

std::string limit_text(std::uint64_t tenths_of_uses, std::uint64_t period_seconds) {
  const std::uint64_t tenths = tenths_of_uses % 10;
  return fmt::format("{}{}/{}", tenths_of_uses / 10, tenths == 0 ? "" : fmt::format(".{}", tenths),
                     period_seconds);
}

std::uint64_t tenths_of(const Limit& limit) {
  return static_cast<std::uint64_t>(std::llround(limit.uses * 10));
}

std::string to_string(const Limit& limit) {
  return limit_text(tenths_of(limit), limit.period_seconds);
}

std::string to_string(const Rule& rule) {
  return fmt::format("{} {}{} \"{}\"{}", to_string(rule.limit), name_of(rule.limit.discipline),
                     rule.limit.statistics ? " stats" : "", rule.pattern_text,
                     rule.rewrites ? fmt::format(" as \"{}\"", rule.rewrite_text) : "");
}

void Rewrite::add_literal(char byte) {
  if (parts_.empty() || !std::holds_alternative<std::string>(parts_.back())) {
    parts_.emplace_back(std::string());
  }
  std::get<std::string>(parts_.back()).push_back(byte);
}

bool Rewrite::is_constant() const {
  return std::ranges::all_of(
      parts_, [](const auto& part) { return std::holds_alternative<std::string>(part); });
}

bool Rewrite::uses(std::size_t star) const {
  return std::ranges::find(parts_, std::variant<std::string, Star>(Star{star})) != parts_.end();
}

std::size_t Rewrite::literal_bytes() const {
  std::size_t bytes = 0;
  for (const auto& part : parts_) {
    if (const auto* const literal = std::get_if<std::string>(&part)) bytes += literal->size();
  }
  return bytes;
}

void Rewrite::write(const Captures& captures, std::string& key) const {
  key.clear();
  for (const auto& part : parts_) {
    const auto* const literal = std::get_if<std::string>(&part);
    key += literal != nullptr ? std::string_view(*literal) : captures[std::get<Star>(part).index];
  }
}

std::string to_string(const RulesError& error, std::string_view file) {
  return fmt::format("{}:{}:{}: {}", file, error.line, error.column, error.reason);
}

void throw_error(const RulesError& error) { throw std::logic_error(to_string(error, "rules")); }

Rules::MatchView Rules::match(std::string_view key, Room& room) const {
  for (const Rule& rule : rules_) {
    if (!rule.rewrites) {
      if (rule.pattern.matches(key)) return {&rule.limit, key};
    } else if (rule.pattern.matches(key, room.captures)) {
      rule.rewrite.write(room.captures, room.key);
      return {&rule.limit, room.key};
    }
  }
  return {nullptr, key};
}

Rules::Match Rules::match(std::string_view key) const {
  Room room;
  const MatchView found = match(key, room);
  return {found.limit, std::string(found.key)};
}

base::Result<std::string> read_rules_text(const std::string& path) {
  return base::read_file(path, most_file_bytes, "a file of rules");
}

base::Result<Rules> read_rules_file(const std::string& path) {
  const auto text = read_rules_text(path);
  if (!text) return text.error();
  auto rules = Rules::parse(*text);
  if (!rules) return base::Error{to_string(rules.error(), path)};
  return std::move(*rules);
}

const Rules& example_rules() {
  static const Rules rules = Rules::parse(example_rules_text()).value();
  return rules;
}

}  // namespace hallmark::protocol::ratelimit
