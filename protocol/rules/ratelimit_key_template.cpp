#include "protocol/rules/ratelimit_key_template.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

namespace hallmark::protocol::ratelimit {
namespace {

using Kind = KeyPlace::Kind;

constexpr unsigned many_bits = 64;
constexpr unsigned address_bits = 27;
constexpr unsigned octet_bits = 8;
constexpr std::uint64_t first_octet = 240;
/// Odd, so that no two numbers meet; 2^32 divided by the golden ratio, so that the octets differ
/// between neighbours, wherever a rule looks.
constexpr std::uint64_t stride = 2'654'435'761;

std::array<std::uint64_t, 4> address_of(const KeyNumber& of) {
  const std::uint64_t host =
      (of.run + of.number * stride) & ((std::uint64_t{1} << address_bits) - 1);
  return {first_octet + (host >> 24), (host >> 16) & 0xff, (host >> 8) & 0xff, host & 0xff};
}

std::string octets(const KeyPlace& place, const KeyNumber& of) {
  const auto address = address_of(of);
  std::string text;
  for (std::size_t i = place.from; i < place.to; ++i)
    text += fmt::format("{}{}", i > place.from || place.dot_before ? "." : "", address[i]);
  return text;
}

/// No group is 0, so that there is one way to write it.
std::string address6(const KeyNumber& of) {
  std::string text = "2001:db8";
  for (const unsigned shift : {48U, 32U, 16U, 0U})
    text += fmt::format(":{:x}", (of.run >> shift & 0xffff) | 0x1000);
  return text + fmt::format(":{:x}:{:x}", (of.number >> 12 & 0xfff) | 0x1000,
                            (of.number & 0xfff) | 0x1000);
}

/// The number of letters with which all numbers of those bits have a text of that length.
std::string letters(std::uint64_t number, unsigned bits, std::string_view alphabet) {
  std::string text;
  for (std::uint64_t most = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
       most > 0; most /= alphabet.size(), number /= alphabet.size())
    text += alphabet[number % alphabet.size()];
  return text;
}

std::string text_of(const KeyPlace& place, const KeyNumber& of) {
  if (place.alphabet.empty()) return fmt::format("hallmark:{:016x}:{}", of.run, of.number);
  return letters(of.run, 64, place.alphabet) + letters(of.number, 32, place.alphabet);
}

std::string filled(const KeyPlace& place, const KeyNumber& of) {
  switch (place.kind) {
    case Kind::text: return text_of(place, of);
    case Kind::digits:
      return fmt::format("{:012}{:06}", of.run % 1'000'000'000'000, of.number % 1'000'000);
    case Kind::address: return octets(place, of);
    case Kind::address6: return address6(of);
    case Kind::nothing: return {};
  }
  return {};
}

/// The place that a name between braces stands for; empty for an unknown name.
std::optional<KeyPlace> place_named(std::string_view name) {
  if (name.empty()) return KeyPlace{.kind = Kind::digits};
  if (name == "ip") return KeyPlace{.kind = Kind::address};
  if (name == "ip6") return KeyPlace{.kind = Kind::address6};
  if (name == "octet") return KeyPlace{.kind = Kind::address, .from = 3};
  return std::nullopt;
}

/// Several octets are the last ones of an address.
void number_octets(std::vector<KeyPlace>& places) {
  std::uint8_t octet = 4;
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    if (place->kind != Kind::address || place->from == 0) continue;
    place->to = octet;
    place->from = --octet;
  }
}

}  // namespace

unsigned KeyPlace::bits() const {
  if (kind == Kind::nothing) return 0;
  if (kind != Kind::address) return many_bits;
  if (from >= to) return 0;
  const unsigned all = octet_bits * static_cast<unsigned>(to - from);
  return from == 0 ? all - (4 * octet_bits - address_bits) : all;
}

base::Result<KeyTemplate> KeyTemplate::parse(std::string_view text) {
  const auto wrong = [&, whole = text](std::string_view what) {
    return base::Error{
        fmt::format("key pattern '{}' has {}; allowed: {{}} for digits, {{ip}}, {{ip6}}, at most 4 "
                    "of {{octet}}",
                    whole, what)};
  };
  KeyTemplate made;
  std::size_t octets = 0;
  for (auto open = text.find_first_of("{}"); open != std::string_view::npos;
       open = text.find_first_of("{}")) {
    const auto close = text.find('}', open);
    if (text[open] == '}' || close == std::string_view::npos) return wrong("a single brace");
    const std::string_view name = text.substr(open + 1, close - open - 1);
    auto place = place_named(name);
    if (!place) return wrong(fmt::format("{{{}}}", name));
    if (name == "octet" && ++octets > 4) return wrong("more octets than an address");
    made.literals_.back() += text.substr(0, open);
    made.literals_.emplace_back();
    made.places_.push_back(std::move(*place));
    text.remove_prefix(close + 1);
  }
  made.literals_.back() += text;
  number_octets(made.places_);
  return made;
}

KeyTemplate KeyTemplate::of(const Pattern& pattern, const std::vector<KeyPlace>& places) {
  KeyTemplate made;
  made.places_ = places;
  made.literals_.clear();
  for (std::size_t i = 0; i <= places.size(); ++i) made.literals_.push_back(pattern.between(i));
  return made;
}

std::string KeyTemplate::key(const KeyNumber& number) const {
  std::string key = literals_.front();
  for (std::size_t i = 0; i < places_.size(); ++i)
    key += filled(places_[i], number) + literals_[i + 1];
  return key;
}

}  // namespace hallmark::protocol::ratelimit
