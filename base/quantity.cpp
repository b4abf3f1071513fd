#include "base/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/nanoseconds.hpp"

namespace hallmark::base {
namespace {

constexpr double longest_ns = 24 * 3600e9;

/// Shows the count in the largest unit in which it is at least 1. Each unit is 1000 of the one
/// before. A half is rounded up, in whole numbers: pages do the same, and a double of 12.35 is less
/// than that.
std::string in_three_digits(std::uint64_t count, std::array<std::string_view, 4> units) {
  std::uint64_t size = 1;
  std::size_t unit = 0;
  // 999.5 would be shown as four digits.
  while (unit + 1 < units.size() && count >= 1000 * size - size / 2) {
    size *= 1000;
    ++unit;
  }
  if (unit == 0) return fmt::format("{} {}", count, units[0]);
  const int decimals = count < size / 1000 * 9995 ? 2 : count < size / 100 * 9995 ? 1 : 0;
  const std::uint64_t parts = decimals == 2 ? 100 : decimals == 1 ? 10 : 1;
  const std::uint64_t part = size / parts;
  const std::uint64_t rounded = count / part + (count % part >= part / 2 ? 1 : 0);
  if (decimals == 0) return fmt::format("{} {}", rounded, units[unit]);
  return fmt::format("{}.{:0{}} {}", rounded / parts, rounded % parts, decimals, units[unit]);
}

}  // namespace

double Quantity::value() const {
  if (unit.times == unit.per || !std::isfinite(number)) return number;
  const double product = number * unit.times / unit.per;
  // The product of a large number is perhaps infinite, which reads back as well.
  return number_in<double>(fmt::format("{:.15g}", product)).value_or(product);
}

std::optional<Quantity> quantity_in(std::string_view text, std::span<const Unit> units,
                                    Notation notation) {
  const auto leading = leading_number<double>(text, notation);
  if (!leading) return std::nullopt;
  const auto unit = std::ranges::find(units, text.substr(leading->length), &Unit::name);
  if (unit == units.end()) return std::nullopt;
  return Quantity{leading->number, *unit};
}

Result<std::chrono::nanoseconds> parse_duration(std::string_view text) {
  const auto read = quantity_in(text, duration_units, Notation::fixed);
  const double ns = read ? read->value() : -1;
  // Written so that a NaN is refused too.
  if (ns >= 0 && ns <= longest_ns) return std::chrono::nanoseconds{std::llround(ns)};
  return Error{fmt::format(
      "duration '{}'; allowed: a number with ns, us, ms, s, m or h, from 0 to 24h", text)};
}

Result<double> parse_share(std::string_view text) {
  const auto read = quantity_in(text, share_units, Notation::fixed);
  const double share = read ? read->value() : -1;
  if (share >= 0 && share <= 1) return share;
  return Error{fmt::format("'{}'; allowed: 0% to 100%, or a share from 0 to 1", text)};
}

std::string human_duration(std::chrono::nanoseconds duration) {
  const auto ns = static_cast<std::uint64_t>(duration.count());
  const bool negative = duration.count() < 0;
  return (negative ? "-" : "") + in_three_digits(negative ? 0 - ns : ns, {"ns", "µs", "ms", "s"});
}

std::string human_bytes(std::uint64_t bytes) {
  return in_three_digits(bytes, {"B", "kB", "MB", "GB"});
}

std::string exact_duration(std::chrono::nanoseconds duration) {
  const std::int64_t ns = duration.count();
  if (ns % second_ns == 0) return fmt::format("{}s", ns / second_ns);
  if (ns % 1'000'000 == 0) return fmt::format("{}ms", ns / 1'000'000);
  return fmt::format("{}us", static_cast<double>(ns) / 1e3);
}

std::string human_count(double count) {
  if (count >= 1e6 && std::fmod(count, 1e5) == 0) return fmt::format("{}M", count / 1e6);
  if (count >= 1e3 && std::fmod(count, 1e2) == 0) return fmt::format("{}k", count / 1e3);
  return fmt::format("{}", count);
}

std::string percent(double share) { return fmt::format("{:.1f} %", std::round(1000 * share) / 10); }

}  // namespace hallmark::base
