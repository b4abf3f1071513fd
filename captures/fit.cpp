#include "captures/fit.hpp"

#include <fmt/format.h>

#include <functional>

namespace hallmark::captures {
namespace {

using base::ByteView;
using protocol::Decoder;
using protocol::Operation;

constexpr std::size_t longest_reply_of_hint = 65'536;

Fit fit_of(const Decoder& decoder, ByteView bytes) {
  switch (decoder.state()) {
    case Decoder::State::malformed: return Fit::no;
    case Decoder::State::need_more: return Fit::partial;
    case Decoder::State::complete: break;
  }
  return decoder.size() == bytes.size() ? Fit::whole : Fit::no;
}

/// The first option, of those that change a single thing, with which `fits` says yes.
std::string remedy(const Format& format, const std::function<bool(const Format&)>& fits) {
  for (const protocol::Width width : format.dialect().widths) {
    if (width != format.width() && fits(Format(width, format.readings()))) {
      return fmt::format("--width {}", protocol::name_of(width));
    }
  }
  for (const protocol::Reading& reading : format.dialect().readings) {
    for (const protocol::Answer& answer : reading.answers) {
      protocol::Readings changed = format.readings();
      if (changed.answer(reading) == answer.id || !changed.set(reading.id, answer.id)) continue;
      if (fits(Format(format.width(), changed))) {
        return fmt::format("--reading {}={}", reading.id, answer.id);
      }
    }
  }
  return {};
}

}  // namespace

std::string why_malformed(const Decoder& decoder) {
  const protocol::Malformed& error = decoder.error();
  return fmt::format("{} at byte {}: {}", error.field, error.offset, error.reason);
}

std::string why_truncated(const Decoder& decoder, ByteView bytes) {
  return fmt::format("{} ends after {} of at least {} bytes", decoder.layout().name(), bytes.size(),
                     decoder.needed());
}

std::string why_no_request(const Format& format, std::uint8_t opcode) {
  return fmt::format("{:02x} is no opcode of {}", opcode, format.dialect().name);
}

Fit fit_as(const protocol::Layout& layout, ByteView bytes) {
  Decoder decoder(layout, {.max_bytes = Format::largest_message});
  decoder.resume(bytes);
  return fit_of(decoder, bytes);
}

Fit fit_as_requests(const Format& format, ByteView bytes) {
  if (bytes.empty()) return Fit::partial;
  while (!bytes.empty()) {
    const Operation* const operation = protocol::operation_of(format.dialect(), bytes);
    if (operation == nullptr) return Fit::no;
    Decoder decoder(format.request(*operation), {.max_bytes = Format::largest_message});
    if (decoder.resume(bytes) != Decoder::State::complete) return fit_of(decoder, bytes);
    bytes = bytes.subspan(decoder.size());
  }
  return Fit::whole;
}

std::string hint_for_requests(const Format& format, ByteView bytes) {
  const Fit least = bytes.size() < most_of_hint ? Fit::whole : Fit::partial;
  const std::string option =
      remedy(format, [&](const Format& other) { return fit_as_requests(other, bytes) >= least; });
  return option.empty() ? option : fmt::format(" (would be requests with {})", option);
}

std::string hint_for_reply(const Format& format, const Operation& operation, ByteView bytes) {
  if (bytes.size() > longest_reply_of_hint) return {};
  const std::string option = remedy(format, [&](const Format& other) {
    const protocol::Layout layout = other.reply(operation);
    return layout.sent() && fit_as(layout, bytes) == Fit::whole;
  });
  return option.empty() ? option
                        : fmt::format(" (would be a reply to {} with {})", operation.name, option);
}

}  // namespace hallmark::captures
