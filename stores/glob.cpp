#include "stores/glob.hpp"

#include <fnmatch.h>

namespace hallmark::stores {

bool Glob::matches(std::string_view key) {
  if (pattern_ == "*") return true;
  key_.assign(key);
  return ::fnmatch(pattern_.c_str(), key_.c_str(), 0) == 0;
}

std::string_view Glob::literal_prefix() const {
  return std::string_view(pattern_).substr(0, pattern_.find_first_of("*?[\\"));
}

}  // namespace hallmark::stores
