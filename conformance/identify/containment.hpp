#pragma once

#include <optional>

#include "protocol/readings.hpp"

namespace hallmark::conformance {

/// Whether every message has one layout under both, which are readings of one dialect.
bool same_layouts(const protocol::Readings& a, const protocol::Readings& b, protocol::Width width);

/// Whether a target that speaks one dialect speaks another one as well, because each of its
/// messages looks alike in both: then the readings of `asked` under which it does, with the
/// answers of `spoken` where both ask the same. Nothing where it does not.
std::optional<protocol::Readings> contained(const protocol::Dialect& asked,
                                            const protocol::Readings& spoken,
                                            protocol::Width width);

}  // namespace hallmark::conformance
