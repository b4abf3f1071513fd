#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace hallmark::base {

/// The part of a URL that says who and where (RFC 3986, section 3.2), with what was percent-encoded
/// decoded.
struct Authority {
  std::string user;      ///< empty: none was given
  std::string password;  ///< empty: none was given
  std::string host;      ///< a name or an address, an IPv6 one without its brackets; never empty
  std::optional<std::uint16_t> port;

  friend bool operator==(const Authority&, const Authority&) = default;
};

/// Reads `[USER[:PASSWORD]@]HOST[:PORT]`. A user and a password may hold characters that a URL
/// would have encoded, and an IPv6 address a zone: `[fe80::1%eth0]`. Error: what is wrong, such as
/// "no host"; nothing of a password is in it.
Result<Authority> parse_authority(std::string_view text);

/// Error: a % without two hexadecimal digits behind it.
Result<std::string> percent_decoded(std::string_view text);

/// `[USER[:PASSWORD]@]` of `text`, which it becomes the rest of. See `parse_authority`.
Result<Authority> take_credentials(std::string_view& text);

}  // namespace hallmark::base
