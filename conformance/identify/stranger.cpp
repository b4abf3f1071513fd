#include "conformance/identify/stranger.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "conformance/identify/clue.hpp"

namespace hallmark::conformance {
namespace {

using base::ByteView;

/// The first bytes that well-known servers send when they do not understand a client, or before it
/// says anything.
struct Manner {
  std::string_view begins;
  std::string_view who;
};

constexpr Manner manners[] = {
    {"HTTP/", "HTTP servers"},          {"<!DOCTYPE", "HTTP servers"},
    {"\x15\x03", "TLS servers"},        {"SSH-", "SSH servers"},
    {"220", "mail and FTP servers"},    {"421", "mail and FTP servers"},
    {"-ERR", "Redis and mail servers"}, {"-NOAUTH", "Redis servers"},
    {"-DENIED", "Redis servers"},       {"ERROR\r\n", "memcached servers"},
};

std::string_view whose_manner(ByteView sent, ByteView came) {
  const std::string_view text = base::as_text(came);
  for (const Manner& manner : manners) {
    if (text.starts_with(manner.begins)) return manner.who;
  }
  const bool echo = came.size() > 1 && came.size() <= sent.size() &&
                    std::ranges::equal(came, sent.first(came.size()));
  return echo ? "echo servers" : std::string_view{};
}

/// The first line, where that is readable.
std::string quoted(ByteView came) {
  const std::string_view text = base::as_text(came);
  const std::string_view line = text.substr(0, std::min(text.find_first_of("\r\n"), text.size()));
  const bool readable = line.size() > 3 && std::ranges::all_of(line, base::is_printable);
  return readable ? fmt::format(" \"{}\"", base::shorten(line, 60)) : std::string();
}

}  // namespace

std::string describe_stranger(std::string_view what, ByteView sent, ByteView came,
                              std::optional<Ending> ending) {
  if (came.empty() && ending == Ending::silent)
    return fmt::format("it said nothing to {} within the deadline", what);
  if (came.empty()) return fmt::format("it closed the connection without a byte after {}", what);
  std::string text = fmt::format("it answered {} with {}{}", what, in_hex(came), quoted(came));
  const std::string_view who = whose_manner(sent, came);
  if (!who.empty()) text += fmt::format(", as {} do", who);
  if (ending == Ending::silent) text += ", and then nothing within the deadline";
  return text;
}

}  // namespace hallmark::conformance
