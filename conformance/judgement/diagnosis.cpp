#include "conformance/judgement/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

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

std::string in_words(const protocol::Reading& reading, const protocol::Answer& answer) {
  if (reading.id == protocol::ReadingName("status-prefix")) {
    return fmt::format("{} ({}={})",
                       answer.id == "no" ? "missing status byte" : "a status byte in front",
                       reading.id, answer.id);
  }
  return fmt::format("the layout of the reading {}={}", reading.id, answer.id);
}

/// Calls `take` with each way in which the target may lay the message out otherwise than it is held
/// to, by other readings and then by other widths: its cause in a few words, and the layout, which
/// refers to readings that live as long as the call.
void for_each_other_layout(const WireFormat& format, const Layout& layout,
                           const std::function<void(std::string cause, const Layout&)>& take) {
  for (const protocol::Reading& reading : format.dialect().readings) {
    for (const protocol::Answer& answer : reading.answers) {
      if (answer.id == format.readings().answer(reading)) continue;
      protocol::Readings readings = format.readings();
      if (!readings.set(reading.id, answer.id)) continue;
      take(in_words(reading, answer), relaid(format, layout, format.width(), readings));
    }
  }
  for (const protocol::Width width : format.dialect().widths) {
    if (width == format.width()) continue;
    take(fmt::format("wrong width: the bytes fit {}", protocol::name_of(width)),
         relaid(format, layout, width, format.readings()));
  }
}

/// The first other layout that the bytes fit.
std::string other_layout(const WireFormat& format, const Disagreement& disagreement) {
  std::string first;
  for_each_other_layout(format, disagreement.layout, [&](std::string cause, const Layout& other) {
    if (first.empty() && fits(other, disagreement.received)) first = std::move(cause);
  });
  return first;
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

/// True of a range in which a number tells its unit. One that begins at 0, or that is wide, has
/// room for any number divided by something.
bool is_narrow(const vectors::Remaining& range) {
  return range.least > 0 && range.most - range.least < range.least;
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
  if (!is_narrow(*expected)) return {};
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

/// The cause of the first mismatch, if all of them have one.
std::string in_fields(const Disagreement& disagreement) {
  std::string first;
  for (const vectors::Mismatch& mismatch : disagreement.mismatches) {
    std::string cause = in_one_field(disagreement, mismatch);
    if (cause.empty()) return {};
    if (first.empty()) first = std::move(cause);
  }
  return first;
}

}  // namespace

std::string likely_cause(const WireFormat& format, const Disagreement& disagreement) {
  if (!fits(disagreement.layout, disagreement.received) && !disagreement.received.empty()) {
    if (std::string cause = other_layout(format, disagreement); !cause.empty()) return cause;
  }
  return in_fields(disagreement);
}

std::vector<std::string> refuted_causes(const WireFormat& format, const Layout& layout,
                                        base::ByteView right) {
  std::vector<std::string> refuted;
  for_each_other_layout(format, layout, [&](std::string cause, const Layout& other) {
    if (!fits(other, right)) refuted.push_back(std::move(cause));
  });
  return refuted;
}

}  // namespace hallmark::conformance
