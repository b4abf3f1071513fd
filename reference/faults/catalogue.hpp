#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "protocol/dialect.hpp"
#include "reference/faults/bug.hpp"

namespace hallmark::faults {

/// All bugs, by what they are about.
const Bugs& all_bugs();

/// The bug of that name; null when there is none.
const Bug* find(std::string_view id);

/// The transport whose servers can have the bug.
protocol::Transport transport_of(const Bug& bug);

/// Some bugs of the catalogue, in its order.
using ChosenBugs = std::vector<const Bug*>;

/// The bugs of these names, to be had at once. Error: one line that names one that nobody knows or
/// that is named twice, or two that exclude each other.
base::Result<ChosenBugs> choose(const std::vector<std::string>& ids);

/// Why a server cannot have both bugs at once; empty if it can.
std::string why_exclusive(const Bug& one, const Bug& other);

}  // namespace hallmark::faults
