#include "base/authority.hpp"

#include <algorithm>
#include <boost/url/authority_view.hpp>
#include <boost/url/parse.hpp>

#include "base/number.hpp"
#include "base/text.hpp"

namespace hallmark::base {
namespace {

namespace urls = boost::urls;

/// Takes the zone out of `[ADDRESS%ZONE]`, which Boost.URL does not know; with its %.
std::string take_zone(std::string& host) {
  const auto begin = host.find('%');
  const auto end = host.find(']');
  if (!host.starts_with('[') || begin == host.npos || end == host.npos || end < begin) return {};
  std::string zone = host.substr(begin, end - begin);
  host.erase(begin, zone.size());
  return zone;
}

constexpr const char* bad_port = "the port is not a number up to 65535";

/// Why Boost.URL does not read it.
std::string reason_against(std::string_view place) {
  const auto host = urls::parse_authority(place.substr(0, place.rfind(':')));
  if (host && !host->has_port()) return bad_port;
  return "not HOST or HOST:PORT, with an IPv6 address in brackets";
}

}  // namespace

Result<std::string> percent_decoded(std::string_view text) {
  const auto checked = urls::make_pct_string_view(text);
  if (!checked) return Error{"a % without two hexadecimal digits"};
  return checked->decode();
}

Result<Authority> take_credentials(std::string_view& text) {
  Authority read;
  const auto at = text.rfind('@');
  if (at == text.npos) return read;
  const auto given = text.substr(0, at);
  text.remove_prefix(at + 1);
  const auto colon = std::min(given.find(':'), given.size());
  const auto user = percent_decoded(given.substr(0, colon));
  const auto password = percent_decoded(given.substr(std::min(colon + 1, given.size())));
  if (!user) return user.error();
  if (!password) return password.error();
  read.user = *user;
  read.password = *password;
  return read;
}

Result<Authority> parse_authority(std::string_view text) {
  auto read = take_credentials(text);
  if (!read) return read;
  std::string place(text);
  const std::string zone = take_zone(place);
  const auto parsed = urls::parse_authority(place);
  if (!parsed) return Error{reason_against(place)};
  read->host = parsed->host_address() + zone;
  if (read->host.empty()) return Error{"no host"};
  if (printable(read->host) != read->host || read->host.find(' ') != std::string::npos)
    return Error{"the host has characters that no host has"};
  if (!parsed->has_port()) return read;
  read->port = number_in<std::uint16_t>(parsed->port());
  if (!read->port) return Error{bad_port};
  return read;
}

}  // namespace hallmark::base
