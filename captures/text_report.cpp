#include "captures/text_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/hex.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"
#include "protocol/annotate.hpp"

namespace hallmark::captures {
namespace {

using base::counted;
using reports::Colour;

constexpr std::size_t most_bytes_of_finding = 32;

/// "0.001234567 s": comparable with what other tools print.
std::string seconds(Time time) {
  const bool before = time < Time::zero();  // packets need not be in the order of their times
  const auto ns = static_cast<std::uint64_t>(before ? -time.count() : time.count());
  return fmt::format("{}{}.{:09} s", before ? "-" : "", ns / 1'000'000'000, ns % 1'000'000'000);
}

std::string label(std::uint32_t connection, std::uint64_t number) {
  std::string text = connection == 0 ? "" : fmt::format("c{} ", connection);
  if (number > 0) text += fmt::format("#{} ", number);
  return text;
}

std::string_view explain(Evidence evidence) {
  switch (evidence) {
    case Evidence::handshake: return "";
    case Evidence::port: return "client and server told apart by --port";
    case Evidence::decoding: return "client and server guessed: whose bytes are requests";
    case Evidence::port_order: return "client and server guessed: the smaller port serves";
  }
  return "";
}

std::string bytes_and_place(const Message& message) {
  return fmt::format("{} at {}", counted(message.bytes.size(), "byte", "bytes"), message.offset);
}

std::string after(Time latency) {
  return latency < Time::zero()
             ? fmt::format("{} before its request", base::human_duration(-latency))
             : fmt::format("after {}", base::human_duration(latency));
}

}  // namespace

void TextReport::begin(const Source& source) {
  std::string spoken(format_.dialect().name);
  if (format_.width() != protocol::Width::none)
    spoken += fmt::format(" {}", protocol::name_of(format_.width()));
  std::string what = fmt::format("{}: {} {}; {}, profile {}", source.name,
                                 source.detected ? "taken for" : "read as",
                                 captures::name_of(source.format), spoken, source.profile);
  if (!source.readings.empty()) what += fmt::format(", {}", fmt::join(source.readings, ", "));
  line(reports::paint(options_.style, Colour::bold, what));
}

void TextReport::add(const Event& event) {
  std::visit([&](const auto& what) { write(event.connection, what); }, event.what);
}

void TextReport::write(std::uint32_t connection, const Opened& opened) {
  std::string text = fmt::format("c{} {} -> {}, from {}", connection, opened.client, opened.server,
                                 seconds(opened.at));
  if (is_guess(opened.evidence) || opened.evidence == Evidence::port) {
    text += fmt::format("; {}", explain(opened.evidence));
  }
  if (!opened.from_beginning) text += "; the capture begins within it";
  line("\n" + reports::paint(options_.style, Colour::bold, text));
}

void TextReport::write(std::uint32_t connection, const Closed& closed) {
  for (auto it = remarks_.lower_bound({connection, FindingKind{}});
       it != remarks_.end() && it->first.first == connection; it = remarks_.erase(it)) {
    if (it->second <= options_.most_remarks) continue;
    line(fmt::format("c{} - and {} more: {}", connection, it->second - options_.most_remarks,
                     captures::name_of(it->first.second)));
  }
  line(reports::paint(
      options_.style, Colour::dim,
      fmt::format("c{} ends at {}: {}", connection, seconds(closed.at), closed.how)));
}

void TextReport::write(std::uint32_t connection, const Request& request) {
  title(connection, request.number, request.message.layout.name(), "request", request.message, "");
  if (!request.answered_under) return;
  line(fmt::format("  no reply: sent only under {}={}", request.answered_under->reading,
                   request.answered_under->answer));
}

void TextReport::write(std::uint32_t connection, const Reply& reply) {
  std::string more;
  if (reply.latency) more += ", " + after(*reply.latency);
  if (reply.guessed) more += ", paired by a guess";
  title(connection, reply.number, reply.message.layout.name(), "reply", reply.message, more);
}

void TextReport::write(std::uint32_t connection, const Push& push) {
  const std::string more =
      push.awaiting == 0 ? "" : fmt::format(", before the reply to #{}", push.awaiting);
  title(connection, 0, push.message.layout.name(), "push", push.message, more);
}

void TextReport::title(std::uint32_t connection, std::uint64_t number, std::string_view name,
                       std::string_view kind, const Message& message, const std::string& more) {
  std::string text =
      fmt::format("{}{} {}, {}", label(connection, number), name, kind, bytes_and_place(message));
  if (message.at) text += ", " + seconds(*message.at);
  line((kind == "reply" ? "" : "\n") + reports::paint(options_.style, Colour::cyan, text + more));
  fields(message.layout, message.bytes);
}

void TextReport::fields(const protocol::Layout& layout, ByteView bytes) {
  protocol::Decoder decoder = Format::decoder(layout);
  decoder.resume(bytes);
  write_(protocol::dump(protocol::annotate(decoder, bytes, options_.most_records), bytes));
}

bool TextReport::admits(std::uint32_t connection, FindingKind kind) {
  return is_fault(kind) || ++remarks_[{connection, kind}] <= options_.most_remarks;
}

void TextReport::write(std::uint32_t connection, const Finding& finding) {
  if (!admits(connection, finding.kind)) return;
  const bool fault = is_fault(finding.kind);
  std::string text = fmt::format("{}{} {}", label(connection, finding.number), fault ? "!" : "-",
                                 captures::name_of(finding.kind));
  if (finding.kind != FindingKind::damaged && finding.kind != FindingKind::unanswered) {
    text += fmt::format(", {} at {} of the {}", counted(finding.where.length, "byte", "bytes"),
                        finding.where.offset, name_of(finding.side));
  }
  if (finding.at) text += ", " + seconds(*finding.at);
  line(reports::paint(options_.style, fault ? Colour::red : Colour::yellow,
                      text + ": " + finding.reason));
  if (finding.layout) return fields(*finding.layout, finding.bytes);
  if (finding.bytes.empty()) return;
  const ByteView first =
      ByteView(finding.bytes).first(std::min(finding.bytes.size(), most_bytes_of_finding));
  line(fmt::format("{:>6}  {}{}", 0, base::to_hex(first),
                   first.size() < finding.where.length ? "…" : ""));
}

void TextReport::end(const Tally& tally, const CaptureSummary* capture) {
  line("");
  const bool of_datagrams = format_.dialect().transport == protocol::Transport::datagram;
  if (capture != nullptr) {
    line(fmt::format("{} in {} of link type {}, {} of payload{}",
                     of_datagrams ? counted(capture->segments, "datagram", "datagrams")
                                  : counted(capture->segments, "segment", "segments"),
                     counted(capture->frames, "frame", "frames"), capture->link_type,
                     counted(capture->payload, "byte", "bytes"),
                     capture->other_ports == 0
                         ? ""
                         : fmt::format("; left out with other ports: {}", capture->other_ports)));
  }
  std::vector<std::string> parts = {counted(tally.requests, "request", "requests"),
                                    counted(tally.replies, "reply", "replies")};
  if (tally.pushes > 0) parts.push_back(counted(tally.pushes, "push", "pushes"));
  if (capture != nullptr) parts.push_back(counted(tally.connections, "connection", "connections"));
  for (const auto& [kind, count] : tally.findings) {
    parts.push_back(fmt::format("{} {}", base::grouped(count), captures::name_of(kind)));
  }
  const char* const verdict = tally.clean() ? "DECODED" : tally.faults() > 0 ? "FAULTS" : "NOTHING";
  line(fmt::format(
      "{}  {}",
      reports::paint(options_.style, tally.clean() ? Colour::green : Colour::red, verdict),
      fmt::join(parts, ", ")));
}

}  // namespace hallmark::captures
