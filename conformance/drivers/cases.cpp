#include "conformance/drivers/cases.hpp"

namespace hallmark::conformance {
namespace {

std::vector<CaseEntry> entries_of(const Unit& unit) { return unit.cases; }

template <class Case>
std::vector<CaseEntry> entries_of(const Case& one) {
  return {one.entry};
}

}  // namespace

std::vector<CaseEntry> entries_of(const Cases& cases) {
  std::vector<CaseEntry> entries;
  const auto take_all = [&](const auto& all) {
    for (const auto& one : all) {
      for (CaseEntry& entry : entries_of(one)) entries.push_back(std::move(entry));
    }
  };
  std::visit(take_all, cases.all);
  return entries;
}

OrReason<Cases> chosen(Cases cases, const Filter& filter) {
  const auto choose = [&](auto& all) -> OrReason<Cases> {
    auto kept = chosen(std::move(all), filter);
    if (!kept) return kept.error();
    return Cases{std::move(*kept), std::move(cases.left_out)};
  };
  return std::visit(choose, cases.all);
}

void keep(Cases& cases, const std::set<std::string>& ids) {
  const auto is_other = [&](const auto& one) { return !ids.contains(entries_of(one).front().id); };
  std::visit([&](auto& all) { std::erase_if(all, is_other); }, cases.all);
}

}  // namespace hallmark::conformance
