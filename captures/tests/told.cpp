#include "captures/tests/told.hpp"

#include <fmt/format.h>

#include "base/hex.hpp"

namespace hallmark::captures {
namespace {

std::string short_of(const Opened& opened) {
  return fmt::format("opened {} -> {} by {}{}", opened.client, opened.server,
                     name_of(opened.evidence), opened.from_beginning ? "" : ", from within");
}
std::string short_of(const Closed& closed) { return "closed: " + closed.how; }
std::string short_of(const Request& request) {
  return fmt::format("#{} {} request{}", request.number, request.message.layout.name(),
                     request.answered_under ? ", no reply" : "");
}
std::string short_of(const Reply& reply) {
  return fmt::format("#{} {} reply{}", reply.number, reply.message.layout.name(),
                     reply.guessed ? ", guessed" : "");
}
std::string short_of(const Push& push) {
  return fmt::format("{} push before #{}", push.message.layout.name(), push.awaiting);
}
std::string short_of(const Finding& finding) {
  std::string text =
      fmt::format("{} {} {} {}+{}", is_fault(finding.kind) ? "!" : "-", name_of(finding.kind),
                  name_of(finding.side), finding.where.offset, finding.where.length);
  if (finding.number > 0) text += fmt::format(" #{}", finding.number);
  return text + ": " + finding.reason;
}

}  // namespace

std::string in_short(const Event& event) {
  const std::string label = event.connection == 0 ? "" : fmt::format("c{} ", event.connection);
  return label + std::visit([](const auto& what) { return short_of(what); }, event.what);
}

Sink Told::sink() {
  return [this](const Event& event) { lines_.push_back(in_short(event)); };
}

std::vector<std::string> Told::findings() const {
  std::vector<std::string> found;
  for (const std::string& line : lines_) {
    const auto mark = line.find_first_of("!-");
    const bool finding = mark != std::string::npos && (mark == 0 || line[mark - 1] == ' ') &&
                         line.compare(mark + 1, 1, " ") == 0;
    if (finding) found.push_back(line.substr(mark, line.find(": ") - mark));
  }
  return found;
}

const Format& deployed() {
  static const Format format(
      protocol::Width::u16, protocol::Readings(protocol::throttr_7_1, protocol::Profile::deployed));
  return format;
}

const Format& literal() {
  static const Format format(protocol::Width::u16,
                             protocol::Readings(protocol::throttr_7_1, protocol::Profile::literal));
  return format;
}

const Format& limiter() {
  static const Format format(
      protocol::Width::none,
      protocol::Readings(protocol::ratelimit_udp, protocol::Profile::deployed));
  return format;
}

Bytes hex(std::string_view text) { return base::from_hex(text).value(); }

}  // namespace hallmark::captures
