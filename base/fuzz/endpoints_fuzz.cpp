// Feeds arbitrary text to the readers of endpoints and authorities. An endpoint that is accepted is
// printed as text that reads back as the same one; where a password is hidden, as text that is
// accepted. A refusal is one line. A password is in neither.
//
// The last byte chooses who reads: endpoints to connect to, or to listen at; the rest is the text.
#include "base/endpoint.hpp"

#include "base/authority.hpp"
#include "base/fuzz/requirement.hpp"
#include "base/missing_scheme.hpp"

namespace hallmark::base {
namespace {

using fuzz::require;
using fuzz::require_line_about;

constexpr std::string_view hidden = "***";

/// True if the host is written as it is decoded: a name without special characters, or an address.
bool is_plain(std::string_view host) {
  constexpr std::string_view of_names =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=";
  return host.find_first_not_of(of_names) == host.npos ||
         (host.find(':') != host.npos &&
          host.find_first_not_of("0123456789abcdefABCDEF:.") == host.npos);
}

/// True if what is printed does not say all of the endpoint.
bool hides(const Endpoint& endpoint) {
  if (const auto* redis = std::get_if<RedisEndpoint>(&endpoint)) {
    // `to_string` writes decoded characters as they are.
    return !redis->password.empty() || !redis->user.empty() ||
           redis->socket.find_first_of("%?#@") != redis->socket.npos || !is_plain(redis->host);
  }
  const auto* postgres = std::get_if<PostgresEndpoint>(&endpoint);
  return postgres != nullptr && to_string(*postgres).find(hidden) != std::string::npos;
}

/// Kinds whose host is decoded and not encoded again.
bool has_plain_host(const Endpoint& endpoint) {
  if (const auto* tcp = std::get_if<TcpEndpoint>(&endpoint)) return is_plain(tcp->host);
  if (const auto* udp = std::get_if<UdpEndpoint>(&endpoint)) return is_plain(udp->host);
  return true;
}

void read_endpoint(std::string_view text, Ports ports) {
  const auto read = parse_endpoint<Endpoint>(text, ports);
  if (!read) {
    require_line_about(text, read.error().message);
    return;
  }
  if (hides(*read) || !has_plain_host(*read)) return;
  const std::string printed = to_string(*read);
  const auto again = parse_endpoint<Endpoint>(printed, ports);
  require(again && *again == *read, "an endpoint reads back as the same", printed);
}

/// A password, in front of arbitrary text.
void read_with_password(std::string_view text) {
  constexpr std::string_view password = "Zq7-secret-Zq7";
  if (text.find(password) != text.npos) return;
  for (const std::string_view scheme : {"redis://", "redis+unix://", "postgres://", "tcp://", ""}) {
    const std::string url =
        std::string(scheme) + "user:" + std::string(password) + "@" + std::string(text);
    const auto read = parse_endpoint<Endpoint>(url);
    const std::string said = read ? to_string(*read) : read.error().message;
    // Without a scheme it is the name of a file, which may look like anything.
    if (!(read && std::holds_alternative<FileEndpoint>(*read)))
      require(said.find(password) == said.npos, "a password is not shown", said);
  }
}

void read_authority(std::string_view text) {
  const auto read = parse_authority(text);
  if (!read) {
    require_line_about(text, read.error().message);
    return;
  }
  require(!read->host.empty(), "an authority has a host", text);
}

void read_ports(std::string_view text) {
  const auto read = parse_ports(text);
  if (!read) return require_line_about(text, read.error().message);
  require(read->first >= 1 && read->first <= read->last, "ports ascend from 1", text);
}

void read_parts(std::string_view text) {
  const auto decoded = percent_decoded(text);
  require(!decoded || decoded->size() <= text.size(), "decoding does not lengthen", text);
  if (const auto completed = with_missing_scheme<Endpoint>(text))
    require(has_scheme_of<TcpEndpoint, UdpEndpoint, RedisEndpoint, PostgresEndpoint>(*completed),
            "what is completed has a scheme", *completed);
}

}  // namespace
}  // namespace hallmark::base

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hallmark;
  fuzz::Input input(data, size);
  const auto ports = static_cast<base::Ports>((input.last() & 1) != 0);
  base::read_endpoint(input.text(), ports);
  base::read_with_password(input.text());
  base::read_authority(input.text());
  base::read_ports(input.text());
  base::read_parts(input.text());
  return 0;
}
