#pragma once

#include <optional>

#include "conformance/identify/clue.hpp"
#include "protocol/readings.hpp"

namespace hallmark::conformance {

/// The result of identifying an unknown endpoint.
struct Identification {
  std::string unreachable;  ///< one line; empty: there was a connection
  std::string stranger;     ///< one line that says why it is no Throttr; empty: it is one
  /// The run was over before more was known: what is told of a stranger comes of that.
  bool interrupted = false;
  /// Null if its messages fit no dialect, or more than one.
  const protocol::Dialect* dialect = nullptr;
  /// The dialects that its messages fit.
  std::vector<const protocol::Dialect*> possible;
  std::optional<protocol::Width> width;
  /// "dialect" and "width", then readings in the order of the dialect's table.
  std::vector<Finding> findings;
  /// The answers that were told, and those of released servers for all others. Nothing without a
  /// dialect.
  std::optional<protocol::Readings> readings;

  bool known() const { return dialect != nullptr && width.has_value(); }
  /// Null when the question did not arise.
  const Finding* find(std::string_view subject) const;
  /// "throttr-7.1 u16". Precondition: it is known.
  std::string spoken() const;
  /// One line for who asked for something else: "the target answers as throttr-7.1 u16: --dialect
  /// throttr-7.1 --width u16". Precondition: it is known.
  std::string advice() const;
  /// One line: why dialect or width are not known, with what came. `open`: nobody said them either,
  /// so it names the options that do. Precondition: they are not known.
  std::string why_unknown(bool open) const;
};

/// The options of the command line that say so: "--dialect throttr-7.1 --width u16".
std::string pinning_options(const protocol::Dialect& dialect, protocol::Width width);

/// One line on what was found because nobody said it, and on the options that do.
std::string found_line(const protocol::Dialect& dialect, protocol::Width width);

}  // namespace hallmark::conformance
