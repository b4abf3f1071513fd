#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "protocol/rules/ratelimit_pattern.hpp"

namespace hallmark::protocol::ratelimit {

/// The number of a key: no other key of any run has it.
struct KeyNumber {
  std::uint64_t run = 0;     ///< random; the same for all keys of a run
  std::uint64_t number = 0;  ///< of the key in its run
};

/// A part of keys that differs from key to key.
struct KeyPlace {
  enum class Kind : std::uint8_t {
    text,      ///< `hallmark:`, the run and the number; or letters that stand for both
    digits,    ///< 18 decimal digits
    address,   ///< octets of an IPv4 address of 240.0.0.0/5, which no host has (RFC 1112)
    address6,  ///< an IPv6 address of 2001:db8::/32, which no host has (RFC 3849)
    nothing,   ///< no byte
  };
  Kind kind = Kind::text;
  std::uint8_t from = 0;      ///< of an address: the first octet, from 0
  std::uint8_t to = 4;        ///< of an address: behind the last octet
  bool dot_before = false;    ///< of an address: the pattern has the octet before it
  std::string alphabet = {};  ///< of text: its letters, at least two; empty: as `text` says

  /// The number of bits of a key's number that make a difference here, as far as it matters.
  unsigned bits() const;

  friend bool operator==(const KeyPlace&, const KeyPlace&) = default;
};

/// Keys as text with places in it.
class KeyTemplate {
 public:
  /// Text in which `{}` stands for digits, `{ip}` for an IPv4 address, `{ip6}` for an IPv6 address
  /// and `{octet}` for a number from 0 to 255. Error: one line; other braces, more than four
  /// octets.
  static base::Result<KeyTemplate> parse(std::string_view text);

  /// Keys that match the pattern: star number i stands for place number i, each `?` for a 0.
  /// Precondition: as many places as stars.
  static KeyTemplate of(const Pattern& pattern, const std::vector<KeyPlace>& places);

  /// The key of that number. No two numbers below 2^24 of a run make the same one, unless only
  /// octets differ.
  std::string key(const KeyNumber& number) const;

  const std::vector<KeyPlace>& places() const { return places_; }

 private:
  std::vector<std::string> literals_{1};  ///< before each place, and behind the last
  std::vector<KeyPlace> places_;
};

}  // namespace hallmark::protocol::ratelimit
