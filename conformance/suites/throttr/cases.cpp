#include "conformance/suites/throttr/cases.hpp"

#include <algorithm>

#include "protocol/throttr_words.hpp"

namespace hallmark::conformance {
namespace {

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
  const auto chosen = [&](Chosen answer) { return format.reads(answer); };
  return has_all_operations(format, one) &&
         has_field(format.operation(one.operation), one.needs.field) &&
         (!one.needs.unit || has_unit(format.dialect(), *one.needs.unit)) &&
         std::ranges::all_of(one.needs.when, chosen) &&
         std::ranges::none_of(one.needs.unless, chosen);
}

}  // namespace

BehaviourCases all_behaviour_cases() {
  BehaviourCases all;
  for (BehaviourCases (*const section)() : {insert_cases,
                                            query_cases,
                                            update_cases,
                                            purge_cases,
                                            set_cases,
                                            get_cases,
                                            list_cases,
                                            info_cases,
                                            stat_cases,
                                            stats_cases,
                                            subscribe_cases,
                                            unsubscribe_cases,
                                            publish_cases,
                                            connections_cases,
                                            connection_cases,
                                            channels_cases,
                                            channel_cases,
                                            whoami_cases,
                                            ttl_cases,
                                            record_cases,
                                            own_cases,
                                            stream_cases,
                                            robustness_cases,
                                            resource_cases,
                                            growth_cases,
                                            concurrent_counter_cases,
                                            concurrent_buffer_cases,
                                            concurrent_expiry_cases,
                                            concurrent_publish_cases}) {
    for (BehaviourCase& one : section()) all.push_back(std::move(one));
  }
  return all;
}

BehaviourCases behaviour_cases(const WireFormat& format) {
  BehaviourCases made = all_behaviour_cases();
  std::erase_if(made, [&](const BehaviourCase& one) { return !is_for(format, one); });
  for (BehaviourCase& one : made) {
    std::erase_if(one.clauses, [&](const std::string& clause) {
      return protocol::find_clause(format.dialect(), clause) == nullptr;
    });
  }
  std::erase_if(made, [](const BehaviourCase& one) { return one.clauses.empty(); });
  return made;
}

}  // namespace hallmark::conformance
