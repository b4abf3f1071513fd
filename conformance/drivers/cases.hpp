#pragma once

#include <map>
#include <set>
#include <string>
#include <variant>

#include "conformance/drivers/adapter/adapter_case.hpp"
#include "conformance/drivers/datagram/datagram_case.hpp"
#include "conformance/engine/suite.hpp"

namespace hallmark::conformance {

/// A result, or one line that says why there is none.
template <class T>
using OrReason = base::Expected<T, std::string>;

/// The number of scenarios that are right under other answers only, keyed by the answer that they
/// need.
using LeftOut = std::map<std::string, std::size_t>;

/// The cases of a target in the order in which they are played, as the driver of its transport made
/// them. Only drivers look at what they are.
struct Cases {
  std::variant<Suite, DatagramCases, AdapterCases> all;
  LeftOut left_out = {};
};

/// Makes the cases for what a target is held to: called once, when that is known.
using CasesMaker = std::function<OrReason<Cases>(const WireFormat&)>;

/// Returns the cases as reports list them.
std::vector<CaseEntry> entries_of(const Cases& cases);

/// Returns the cases that all parts of the filter choose. Errors: those of `chosen` for suites.
OrReason<Cases> chosen(Cases cases, const Filter& filter);

/// Leaves out the cases that are played together where the first of them has none of these ids.
void keep(Cases& cases, const std::set<std::string>& ids);

}  // namespace hallmark::conformance
