#include "conformance/drivers/stream/outgoing.hpp"

#include <fmt/format.h>

#include "conformance/judgement/verdict.hpp"
#include "protocol/codec/encode.hpp"
#include "protocol/throttr_words.hpp"

namespace hallmark::conformance {

using protocol::Layout;

std::optional<protocol::FieldValue> place_of_id(const Layout& layout, base::ByteView message) {
  if (layout.find(layout.message().fields, "request_id") == nullptr) return std::nullopt;
  protocol::Decoder decoder(layout, {.refuse_unlisted = false});
  decoder.resume(message);
  for (const protocol::FieldValue& value : decoder.fields()) {
    if (value.field->name == "request_id") return value;
  }
  return std::nullopt;
}

Outgoing encoded(const WireFormat& format, const Request& request) {
  if (!format.has(request.operation)) {
    end_case(reports::Verdict::error,
             fmt::format("{} has no {}", format.dialect().name, request.operation));
  }
  const protocol::Operation& operation = format.operation(request.operation);
  const Layout layout = format.request(operation);
  auto bytes =
      protocol::encode(layout, protocol::worded(format.dialect(), operation, request.values));
  if (!bytes) {
    end_case(reports::Verdict::error, fmt::format("cannot encode {}: {} {}", request.operation,
                                                  bytes.error().field, bytes.error().reason));
  }
  Outgoing outgoing{&operation, std::move(*bytes)};
  const auto id = place_of_id(layout, outgoing.bytes);
  if (id && request.values.find("request_id") == nullptr) outgoing.id_at = {id->offset, id->length};
  return outgoing;
}

std::optional<std::uint64_t> request_id(const WireFormat& format, const Outgoing& request) {
  const auto place = place_of_id(format.request(*request.operation), request.bytes);
  return place ? std::optional(place->number) : std::nullopt;
}

}  // namespace hallmark::conformance
