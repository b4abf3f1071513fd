#pragma once
#include "base/endpoint.hpp"

namespace hallmark::base {

namespace detail {

std::optional<std::string> with_scheme(std::string_view text, EndpointKinds wanted);

}  // namespace detail

/// Completes a text that lacks nothing but its scheme: "redis://127.0.0.1:6390" for
/// "127.0.0.1:6390". `Wanted`: as of `parse_endpoint`. Of several schemes that fit, the one whose
/// usual port it is goes first, then their order there. A password is `***`. Returns nothing for
/// a text that is neither HOST:PORT nor an address nor localhost, with what else the scheme allows
/// around it.
template <class Wanted>
std::optional<std::string> with_missing_scheme(std::string_view text) {
  return detail::with_scheme(text, detail::kinds_of<Wanted>());
}

}  // namespace hallmark::base
