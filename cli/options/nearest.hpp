#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hallmark::cli {

/// The one of `names` that was probably meant by `came`: one that it begins, or the one that fewest
/// typing errors lead to it from, at most one for every three letters. Typing errors are letters
/// left out, added, replaced, or swapped with their neighbour (Damerau 1964, as optimal string
/// alignment). Of several that are equally near, the first. Nothing if none is near.
std::optional<std::string> nearest(std::string_view came, std::span<const std::string> names);

/// "; did you mean NAME?" for a name that is near, otherwise `otherwise`.
std::string did_you_mean(std::string_view came, std::span<const std::string> names,
                         std::string_view otherwise);

}  // namespace hallmark::cli
