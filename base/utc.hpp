#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace hallmark::base {

using UtcTime = std::chrono::sys_time<std::chrono::milliseconds>;

/// ISO 8601 with milliseconds and "Z", as RFC 3339 and JSON Schema's date-time want it.
std::string iso_utc(UtcTime time);

/// Reads "2024-05-01T12:30:00.250Z" and nothing else: what `iso_utc` writes.
std::optional<UtcTime> parse_utc(std::string_view text);

}  // namespace hallmark::base
