#pragma once

namespace hallmark::base {

/// True if `byte` is a decimal digit of ASCII, in every locale.
constexpr bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

}  // namespace hallmark::base
