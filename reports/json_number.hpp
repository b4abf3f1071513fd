#pragma once

#include <cstdint>
#include <string>

#include "base/json.hpp"
#include "reports/json_fields.hpp"

namespace hallmark::reports {

/// Beyond what readers keep exactly, a number is text.
inline base::Json json_number(std::uint64_t value) {
  if (value > json_fields::max_plain_integer) return std::to_string(value);
  return value;
}

}  // namespace hallmark::reports
