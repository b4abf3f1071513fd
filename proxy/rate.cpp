#include "proxy/rate.hpp"

#include <fmt/format.h>

#include <charconv>

namespace hallmark::proxy {

Result<double> parse_rate(std::string_view text) {
  const bool percent = text.ends_with('%');
  const std::string_view digits = text.substr(0, text.size() - (percent ? 1 : 0));
  const char* const end = digits.data() + digits.size();
  double number = 0;
  const auto [stop, error] = std::from_chars(digits.data(), end, number, std::chars_format::fixed);
  const double rate = percent ? number / 100 : number;
  // Written so that a NaN, which from_chars reads, is refused too.
  if (error == std::errc{} && stop == end && rate >= 0 && rate <= 1) return rate;
  return Error{fmt::format("'{}'; allowed: 0% to 100%, or a share from 0 to 1", text)};
}

}  // namespace hallmark::proxy
