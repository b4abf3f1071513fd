#include "base/number.hpp"

#include <charconv>
#include <concepts>
#include <cstdint>

namespace hallmark::base {

template <class Number>
std::optional<Leading<Number>> leading_number(std::string_view text, Notation notation) {
  Leading<Number> leading;
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  std::from_chars_result read{};
  if constexpr (std::floating_point<Number>) {
    read = std::from_chars(
        begin, end, leading.number,
        notation == Notation::fixed ? std::chars_format::fixed : std::chars_format::general);
  } else {
    read = std::from_chars(begin, end, leading.number);
  }
  if (read.ec != std::errc{}) return std::nullopt;
  leading.length = static_cast<std::size_t>(read.ptr - begin);
  return leading;
}

template std::optional<Leading<std::uint16_t>> leading_number(std::string_view, Notation);
template std::optional<Leading<std::uint32_t>> leading_number(std::string_view, Notation);
template std::optional<Leading<std::uint64_t>> leading_number(std::string_view, Notation);
template std::optional<Leading<std::int32_t>> leading_number(std::string_view, Notation);
template std::optional<Leading<std::int64_t>> leading_number(std::string_view, Notation);
template std::optional<Leading<double>> leading_number(std::string_view, Notation);

}  // namespace hallmark::base
