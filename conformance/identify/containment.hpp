#pragma once

#include <optional>

#include "protocol/readings.hpp"

namespace hallmark::conformance {

/// Returns true if every message has one layout under both, which are readings of one dialect.
bool same_layouts(const protocol::Readings& a, const protocol::Readings& b, protocol::Width width);

/// A target that speaks one dialect speaks another one as well if each of its messages looks alike
/// in both. Returns the readings of `asked` under which it does, with the answers of `spoken` to
/// questions that both ask. Returns nothing if it does not.
std::optional<protocol::Readings> contained(const protocol::Dialect& asked,
                                            const protocol::Readings& spoken,
                                            protocol::Width width);

}  // namespace hallmark::conformance
