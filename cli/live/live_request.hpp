#pragma once
#include <string>
#include <string_view>

namespace hallmark::cli {

/// Fields of a request's header that say who sends it; empty: the field is not there.
struct RequestOrigin {
  std::string_view host;
  std::string_view origin;
  std::string_view fetch_site;  ///< Sec-Fetch-Site
  std::string_view fetch_mode;  ///< Sec-Fetch-Mode
};

/// Returns true if the page that sends the request is Hallmark's own, or if it is a person who
/// opens it. `own_host`: the name or address at which Hallmark listens. Names of others are
/// refused, since a page from elsewhere can give the address of this machine a name of its own (DNS
/// rebinding).
bool is_own_request(const RequestOrigin& request, std::string_view own_host);

}  // namespace hallmark::cli
