#include "cli/live/live_request.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/ip/address.hpp>

namespace hallmark::cli {
namespace {

/// The host without its port, an IPv6 address without its brackets.
std::string_view without_port(std::string_view host) {
  if (host.starts_with('[')) return host.substr(1, host.find(']') - 1);
  return host.substr(0, host.find(':'));
}

std::string name_of_this_machine() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

bool same_name(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [&](char x, char y) { return lower(x) == lower(y); });
}

bool is_own_host(std::string_view host, std::string_view own_host) {
  const std::string_view name = without_port(host);
  boost::system::error_code not_an_address;
  boost::asio::ip::make_address(std::string(name), not_an_address);
  return !not_an_address || same_name(name, "localhost") || same_name(name, own_host) ||
         same_name(name, name_of_this_machine());
}

}  // namespace

bool is_own_request(const RequestOrigin& request, std::string_view own_host) {
  if (!is_own_host(request.host, own_host)) return false;
  const bool opened = request.fetch_mode == "navigate";
  const bool foreign = request.fetch_site == "cross-site" || request.fetch_site == "same-site";
  if (foreign && !opened) return false;
  return request.origin.empty() || same_name(request.origin, "http://" + std::string(request.host));
}

}  // namespace hallmark::cli
