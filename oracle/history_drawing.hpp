#pragma once
#include <functional>
#include <string>

#include "oracle/history_reduction.hpp"

namespace hallmark::oracle {

/// The names that people have for what a history knows by numbers.
struct HistoryNames {
  std::function<std::string(std::uint32_t)> client;
  std::function<std::string(ValueNumber)> value;  ///< in quotes, short
};

/// A violation in one line: what cannot be, and why.
std::string summary(const SmallHistory& history, const HistoryNames& names);

/// A violation as lines of text for a font of one width: a lane a connection, in it each operation
/// from its invocation to its return with what it was told, and below where no order fits and what
/// the record can be by then. At most `most_columns` wide, which has to be at least 60: a long
/// history goes on further down.
///
///            0 µs  9 µs  31 µs  44 µs …
///     c1     ├INCREASE 1 → ok┤
///     c2       ├INCREASE 1 → ok┤
///     c3                         ├QUERY → 8┤
///                                          ▲ no order fits here: the counter is 9
std::vector<std::string> drawn(const SmallHistory& history, const HistoryNames& names,
                               std::size_t most_columns = 90);

}  // namespace hallmark::oracle
