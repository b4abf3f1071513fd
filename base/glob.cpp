#include "base/glob.hpp"

#include <fnmatch.h>

#include <algorithm>

namespace hallmark::base {

namespace {

/// A control character that the pattern does not hold.
char character_not_in(std::string_view pattern) {
  for (char c = '\1'; c < ' '; ++c) {
    if (pattern.find(c) == pattern.npos) return c;
  }
  return '\1';
}

}  // namespace

Glob::Glob(std::string pattern) : pattern_(std::move(pattern)), zero_(character_not_in(pattern_)) {}

bool Glob::matches(std::string_view text) {
  if (pattern_ == "*") return true;
  text_.assign(text);
  // fnmatch would end at a byte 0, and no pattern holds one: another character that it does not
  // hold is as good.
  std::ranges::replace(text_, '\0', zero_);
  return ::fnmatch(pattern_.c_str(), text_.c_str(), 0) == 0;
}

std::string_view Glob::literal_prefix() const {
  return std::string_view(pattern_).substr(0, pattern_.find_first_of("*?[\\"));
}

bool glob_matches(std::string_view pattern, std::string_view text) {
  return Glob(std::string(pattern)).matches(text);
}

}  // namespace hallmark::base
