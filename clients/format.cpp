#include "clients/format.hpp"

#include "protocol/codec/decode.hpp"

namespace hallmark::clients {

const protocol::Operation* requested_by(const Format& format, base::ByteView bytes) {
  if (!format.over_datagrams()) return protocol::operation_of(format.dialect(), bytes);
  for (const protocol::Operation& operation : format.dialect().operations) {
    protocol::Decoder decoder(protocol::Layout::request(operation, format.width, format.readings));
    if (decoder.resume(bytes) == protocol::Decoder::State::complete) return &operation;
  }
  return nullptr;
}

}  // namespace hallmark::clients
