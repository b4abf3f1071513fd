#include "captures/json_report.hpp"

#include <fmt/format.h>

#include "base/hex.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "protocol/annotate.hpp"

namespace hallmark::captures {
namespace {

using base::Json;

/// Readers of JSON that know doubles only keep 53 bits: larger numbers become text, as in reports.
Json number(std::uint64_t value) {
  constexpr std::uint64_t exact = (std::uint64_t{1} << 53) - 1;
  return value <= exact ? Json(value) : Json(std::to_string(value));
}

std::string dumped(const Json& json) { return json.dump(); }

Json field(const protocol::Annotation& annotation) {
  return {{"path", annotation.path},
          {"offset", annotation.offset},
          {"length", annotation.length},
          {"meaning", base::printable(annotation.meaning)}};
}

/// Every field but groups, and tags that were not sent, has its annotation, in the same order.
Json fields(const protocol::Layout& layout, ByteView bytes) {
  protocol::Decoder decoder = Format::decoder(layout);
  decoder.resume(bytes);
  Json list = Json::array();
  for (const auto& annotation : protocol::annotate(decoder, bytes))
    list.push_back(field(annotation));
  std::size_t position = 0;
  for (const protocol::FieldValue& value : decoder.fields()) {
    if (value.field->is<protocol::kinds::Group>() || value.absent()) continue;
    if (value.field->numeric()) list[position]["number"] = number(value.number);
    ++position;
  }
  return list;
}

void put_time(Json& event, const char* key, std::optional<Time> time) {
  if (time) event[key] = time->count();
}

void put(Json& event, const Message& message) {
  event["message"] = message.layout.name();
  event["offset"] = number(message.offset);
  put_time(event, "at_ns", message.at);
  event["hex"] = base::to_hex(message.bytes);
  event["fields"] = fields(message.layout, message.bytes);
}

Json json_of(const Opened& opened) {
  return {{"event", "opened"},
          {"client", opened.client},
          {"server", opened.server},
          {"at_ns", opened.at.count()},
          {"told_apart_by", captures::name_of(opened.evidence)},
          {"guessed", is_guess(opened.evidence)},
          {"from_beginning", opened.from_beginning}};
}

Json json_of(const Closed& closed) {
  return {{"event", "closed"}, {"how", closed.how}, {"at_ns", closed.at.count()}};
}

Json json_of(const Request& request) {
  Json event = {{"event", "request"}, {"number", number(request.number)}};
  put(event, request.message);
  if (request.answered_under) {
    event["answered_under"] = {{"reading", request.answered_under->reading},
                               {"answer", request.answered_under->answer}};
  }
  return event;
}

Json json_of(const Reply& reply) {
  Json event = {{"event", "reply"}, {"number", number(reply.number)}};
  put(event, reply.message);
  put_time(event, "latency_ns", reply.latency);
  event["guessed"] = reply.guessed;
  return event;
}

Json json_of(const Push& push) {
  Json event = {{"event", "push"}, {"awaiting", number(push.awaiting)}};
  put(event, push.message);
  return event;
}

Json json_of(const Finding& finding) {
  Json event = {{"event", "finding"},
                {"kind", captures::name_of(finding.kind)},
                {"fault", is_fault(finding.kind)},
                {"side", name_of(finding.side)},
                {"offset", number(finding.where.offset)},
                {"length", number(finding.where.length)},
                {"reason", base::printable(finding.reason)}};
  if (finding.number != 0) event["number"] = number(finding.number);
  put_time(event, "at_ns", finding.at);
  if (!finding.bytes.empty()) event["hex"] = base::to_hex(finding.bytes);
  if (finding.layout) {
    event["message"] = finding.layout->name();
    event["fields"] = fields(*finding.layout, finding.bytes);
  }
  return event;
}

Json json_of(const Tally& tally) {
  Json findings = Json::object();
  for (const auto& [kind, count] : tally.findings) {
    findings[std::string(captures::name_of(kind))] = number(count);
  }
  return {{"connections", number(tally.connections)}, {"requests", number(tally.requests)},
          {"replies", number(tally.replies)},         {"pushes", number(tally.pushes)},
          {"faults", number(tally.faults())},         {"findings", std::move(findings)}};
}

Json json_of(const CaptureSummary& capture) {
  return {{"link_type", capture.link_type},
          {"frames", number(capture.frames)},
          {"segments", number(capture.segments)},
          {"other_ports", number(capture.other_ports)},
          {"payload", number(capture.payload)}};
}

}  // namespace

void JsonReport::begin(const Source& source) {
  const Json input = {{"name", base::printable(source.name)},
                      {"format", captures::name_of(source.format)},
                      {"detected", source.detected}};
  const Json head = {{"format", "hallmark-transcript"},
                     {"format_version", 1},
                     {"dialect", format_.dialect().name},
                     {"width", protocol::name_of(format_.width())},
                     {"profile", source.profile},
                     {"readings", source.readings},
                     {"input", input}};
  std::string text = dumped(head);
  text.pop_back();  // the document goes on
  write_(text + ",\"events\":[");
}

void JsonReport::add(const Event& event) {
  Json json = {{"connection", event.connection}};
  json.update(std::visit([](const auto& what) { return json_of(what); }, event.what));
  write_((first_ ? "\n" : ",\n") + dumped(json));
  first_ = false;
}

void JsonReport::end(const Tally& tally, const CaptureSummary* capture, int exit_code) {
  std::string text = fmt::format("{}],\"summary\":{}", first_ ? "" : "\n", dumped(json_of(tally)));
  if (capture != nullptr) text += fmt::format(",\"capture\":{}", dumped(json_of(*capture)));
  write_(text + fmt::format(",\"exit_code\":{}}}\n", exit_code));
}

}  // namespace hallmark::captures
