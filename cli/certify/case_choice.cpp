#include "cli/certify/case_choice.hpp"

#include "conformance/engine/run_header.hpp"

namespace hallmark::cli {

using conformance::Asked;
using conformance::Cases;
using conformance::driver_of;
using conformance::OrReason;
using conformance::WireFormat;
using protocol::Profile;

OrReason<CaseChoice> CaseChoice::read(std::string vectors, conformance::Filter filter,
                                      const RulesArguments& rules, const Asked& asked) {
  auto read = TargetRules::read(rules, asked);
  if (!read) return read.error();
  CaseChoice made;
  made.rules_ = std::move(*read);
  made.sources_ = {std::move(vectors), made.rules_.known()};
  made.filter_ = std::move(filter);
  return made;
}

OrReason<Cases> CaseChoice::chosen(const WireFormat& format) const {
  auto all = driver_of(format.dialect().transport).cases(sources_, format);
  if (!all) return all;
  return conformance::chosen(std::move(*all), filter_);
}

std::optional<std::set<std::string>> CaseChoice::readings_needed(const WireFormat& format) const {
  return driver_of(format.dialect().transport).readings_needed(sources_, filter_, format);
}

OrReason<void> CaseChoice::check(const Asked& asked) const {
  if (asked.dialect == nullptr || !asked.width) return {};
  OrReason<void> checked;
  for (const protocol::Readings& readings : driver_of(asked).possible_readings(asked)) {
    const auto cases = chosen({*asked.width, readings});
    if (cases) return {};
    checked = cases.error();
  }
  return checked;
}

OrReason<std::set<std::string>> CaseChoice::all_ids(
    const protocol::Dialect& dialect, protocol::Width width,
    const std::vector<conformance::Pin>& pins) const {
  const conformance::Driver& driver = driver_of(dialect.transport);
  const std::string prefix = driver.prefix(dialect, width);
  std::set<std::string> ids;
  for (const char* const always :
       {"/sanity/dialect", "/sanity/before", "/sanity/after", "/adapter/hello"})
    ids.insert(prefix + always);
  for (const Profile profile : {Profile::literal, Profile::deployed}) {
    const Asked asked{&dialect, width, profile, pins};
    const auto cases =
        driver.cases(sources_, {width, conformance::readings_with_pins(asked, profile)});
    if (!cases) return cases.error();
    for (const conformance::CaseEntry& entry : entries_of(*cases)) ids.insert(entry.id);
  }
  return ids;
}

}  // namespace hallmark::cli
