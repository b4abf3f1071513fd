#pragma once
#include <gtest/gtest.h>

#include <compare>
#include <ostream>

#include "base/json.hpp"

namespace hallmark::base {

/// Shows values in the messages of tests.
inline void PrintTo(const Json& json, std::ostream* out) { *out << json.dump(); }
inline std::ostream& operator<<(std::ostream& out, const Json& json) { return out << json.dump(); }

/// Compares a number.
inline std::partial_ordering operator<=>(const Json& json, double number) {
  return json.real() <=> number;
}

namespace test {

/// The text as JSON. Where it is none the test fails, and the value is null.
inline Json parsed(std::string_view text) {
  auto json = parse_json(text);
  if (json) return std::move(*json);
  ADD_FAILURE() << json.error().message << "\nin: " << text;
  return {};
}

}  // namespace test
}  // namespace hallmark::base
