#include "reference/server/datagram_faults.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>

#include "reference/mutants/mutant.hpp"
#include "reference/protocol/text.hpp"

namespace hallmark::server {
namespace {

using mutants::on;
using mutants::operator""_mutant;

std::string small(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

void replace(std::string& text, std::string_view what, std::string_view with) {
  if (const std::size_t at = text.find(what); at != std::string::npos)
    text.replace(at, what.size(), with);
}

/// The id of a message with its space, and what follows it.
struct Parts {
  std::string id;
  std::string rest;
};

Parts parts_of(std::string_view message) {
  const std::size_t digits = protocol::text::tag_at_front(message).size();
  const std::size_t id = digits == 0 ? 0 : digits + 1;
  return {std::string(message.substr(0, id)), std::string(message.substr(id))};
}

std::string without_leading_zeros(const std::string& id) {
  const std::size_t first = std::min(id.find_first_not_of('0'), id.size() - 2);
  return id.substr(first);
}

/// With its space, as `id`, in an unsigned number: the largest in place of what is beyond it.
std::string of_64_bits(const std::string& id) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
  if (error != std::errc::result_out_of_range) return id;
  return std::to_string(std::numeric_limits<std::uint64_t>::max()) + " ";
}

/// Of an id of 32 bits its last 16.
std::string of_16_bits(const std::string& id) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
  if (error != std::errc() || number <= std::numeric_limits<std::uint16_t>::max()) return id;
  return std::to_string(static_cast<std::uint16_t>(number)) + " ";
}

std::string spoilt_id(const std::string& request_id, DatagramMemory& memory) {
  std::string id = request_id;
  if (on("id.missing"_mutant)) return "";
  if (on("id.always"_mutant) && id.empty()) return "0 ";
  if (on("id.without-space"_mutant) && !id.empty()) id.pop_back();
  if (on("id.number"_mutant) && !id.empty()) return without_leading_zeros(id);
  if (on("id.zero-is-none"_mutant) && id == "0 ") return "";
  if (on("id.of-64-bits"_mutant)) return of_64_bits(id);
  if (on("id.of-16-bits"_mutant)) return of_16_bits(id);
  if (on("id.of-the-last-request"_mutant)) std::swap(id, memory.id);
  return id;
}

/// The words of an answer to over_limit: ok, verdict, rate, limit, period.
void spoil_over_limit(std::string& text) {
  if (!text.starts_with("ok ") || text.size() < 4) return;
  char& verdict = text[3];
  if (on("over.inverted"_mutant)) verdict = verdict == 'Y' ? 'N' : 'Y';
  if (on("over.small-letters"_mutant)) verdict = verdict == 'Y' ? 'y' : 'n';
  const std::size_t period = text.rfind(' ');
  const std::size_t limit = text.rfind(' ', period - 1);
  if (on("over.without-period"_mutant)) text.resize(period);
  if (on("over.limit-and-period-swapped"_mutant)) {
    text = text.substr(0, limit) + text.substr(period) + text.substr(limit, period - limit);
  }
  if (on("over.two-decimals"_mutant)) text.insert(limit, "0");
}

void spoil_statistics(std::string& text, DatagramMemory& memory) {
  const std::size_t key = text.find(" key=");
  if (!text.starts_with("n_req=") || key == std::string::npos) return;
  const std::string own = text.substr(key + 5);
  if (on("stats.without-key"_mutant)) text.resize(key);
  if (on("keys.small-letters"_mutant)) text = text.substr(0, key + 5) + small(own);
  if (on("stats.of-the-last-key"_mutant)) text = text.substr(0, key + 5) + memory.key;
  memory.key = own;
}

std::string spoilt_rest(std::string text, DatagramMemory& memory) {
  spoil_over_limit(text);
  spoil_statistics(text, memory);
  if (on("ping.capitals"_mutant) && text == "pong") text = "PONG";
  if (on("size.without-keys"_mutant) && text.starts_with("size=")) text.resize(text.find(' '));
  if (on("size.negative"_mutant)) replace(text, " keys=", " keys=-");
  return text;
}

bool unrecognisable() {
  return on("id.missing"_mutant) || on("id.without-space"_mutant) ||
         on("id.of-the-last-request"_mutant) || on("reply.newline"_mutant) ||
         on("reply.nul"_mutant);
}

std::string spoilt_end() {
  if (on("reply.newline"_mutant)) return "\n";
  if (on("reply.nul"_mutant)) return std::string(1, '\0');
  return {};
}

}  // namespace

std::string spoilt_request(std::string_view request) {
  auto [id, rest] = parts_of(request);
  if (on("id.negative"_mutant) && request.starts_with('-')) {
    const Parts positive = parts_of(request.substr(1));
    return positive.id + positive.rest;
  }
  if (on("commands.by-prefix"_mutant) && rest.starts_with("ping")) rest = "ping";
  if (on("commands.ignore-case"_mutant)) {
    const std::size_t command = std::min(rest.find(' '), rest.size());
    rest = small(rest.substr(0, command)) + rest.substr(command);
  }
  if (on("commands.blanks-before"_mutant)) rest.erase(0, rest.find_first_not_of(' '));
  if (on("commands.no-id-before-over_limit"_mutant) && !id.empty() &&
      rest.starts_with("over_limit")) {
    return "";
  }
  if (on("keys.end-at-a-space"_mutant)) {
    const std::size_t key = rest.find(' ');
    if (key != std::string::npos) rest.resize(std::min(rest.find(' ', key + 1), rest.size()));
  }
  return id + rest;
}

std::string spoilt_reply(std::string_view request, std::string reply, DatagramMemory& memory) {
  if (reply.empty()) return on("commands.error-reply"_mutant) ? "error" : "";
  if (on("id.negative"_mutant) && request.starts_with('-')) return "-" + reply;
  const Parts parts = parts_of(reply);
  std::string spoilt = spoilt_id(parts.id, memory);
  spoilt.append(spoilt_rest(parts.rest, memory)).append(spoilt_end());
  // A target that answers no ping as it should is not taken for one at all.
  return parts.rest == "pong" && unrecognisable() ? reply : spoilt;
}

}  // namespace hallmark::server
