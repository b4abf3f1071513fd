#include "base/glob.hpp"

#include <fnmatch.h>

#include <algorithm>

namespace hallmark::base {

bool Glob::matches(std::string_view text) {
  if (pattern_ == "*") return true;
  text_.assign(text);
  // fnmatch would end at a byte 0, and no pattern holds one: another control character is as good.
  std::ranges::replace(text_, '\0', '\1');
  return ::fnmatch(pattern_.c_str(), text_.c_str(), 0) == 0;
}

std::string_view Glob::literal_prefix() const {
  return std::string_view(pattern_).substr(0, pattern_.find_first_of("*?[\\"));
}

bool glob_matches(std::string_view pattern, std::string_view text) {
  return Glob(std::string(pattern)).matches(text);
}

}  // namespace hallmark::base
