#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace hallmark::protocol::test {

/// A name as googletest takes it: what is no letter or digit becomes an underscore.
inline std::string identifier(std::string_view name) {
  std::string result(name);
  std::ranges::replace_if(
      result, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return result;
}

}  // namespace hallmark::protocol::test
