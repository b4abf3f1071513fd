#include "conformance/engine/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/number.hpp"
#include "protocol/little_endian.hpp"

namespace hallmark::conformance {
namespace {

using protocol::Layout;

/// The same message in another width or under other readings.
Layout relaid(const WireFormat& format, const Layout& layout, protocol::Width width,
              const protocol::Readings& readings) {
  for (const protocol::Push& push : format.dialect().pushes) {
    if (push.name == layout.name()) return Layout::push(push, width, readings);
  }
  return Layout::reply(format.operation(layout.name()), width, readings);
}

bool fits(const Layout& layout, base::ByteView received) {
  protocol::Decoder decoder(layout);
  return layout.sent() && decoder.resume(received) == protocol::Decoder::State::complete &&
         decoder.size() == received.size();
}

std::string other_reading(const WireFormat& format, const Disagreement& disagreement) {
  for (const protocol::Reading& reading : format.dialect().readings) {
    for (const protocol::Answer& answer : reading.answers) {
      if (answer.id == format.readings().answer(reading)) continue;
      protocol::Readings readings = format.readings();
      if (!readings.set(reading.id, answer.id)) continue;
      const auto layout = relaid(format, disagreement.layout, format.width(), readings);
      if (!fits(layout, disagreement.received)) continue;
      if (reading.id == protocol::ReadingName("status-prefix")) {
        return fmt::format("{} ({}={})",
                           answer.id == "no" ? "missing status byte" : "a status byte in front",
                           reading.id, answer.id);
      }
      return fmt::format("the layout of the reading {}={}", reading.id, answer.id);
    }
  }
  return {};
}

std::string other_width(const WireFormat& format, const Disagreement& disagreement) {
  for (const protocol::Width width : format.dialect().widths) {
    if (width == format.width()) continue;
    const auto layout = relaid(format, disagreement.layout, width, format.readings());
    if (fits(layout, disagreement.received)) {
      return fmt::format("wrong width: the bytes fit {}", protocol::name_of(width));
    }
  }
  return {};
}

std::uint64_t load_big_endian(base::ByteView bytes) {
  std::uint64_t number = 0;
  for (const std::uint8_t byte : bytes) number = number << 8 | byte;
  return number;
}

/// `5`, or both ends of `29 to 30, what is left of 30`.
std::optional<vectors::Remaining> numbers_in(std::string_view expected) {
  const auto least = base::leading_number<std::uint64_t>(expected);
  if (!least) return std::nullopt;
  vectors::Remaining range{least->number, least->number};
  constexpr std::string_view separator = " to ";
  const std::string_view rest = expected.substr(least->length);
  if (!rest.starts_with(separator)) return range;
  const auto most = base::leading_number<std::uint64_t>(rest.substr(separator.size()));
  if (most) range.most = most->number;
  return range;
}

std::string in_one_field(const Disagreement& disagreement, const vectors::Mismatch& mismatch) {
  const auto expected = numbers_in(mismatch.expected);
  if (!expected || mismatch.length < 1 || mismatch.length > 8) return {};
  if (mismatch.offset + mismatch.length > disagreement.received.size()) return {};
  const auto within = [&](std::uint64_t n) { return n >= expected->least && n <= expected->most; };
  const auto bytes = disagreement.received.subspan(mismatch.offset, mismatch.length);
  if (mismatch.length > 1 && within(load_big_endian(bytes))) {
    return fmt::format("byte order: {} is big-endian", mismatch.field);
  }
  const std::uint64_t number = protocol::load_little_endian(bytes.data(), bytes.size());
  for (const std::uint64_t factor : {std::uint64_t{60}, std::uint64_t{1000},
                                     std::uint64_t{1'000'000}, std::uint64_t{1'000'000'000}}) {
    const bool larger = number >= factor && within(number / factor);
    const bool smaller =
        number > 0 && number <= ~std::uint64_t{0} / factor && within(number * factor);
    if (larger || smaller)
      return fmt::format("wrong unit: {} is off by a factor of {}", mismatch.field, factor);
  }
  return {};
}

}  // namespace

std::string likely_cause(const WireFormat& format, const Disagreement& disagreement) {
  if (!fits(disagreement.layout, disagreement.received) && !disagreement.received.empty()) {
    std::string cause = other_reading(format, disagreement);
    if (cause.empty()) cause = other_width(format, disagreement);
    if (!cause.empty()) return cause;
  }
  for (const vectors::Mismatch& mismatch : disagreement.mismatches) {
    if (std::string cause = in_one_field(disagreement, mismatch); !cause.empty()) return cause;
  }
  return {};
}

}  // namespace hallmark::conformance
