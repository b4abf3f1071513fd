#pragma once

#include <optional>

#include "conformance/identify/clue.hpp"
#include "protocol/readings.hpp"

namespace hallmark::conformance {

/// What an unknown endpoint turned out to be.
struct Identification {
  std::string unreachable;  ///< one line; empty: there was a connection
  std::string stranger;     ///< one line that says why it is no Throttr; empty: it is one
  /// Null: no dialect, or more than one that its messages fit.
  const protocol::Dialect* dialect = nullptr;
  /// Those that its messages fit.
  std::vector<const protocol::Dialect*> possible;
  std::optional<protocol::Width> width;
  /// "dialect" and "width", then readings in the order of the dialect's table.
  std::vector<Finding> findings;
  /// As told; as released servers where not. Nothing without a dialect.
  std::optional<protocol::Readings> readings;

  bool known() const { return dialect != nullptr && width.has_value(); }
  /// Null when the question did not arise.
  const Finding* find(std::string_view subject) const;
  /// "throttr-7.1 at u16".
  std::string spoken() const;
};

}  // namespace hallmark::conformance
