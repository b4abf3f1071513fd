#include "reference/protocol/ratelimit_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace hallmark::protocol::ratelimit {
namespace {

constexpr std::size_t most_file_bytes = std::size_t{16} << 20;

Error unreadable(const std::string& path) {
  return Error{fmt::format("{}: {}; expected a file of rules", path, std::strerror(errno))};
}

/// Sets `text`. Error: one line. Stops soon after the most that is allowed.
Result<void> read_file(const std::string& path, std::string& text) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             std::fclose);
  if (!file) return unreadable(path);
  std::array<char, 65'536> part{};
  while (text.size() <= most_file_bytes) {
    const std::size_t read = std::fread(part.data(), 1, part.size(), file.get());
    if (std::ferror(file.get()) != 0) return unreadable(path);
    text.append(part.data(), read);
    if (read < part.size()) return {};
  }
  return Error{
      fmt::format("{}: longer than {} bytes; expected a file of rules", path, most_file_bytes)};
}

}  // namespace

std::string_view name_of(Discipline discipline) {
  return discipline == Discipline::strict ? "strict" : "leaky";
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

void throw_exception_from_error(const RulesError& error, const boost::source_location&) {
  throw std::logic_error(to_string(error, "rules"));
}

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

Result<Rules> read_rules_file(const std::string& path) {
  std::string text;
  const auto read = read_file(path, text);
  if (!read) return read.error();
  auto rules = Rules::parse(text);
  if (!rules) return Error{to_string(rules.error(), path)};
  return std::move(*rules);
}

const Rules& example_rules() {
  static const Rules rules = Rules::parse(example_rules_text()).value();
  return rules;
}

}  // namespace hallmark::protocol::ratelimit
