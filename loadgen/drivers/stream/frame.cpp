#include "loadgen/drivers/stream/frame.hpp"

#include <fmt/format.h>

#include <bit>

#include "protocol/codec/decode.hpp"

namespace hallmark::loadgen {
namespace {

constexpr protocol::FieldName ends_of_keys[] = {"key", "resource_id"};

}  // namespace

static_assert(std::endian::native == std::endian::little,
              "numbers are patched in the byte order of the protocol");

base::Result<Frame> Frame::make(const protocol::Layout& layout, const protocol::Record& values,
                                std::size_t key_digits, protocol::FieldName patched_number) {
  const auto bytes = protocol::encode(layout, values);
  if (!bytes) {
    return base::Error{
        fmt::format("{}: field {}: {}", layout.name(), bytes.error().field, bytes.error().reason)};
  }
  Frame frame;
  frame.bytes_ = *bytes;
  protocol::Decoder decoder{layout};
  decoder.resume(frame.bytes_);
  const protocol::MessageView message{decoder, frame.bytes_};
  for (const protocol::FieldName name : ends_of_keys) {
    const auto* end = message.find(name);
    if (end == nullptr || end->length < key_digits) continue;
    frame.digits_ = {end->offset + end->length - key_digits, key_digits};
  }
  const auto number_named = [&](protocol::FieldName name) -> Place {
    const auto* number = message.find(name);
    if (number == nullptr || !number->field->is<protocol::kinds::Integer>()) return {};
    return {number->offset, number->length};
  };
  frame.number_ = number_named(patched_number);
  frame.request_id_ = number_named("request_id");
  if (const auto* payload = message.find("payload"); payload != nullptr)
    if (payload->length >= stamp_bytes) {
      frame.stamp_ = {payload->offset, stamp_bytes / 2};
      frame.says_when_ = true;
    }
  const auto* const value = message.find("value");
  if (value != nullptr && value->field->is<protocol::kinds::Bytes>() &&
      value->length >= writer_bytes)
    frame.stamp_ = {value->offset, writer_bytes};
  frame.only_digits_ = frame.number_.width + frame.request_id_.width + frame.stamp_.width == 0;
  frame.varies_in_keys_and_ids_ =
      frame.number_.width + frame.stamp_.width == 0 &&
      (frame.request_id_.width == 0 || frame.request_id_.width == sizeof(std::uint32_t));
  frame.size_ = frame.bytes_.size();
  frame.bytes_.resize((frame.size_ + block - 1) / block * block);
  return frame;
}

}  // namespace hallmark::loadgen
