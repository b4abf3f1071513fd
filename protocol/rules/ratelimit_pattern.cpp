#include "protocol/rules/ratelimit_pattern.hpp"

#include <algorithm>
#include <numeric>

namespace hallmark::protocol::ratelimit {

Pattern& Pattern::add_literal(char byte) {
  segments_.back().push_back(symbol_of(byte));
  return *this;
}

Pattern& Pattern::add_any_byte() {
  segments_.back().push_back(any_byte);
  return *this;
}

Pattern& Pattern::add_star() {
  segments_.emplace_back();
  return *this;
}

template <class Text>
bool Pattern::is_at(const Segment& segment, std::span<const Text> text, std::size_t position) {
  for (const Symbol symbol : segment) {
    const Symbol other = symbol_of(text[position++]);
    if (symbol != other && (symbol != any_byte || other == star)) return false;
  }
  return true;
}

// The first place where a segment fits leaves the most to those after it, so nothing is ever taken
// back.
template <class Text, class OnStar>
bool Pattern::match(std::span<const Text> text, OnStar&& on_star) const {
  const Segment& first = segments_.front();
  if (text.size() < first.size() || !is_at(first, text, 0)) return false;
  if (stars() == 0) return text.size() == first.size();
  const Segment& last = segments_.back();
  std::size_t position = first.size();
  if (text.size() - position < last.size()) return false;
  const std::size_t end = text.size() - last.size();
  if (!is_at(last, text, end)) return false;
  for (std::size_t i = 1; i < stars(); ++i) {
    const std::size_t from = position;
    while (position + segments_[i].size() <= end && !is_at(segments_[i], text, position)) {
      ++position;
    }
    if (position + segments_[i].size() > end) return false;
    on_star(from, position - from);
    position += segments_[i].size();
  }
  on_star(position, end - position);
  return true;
}

bool Pattern::matches(std::string_view key) const {
  return match(std::span(key), [](std::size_t, std::size_t) {});
}

bool Pattern::matches(std::string_view key, Captures& captures) const {
  captures.clear();
  return match(std::span(key), [&](std::size_t position, std::size_t length) {
    captures.push_back(key.substr(position, length));
  });
}

std::vector<Pattern::Symbol> Pattern::normal_form() const {
  std::vector<Symbol> symbols;
  bool star_due = false;
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    for (const Symbol symbol : segments_[i]) {
      if (star_due && symbol != any_byte) symbols.push_back(star);
      if (symbol != any_byte) star_due = false;
      symbols.push_back(symbol);
    }
    star_due = star_due || i + 1 < segments_.size();
  }
  if (star_due) symbols.push_back(star);
  return symbols;
}

/// Settles nearly all pairs of a long file at once.
bool Pattern::begins_otherwise(const Pattern& other) const {
  const Segment& mine = segments_.front();
  const Segment& its = other.segments_.front();
  for (std::size_t i = 0; i < std::min(mine.size(), its.size()); ++i) {
    if (mine[i] != its[i] && mine[i] != any_byte) return true;
  }
  return false;
}

// The steps of the other pattern are matched as if they were bytes: a star by stars only, a `?` by
// either. What then matches matches every key of the other.
bool Pattern::covers(const Pattern& other) const {
  if (begins_otherwise(other)) return false;
  Pattern normal;
  for (const Symbol symbol : normal_form()) {
    if (symbol == star) {
      normal.segments_.emplace_back();
    } else {
      normal.segments_.back().push_back(symbol);
    }
  }
  const std::vector<Symbol> text = other.normal_form();
  return normal.match(std::span(text), [](std::size_t, std::size_t) {});
}

std::optional<std::string> Pattern::literal() const {
  if (stars() > 0) return std::nullopt;
  std::string key;
  for (const Symbol symbol : segments_.front()) {
    if (symbol == any_byte) return std::nullopt;
    key.push_back(static_cast<char>(symbol));
  }
  return key;
}

std::string Pattern::between(std::size_t index) const {
  std::string bytes;
  for (const Symbol symbol : segments_[index])
    bytes.push_back(symbol == any_byte ? '0' : static_cast<char>(symbol));
  return bytes;
}

std::size_t Pattern::shortest() const {
  return std::accumulate(
      segments_.begin(), segments_.end(), std::size_t{0},
      [](std::size_t sum, const Segment& segment) { return sum + segment.size(); });
}

}  // namespace hallmark::protocol::ratelimit
