#pragma once

#include "conformance/engine/case.hpp"

/// The behavioural cases, one file per section of the document, each with an explicit list.
namespace hallmark::conformance {

/// The cases for the format's dialect and readings, in the order of the document.
/// Each names all readings that it rests on, and is at least as dangerous as asking for them.
BehaviourCases behaviour_cases(const WireFormat& format);

/// The same, whichever answers they need: to learn what they rest on.
BehaviourCases possible_behaviour_cases(const WireFormat& format);

/// Every case that there is; some dialect has its operation and one of its clauses.
BehaviourCases all_behaviour_cases();

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
/// Those that single dialects have of their own: NAME_cases.cpp, if there is one.
BehaviourCases own_cases();
BehaviourCases stream_cases();
BehaviourCases robustness_cases();
BehaviourCases resource_cases();
BehaviourCases growth_cases();
BehaviourCases concurrent_counter_cases();
BehaviourCases concurrent_buffer_cases();
BehaviourCases concurrent_expiry_cases();
BehaviourCases concurrent_publish_cases();

}  // namespace hallmark::conformance
