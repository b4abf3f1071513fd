#include "conformance/cases/cases.hpp"

#include "conformance/certify.hpp"

namespace hallmark::conformance {

BehaviourCases behaviour_cases() {
  BehaviourCases all;
  for (BehaviourCases (*const section)() :
       {insert_cases,    query_cases,       update_cases,  purge_cases,       set_cases,
        get_cases,       list_cases,        info_cases,    stat_cases,        stats_cases,
        subscribe_cases, unsubscribe_cases, publish_cases, connections_cases, connection_cases,
        channels_cases,  channel_cases,     whoami_cases,  ttl_cases,         record_cases,
        stream_cases,    robustness_cases}) {
    for (BehaviourCase& one : section()) all.push_back(std::move(one));
  }
  return all;
}

}  // namespace hallmark::conformance
