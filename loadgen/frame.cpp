#include "loadgen/frame.hpp"

#include <fmt/format.h>

#include <bit>

#include "reference/protocol/decode.hpp"

namespace hallmark::loadgen {

static_assert(std::endian::native == std::endian::little,
              "numbers are patched in the byte order of the protocol");

Result<Frame> Frame::make(const protocol::Layout& layout, const protocol::Record& values,
                          std::size_t key_digits, std::string_view patched_number) {
  const auto bytes = protocol::encode(layout, values);
  if (!bytes) {
    return Error{
        fmt::format("{}: field {}: {}", layout.name(), bytes.error().field, bytes.error().reason)};
  }
  Frame frame;
  frame.bytes_ = *bytes;
  protocol::Decoder decoder{layout};
  decoder.resume(frame.bytes_);
  const protocol::MessageView message{decoder, frame.bytes_};
  if (const auto* key = message.find("key"); key != nullptr && key->length >= key_digits) {
    frame.digits_ = key_digits;
    frame.digits_offset_ = key->offset + key->length - key_digits;
  }
  const auto* number = message.find(patched_number);
  if (number != nullptr && number->field->kind == protocol::Kind::integer) {
    frame.number_offset_ = number->offset;
    frame.number_width_ = number->length;
  }
  frame.size_ = frame.bytes_.size();
  frame.bytes_.resize((frame.size_ + block - 1) / block * block);
  return frame;
}

}  // namespace hallmark::loadgen
