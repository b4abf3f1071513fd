#include "conformance/identify/request_layouts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/drivers/stream/requests.hpp"
#include "conformance/identify/polyglot.hpp"
#include "protocol/codec/encode.hpp"
#include "protocol/little_endian.hpp"

namespace hallmark::conformance {
namespace {

using base::append;
using base::Bytes;
using base::ByteView;
using protocol::Layout;
using protocol::Readings;
using protocol::status_replies;

constexpr protocol::ReadingName value_size = "set-value-size";
constexpr protocol::ReadingName connection_name = "connection-id";
constexpr protocol::ReadingName connection_index = "connection-index";

/// The first id in a message.
Bytes id_in(const protocol::MessageView& view) {
  for (const protocol::FieldValue& value : view.fields()) {
    if (value.field->name != "id") continue;
    const ByteView id = view.bytes_of(value);
    return {id.begin(), id.end()};
  }
  return {};
}

/// The ids in replies to those operations, as far as they are whole.
std::vector<Bytes> ids_in(const WireFormat& format, ByteView replies,
                          std::initializer_list<protocol::MessageName> operations) {
  std::vector<Bytes> ids;
  for (const protocol::MessageName operation : operations) {
    protocol::Decoder decoder(format.reply(format.operation(operation)));
    if (decoder.resume(replies) != protocol::Decoder::State::complete) break;
    ids.push_back(id_in({decoder, replies.first(decoder.size())}));
    replies = replies.subspan(decoder.size());
  }
  return ids;
}

}  // namespace

RequestLayouts::RequestLayouts(protocol::Width width, std::string name, Ask ask,
                               Candidate& candidate)
    : width_(width), name_(std::move(name)), ask_(std::move(ask)), candidate_(candidate) {}

/// The beginning of a reply could be taken for another one.
Bytes RequestLayouts::whole_reply(ByteView sent) const {
  Heard heard = ask_(sent);
  return heard.ending == Ending::fenced ? std::move(heard.bytes) : Bytes{};
}

std::vector<Finding> RequestLayouts::ask() {
  const Readings readings = candidate_.readings();
  if (!readings.answer(value_size).empty()) ask_set();
  if (!readings.answer(connection_name).empty()) ask_connection();
  return std::move(findings_);
}

Layout RequestLayouts::request(protocol::MessageName operation, const Readings& readings) const {
  return Layout::request(*protocol::find_operation(candidate_.dialect(), operation), width_,
                         readings);
}

Readings RequestLayouts::with(protocol::ReadingName reading, protocol::AnswerName answer) const {
  Readings readings = candidate_.readings();
  static_cast<void>(readings.set(reading, answer));
  return readings;
}

void RequestLayouts::tell(protocol::ReadingName reading, protocol::AnswerName answer, Clue clue) {
  candidate_.settle(reading, answer);
  findings_.push_back({std::string(reading), std::string(answer), {std::move(clue)}});
}

void RequestLayouts::leave_untold(protocol::ReadingName reading, std::string reason) {
  findings_.push_back({std::string(reading), "", {{"", "", std::move(reason)}}});
}

/// One SET that names one key with either size, and the PURGEs of both keys: one of them is there.
void RequestLayouts::ask_set() {
  if (protocol::bytes_of(width_) == 1) return leave_untold(value_size, "at u8, N is one byte");
  const Readings wide = with(value_size, "value-width");
  const Readings narrow = with(value_size, "one-byte");
  const Polyglot made = polyglot_set(
      request("SET", wide), request("SET", narrow), request("QUERY", wide),
      {{"ttl_type", code(minute.unit)}, {"ttl", minute.amount}, {"key", base::to_bytes(name_)}},
      base::as_bytes(name_));
  for (const PolyglotReading& each : made.readings)
    append(removals_, *protocol::encode(request("PURGE", wide), {{"key", each.names.front()}}));
  Bytes sent = made.bytes;
  append(sent, removals_);
  const Bytes came = whole_reply(sent);
  // One PURGE is of a missing key, which some accept.
  const bool is_wide =
      came == status_replies({true, true, false}) || came == status_replies({true, true, true});
  const bool is_narrow = came == status_replies({true, false, false, false, true}) ||
                         came == status_replies({true, false, false, true, true});
  if (!is_wide && !is_narrow) return leave_untold(value_size, "SET was answered " + in_hex(came));
  tell(value_size, is_wide ? protocol::AnswerName("value-width") : "one-byte",
       {"SET, whole with both sizes, and PURGE of the key that each reads: " + in_hex(sent),
        in_hex(came), "one SET, its key as it is with this size"});
}

void RequestLayouts::ask_connection() {
  const Readings by_id = with(connection_name, "id");
  const Readings by_index = with(connection_name, "index");
  const Bytes sent =
      polyglot_by_field(request("CONNECTION", by_id), request("CONNECTION", by_index),
                        request("QUERY", by_id), {{"index", protocol::max_of_width(4)}},
                        base::as_bytes(name_))
          .bytes;
  const Bytes came = whole_reply(sent);
  const bool index = came == status_replies({false, false});
  if (!index && came != status_replies({false}))
    return leave_untold(connection_name, "CONNECTION was answered " + in_hex(came));
  tell(connection_name, index ? protocol::AnswerName("index") : "id",
       {"CONNECTION by an id, or by an index and then a QUERY: " + in_hex(sent), in_hex(came),
        index ? "two requests were refused" : "one request was refused"});
  if (!index) return leave_untold(connection_index, "CONNECTION asks by id");
  ask_index();
}

/// Under which index the first connection of CONNECTIONS is found.
void RequestLayouts::ask_index() {
  const Readings readings = candidate_.readings();
  Bytes sent = *protocol::encode(request("CONNECTIONS", readings), {});
  for (const std::uint64_t index : {0U, 1U})
    append(sent, *protocol::encode(request("CONNECTION", readings), {{"index", index}}));
  const Bytes came = whole_reply(sent);
  const auto ids =
      ids_in(WireFormat(width_, readings), came, {"CONNECTIONS", "CONNECTION", "CONNECTION"});
  const bool whole = ids.size() == 3 && ids[1] != ids[2];
  const bool from_0 = whole && ids[0] == ids[1];
  if (!from_0 && !(whole && ids[0] == ids[2]))
    return leave_untold(connection_index, "neither 0 nor 1 is the first of all");
  tell(connection_index, from_0 ? protocol::AnswerName("from-0") : "from-1",
       {"CONNECTIONS, CONNECTION 0 and CONNECTION 1: " + in_hex(sent), in_hex(came),
        fmt::format("the first of CONNECTIONS is number {}", from_0 ? 0 : 1)});
}

}  // namespace hallmark::conformance
