#include "audit/tests/planted.hpp"

#include <fmt/format.h>

#include "audit/limits.hpp"

namespace hallmark::audit::test {
namespace {

/// The key names the row.
Planted row(std::string name, std::string text, std::vector<Finding> findings) {
  return {name, "planted:" + name, std::move(text), std::move(findings)};
}

Finding at(Kind kind, std::string field, std::size_t offset, std::size_t length) {
  return {kind, offset, length, std::move(field), ""};
}

constexpr std::size_t time_length = 19;

}  // namespace

std::vector<Planted> planted() {
  const std::string late = std::to_string(now + 6'000'000'000);
  const std::string later = std::to_string(now + nanoseconds_a_year + 1'000'000'000);
  const std::string old = std::to_string(now - nanoseconds_a_year - 1'000'000'000);
  const std::string ok = std::to_string(now);
  const std::string zero = "-6795364578871345152";
  return {
      row("Empty", "", {at(Kind::malformed, "header", 0, 0)}),
      row("NoHeader", "hello", {at(Kind::malformed, "header", 0, 5)}),
      row("NaN", "12|NaN|" + ok, {at(Kind::malformed, "tokens", 3, 4 + time_length)}),
      row("CutOff", "12|8.5", {at(Kind::malformed, "bar before last_refill", 6, 0)}),
      row("LeftOver", "42|" + ok + "|", {at(Kind::malformed, "tat", 22, 1)}),
      row("LeftOverInPart", "51|12|5|" + ok + "|9$42|" + ok,
          {at(Kind::malformed, "primary.last_refill", 27, 25)}),
      row("QuotaCount", "23|2|default|3|" + ok, {at(Kind::malformed, "bar before name", 34, 0)}),
      row("MalformedPart", "51|12|5|" + ok + "$12|x|" + ok,
          {at(Kind::malformed, "secondary.tokens", 31, 2 + time_length)}),
      row("JsonTokenBucket", "{\"Tokens\":8.5,\"LastRefill\":\"2025-10-31T04:14:15Z\"}",
          {at(Kind::json, "", 0, 50)}),
      row("JsonGcra", "{\"tat\":5}", {at(Kind::json, "", 0, 9)}),
      row("JsonUnknown", "{\"a\":5}", {at(Kind::malformed, "header", 0, 7)}),
      row("FutureRefill", "12|5|" + late, {at(Kind::future, "last_refill", 5, time_length)}),
      row("FutureLeak", "32|5|" + late, {at(Kind::future, "last_leak", 5, time_length)}),
      row("FutureStart", "23|2|a|1|" + ok + "|b|1|" + late,
          {at(Kind::future, "quotas[1].start", 33, time_length)}),
      row("FutureArrival", "42|" + later, {at(Kind::future, "tat", 3, time_length)}),
      row("FutureInPart", "51|42|" + ok + "$12|5|" + late,
          {at(Kind::future, "secondary.last_refill", 31, time_length)}),
      row("PastRefill", "12|5|" + old, {at(Kind::past, "last_refill", 5, time_length)}),
      row("PastArrival", "42|0", {at(Kind::past, "tat", 3, 1)}),
      row("Seconds", "12|5|1761884055", {at(Kind::wrong_unit, "last_refill", 5, 10)}),
      row("Milliseconds", "42|1761884055342", {at(Kind::wrong_unit, "tat", 3, 13)}),
      row("Microseconds", "v2|1761884055342794|", {at(Kind::wrong_unit, "tat", 3, 16)}),
      row("SecondsInPart", "51|23|1|a|1|1761884055$42|" + ok,
          {at(Kind::wrong_unit, "primary.quotas[0].start", 12, 10)}),
      row("ZeroTime", "32|5|" + zero, {at(Kind::zero_time, "last_leak", 5, 20)}),
      row("ZeroTimeOfOld", "v2|" + zero + "|", {at(Kind::zero_time, "tat", 3, 20)}),
      row("NegativeTokens", "12|-0.5|" + ok, {at(Kind::senseless, "tokens", 3, 4)}),
      row("NegativeCount", "23|1|a|-1|" + ok, {at(Kind::senseless, "quotas[0].count", 7, 2)}),
      row("TwoQuotasOfOneName", "23|2|a|1|" + ok + "|a|1|" + ok,
          {at(Kind::senseless, "quotas[1].name", 29, 1)}),
      row("NoCapacity", "v1|8.5|" + ok + "|0|2", {at(Kind::senseless, "capacity", 27, 1)}),
      row("NotCanonical", "32|5.0|" + ok, {at(Kind::not_canonical, "requests", 3, 3)}),
      row("NotCanonicalPart", "51|12|5e0|" + ok + "$42|" + ok,
          {at(Kind::not_canonical, "primary.tokens", 6, 3)}),
      row("OldHeaderNewParts", "cmp1|42|" + ok + "$12|5|" + ok,
          {at(Kind::mixed_versions, "header", 0, 5)}),
      row("NewHeaderOldPart", "51|v2|" + ok + "|$12|5|" + ok,
          {at(Kind::mixed_versions, "header", 0, 3)}),
      row("CompositeInComposite", "51|42|" + ok + "$51|42|" + ok + "$42|" + ok,
          {at(Kind::nested, "secondary", 26, 48)}),
      row("SeveralFaults", "12|-1.0|" + late,
          {at(Kind::senseless, "tokens", 3, 4), at(Kind::not_canonical, "tokens", 3, 4),
           at(Kind::future, "last_refill", 8, time_length)}),
  };
}

std::string healthy(std::uint64_t number) {
  const std::int64_t time = now - static_cast<std::int64_t>(number % 1'000'000) * 1'000'000;
  switch (number % healthy_formats) {
    case 0: return fmt::format("12|{}|{}", 8.5 + static_cast<double>(number % 7), time);
    case 1: return fmt::format("23|2|default|{}|{}|hourly|10|{}", number % 9, time, time);
    case 2: return fmt::format("32|{}|{}", number % 5, time);
    case 3: return fmt::format("42|{}", time);
    case 4: return fmt::format("51|23|1|default|2|{}$12|8.5|{}", time, time);
    case 5: return fmt::format("v2|{}|", time);
    case 6: return fmt::format("v1|8.5|{}|10|2", time);
    case 7: return fmt::format("v3|1|default|4|{}", time);
    case 8: return fmt::format("cmp1|v2|{}|$v2|8.5|{}|", time, time);
    case 9: return fmt::format("v2|{}.5|{}", number % 4, time);
    case 10: return fmt::format("51|42|{}$12|3|{}", time, time);
    default: return fmt::format("12|0|{}", time);
  }
}

}  // namespace hallmark::audit::test
