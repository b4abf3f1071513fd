#include <fmt/format.h>

#include "conformance/suites/throttr/readings/probe.hpp"

namespace hallmark::conformance {
namespace {

using base::Bytes;

/// No dialect lists it, wherever a code may stand.
constexpr std::uint64_t unlisted = 0xee;
/// No dialect defines them: a target may speak more than it is asked for.
constexpr std::uint8_t lowest = 0x00;
constexpr std::uint8_t highest = 0xff;

Told told_by(const std::optional<Message>& reply) {
  if (!reply) return {"closed", {}};
  return {reply->succeeded() ? protocol::AnswerName("accepted") : "refused", {}};
}

Told ttl_type_unknown(Inquiry& inquiry) {
  const std::string key = inquiry.key("type");
  const bool buffers = inquiry.together() && inquiry.format().has("SET");
  Request request = buffers ? set(key, "value", minute) : insert(key, 1, minute);
  request.values.set("ttl_type", unlisted);
  return told_by(inquiry.ask_or_be_closed(request));
}

Told attribute_unknown(Inquiry& inquiry) {
  const std::string key = inquiry.key("attribute");
  inquiry.ask(insert(key, 5));
  Request request = update(key, Attribute::quota, Change::patch, 1);
  request.values.set("attribute", unlisted);
  return told_by(inquiry.ask_or_be_closed(request));
}

Told change_unknown(Inquiry& inquiry) {
  const std::string key = inquiry.key("change");
  inquiry.ask(insert(key, 5));
  Request request =
      update(key, inquiry.together() ? Attribute::ttl : Attribute::quota, Change::patch, 1);
  request.values.set("change", unlisted);
  return told_by(inquiry.ask_or_be_closed(request));
}

/// The replies to the requests behind the opcode: one of their length each, or none.
Told opcode_unknown(Inquiry& inquiry) {
  const std::string key = inquiry.key("canary");
  Bytes sent{inquiry.together() ? highest : lowest};
  constexpr std::size_t canaries = 4;
  const Bytes asked = encoded(inquiry.format(), query(key)).bytes;
  for (std::size_t i = 0; i < canaries; ++i) sent.insert(sent.end(), asked.begin(), asked.end());
  const auto layout = inquiry.format().reply(inquiry.format().operation("QUERY"));
  const std::size_t missing = layout.fixed_size(layout.message().fields);
  Conversation& connection = inquiry.connection();
  connection.send_raw(sent);
  const auto farewell = connection.finish();
  inquiry.stage().close(connection.name());
  const std::size_t came = farewell.bytes.size();
  return inquiry.first_of(
      {{"closed", came == 0 && farewell.end != Arrival::timed_out},
       {"ignored", came == canaries * missing},
       {"refused", came == canaries * missing + protocol::status_replies({false}).size()}},
      fmt::format("after the opcode {:02x}, {} bytes came in reply to {} requests", sent.front(),
                  came, canaries));
}

}  // namespace

std::vector<ReadingProbe> unlisted_probes() {
  return {{"ttl-type-unknown", "INSERT", Cost::patient, Danger::unlisted, ttl_type_unknown},
          {"attribute-unknown", "UPDATE", Cost::patient, Danger::unlisted, attribute_unknown},
          {"change-unknown", "UPDATE", Cost::patient, Danger::unlisted, change_unknown},
          {"opcode-unknown", "QUERY", Cost::patient, Danger::unlisted, opcode_unknown}};
}

}  // namespace hallmark::conformance
