#include "conformance/datagram/datagram_case.hpp"

#include <set>

namespace hallmark::conformance {

boost::system::result<DatagramCases, std::string> chosen(DatagramCases cases,
                                                         const Filter& filter) {
  Suite suite;
  for (const DatagramCase& one : cases) suite.emplace_back().cases.push_back(one.entry);
  const auto kept = chosen(std::move(suite), filter);
  if (!kept) return kept.error();
  std::set<std::string> ids;
  for (const Unit& unit : *kept) ids.insert(unit.cases.front().id);
  std::erase_if(cases, [&](const DatagramCase& one) { return !ids.contains(one.entry.id); });
  return cases;
}

}  // namespace hallmark::conformance
