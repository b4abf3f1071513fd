#pragma once
#include <span>
#include <string>

namespace hallmark::distributed {

/// The first difference between the options of two command lines, as one line such as `--rate 5k
/// instead of --rate 4k`; empty if there is none. Their order does not count, and where results go
/// may differ.
std::string option_difference(std::span<const std::string> options,
                              std::span<const std::string> expected);

}  // namespace hallmark::distributed
