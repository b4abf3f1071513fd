#include "conformance/suites/throttr/cases.hpp"

#include <algorithm>
#include <iterator>

#include "conformance/suites/throttr/readings/probe.hpp"
#include "protocol/throttr_words.hpp"

namespace hallmark::conformance {
namespace {

/// A section of the suite, whose cases are at least so dangerous.
struct Section {
  BehaviourCases (*cases)();
  Danger danger = Danger::documented;
};

constexpr Section sections[] = {
    {insert_cases},
    {query_cases},
    {update_cases},
    {purge_cases},
    {set_cases},
    {get_cases},
    {list_cases},
    {info_cases},
    {stat_cases},
    {stats_cases},
    {subscribe_cases},
    {unsubscribe_cases},
    {publish_cases},
    {connections_cases},
    {connection_cases},
    {channels_cases},
    {channel_cases},
    {whoami_cases},
    {ttl_cases},
    {record_cases},
    {own_cases},
    {stream_cases},
    {robustness_cases, Danger::unlisted},
    {resource_cases, Danger::resources},
    {growth_cases, Danger::resources},
    {concurrent_counter_cases},
    {concurrent_buffer_cases},
    {concurrent_expiry_cases},
    {concurrent_publish_cases},
};

bool has_all_operations(const WireFormat& format, const BehaviourCase& one) {
  return format.has(one.operation) &&
         std::ranges::all_of(one.needs.operations,
                             [&](protocol::MessageName name) { return format.has(name); });
}

bool has_field(const protocol::Operation& operation, protocol::FieldName field) {
  return field.empty() ||
         std::ranges::find(operation.request.fields, field, &protocol::Field::name) !=
             operation.request.fields.end();
}

bool has_unit(const protocol::Dialect& dialect, TtlUnit unit) {
  const auto units = protocol::ttl_units(dialect);
  return std::ranges::find(units, unit) != units.end();
}

bool is_for(const WireFormat& format, const BehaviourCase& one) {
  return has_all_operations(format, one) &&
         has_field(format.operation(one.operation), one.needs.field) &&
         (!one.needs.unit || has_unit(format.dialect(), *one.needs.unit));
}

bool is_under(const WireFormat& format, const BehaviourCase& one) {
  const auto chosen = [&](Chosen answer) { return format.reads(answer); };
  return std::ranges::all_of(one.needs.when, chosen) &&
         std::ranges::none_of(one.needs.unless, chosen);
}

/// Nearly every case looks at records and at the times that they have left.
constexpr protocol::ReadingName common_readings[] = {"ttl-left", "expired-when", "expiry-2.0"};

/// The case names all readings of the dialect that it rests on from here on.
void name_readings(const protocol::Dialect& dialect, BehaviourCase& one) {
  auto& named = one.needs.readings;
  std::ranges::copy(common_readings, std::back_inserter(named));
  for (const Chosen& answer : one.needs.when) named.push_back(answer.reading);
  for (const Chosen& answer : one.needs.unless) named.push_back(answer.reading);
  for (const protocol::Reading& reading : dialect.readings) {
    if (std::ranges::find(one.clauses, reading.clause) != one.clauses.end())
      named.push_back(reading.id);
  }
  std::erase_if(named, [&](protocol::ReadingName name) {
    return protocol::Readings::index_of(dialect, name) == protocol::Readings::most;
  });
}

}  // namespace

BehaviourCases all_behaviour_cases() {
  BehaviourCases all;
  for (const Section& section : sections) {
    for (BehaviourCase& one : section.cases()) {
      one.danger = std::max(one.danger, section.danger);
      all.push_back(std::move(one));
    }
  }
  return all;
}

BehaviourCases possible_behaviour_cases(const WireFormat& format) {
  const protocol::Dialect& dialect = format.dialect();
  BehaviourCases made = all_behaviour_cases();
  std::erase_if(made, [&](const BehaviourCase& one) { return !is_for(format, one); });
  for (BehaviourCase& one : made) {
    std::erase_if(one.clauses, [&](const std::string& clause) {
      return protocol::find_clause(dialect, clause) == nullptr;
    });
    name_readings(dialect, one);
    for (const protocol::ReadingName reading : one.needs.readings)
      one.danger = std::max(one.danger, danger_of_reading(reading));
  }
  std::erase_if(made, [](const BehaviourCase& one) { return one.clauses.empty(); });
  return made;
}

BehaviourCases behaviour_cases(const WireFormat& format) {
  BehaviourCases made = possible_behaviour_cases(format);
  std::erase_if(made, [&](const BehaviourCase& one) { return !is_under(format, one); });
  return made;
}

}  // namespace hallmark::conformance
