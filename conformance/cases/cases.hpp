#pragma once

#include "conformance/case.hpp"

/// The behavioural cases, one file per section of the document, each with an explicit list.
namespace hallmark::conformance {

BehaviourCases insert_cases();
BehaviourCases query_cases();
BehaviourCases update_cases();
BehaviourCases purge_cases();
BehaviourCases set_cases();
BehaviourCases get_cases();
BehaviourCases list_cases();
BehaviourCases info_cases();
BehaviourCases stat_cases();
BehaviourCases stats_cases();
BehaviourCases subscribe_cases();
BehaviourCases unsubscribe_cases();
BehaviourCases publish_cases();
BehaviourCases connections_cases();
BehaviourCases connection_cases();
BehaviourCases channels_cases();
BehaviourCases channel_cases();
BehaviourCases whoami_cases();
BehaviourCases ttl_cases();
BehaviourCases record_cases();
BehaviourCases stream_cases();
BehaviourCases robustness_cases();

}  // namespace hallmark::conformance
