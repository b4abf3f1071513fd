#include "protocol/codec/refusal.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

namespace hallmark::protocol {
namespace {

/// The field that a decoder waits for. It takes that field next once it is shown enough bytes,
/// whatever they are; the offset of the field is where the decoder stands.
std::string awaited_field(Decoder decoder, base::ByteView message) {
  const std::size_t known = decoder.fields().size();
  base::Bytes longer(message.begin(), message.end());
  longer.resize(std::max(decoder.needed(), message.size() + 1));
  decoder.resume(longer);
  if (decoder.fields().size() > known) return std::string(decoder.fields()[known].field->name);
  return decoder.error().field;
}

}  // namespace

std::optional<Malformed> refusal(const Layout& layout, base::ByteView message) {
  Decoder decoder(layout);
  const auto state = decoder.resume(message);
  if (state == Decoder::State::malformed) return decoder.error();
  if (state == Decoder::State::need_more) {
    return Malformed{
        awaited_field(decoder, message), decoder.size(),
        fmt::format("ends after {} of at least {} bytes", message.size(), decoder.needed())};
  }
  if (decoder.size() == message.size()) return std::nullopt;
  const std::size_t left = message.size() - decoder.size();
  return Malformed{"", decoder.size(), base::counted(left, "byte is", "bytes are") + " left over"};
}

}  // namespace hallmark::protocol
