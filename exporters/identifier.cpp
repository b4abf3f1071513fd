#include "exporters/identifier.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace hallmark::exporters {
namespace {

bool is_letter(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::string identifier(std::string_view name) {
  std::string made;
  for (const char c : base::lower_case(name)) {
    const bool allowed = is_letter(c) || is_digit(c);
    if (allowed) made += c;
    if (!allowed && !made.empty() && made.back() != '_') made += '_';
  }
  while (!made.empty() && made.back() == '_') made.pop_back();
  return made.empty() || !is_letter(made.front()) ? "n_" + made : made;
}

std::string quoted(std::string_view text) {
  std::string made = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') made += '\\';
    made += c;
  }
  return made + '"';
}

}  // namespace hallmark::exporters
