#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "reports/load/load_result.hpp"

namespace hallmark::loadgen {

/// Why a request ended without the reply it should have had.
enum class Failure : std::uint8_t {
  timeout,           ///< no reply within the timeout, counted from the planned send
  late,              ///< shed: its timeout was over before the client came to it
  backlog,           ///< due while the target had left too much on its connection unanswered
  no_connection,     ///< due while its connection was down
  refused,           ///< the target refused a connection
  reset,             ///< the connection was reset while it waited
  closed,            ///< the target closed the connection while it waited
  connection_error,  ///< any other error of the connection
  malformed,         ///< the reply is not what the dialect says
  wrong_status,      ///< a status of failure where the workload made sure of success
  wrong_content,     ///< well formed, but not what was stored
  wrong_id,          ///< the reply does not repeat the id of the request whose reply was due
  unexpected_bytes,  ///< bytes with no request waiting
  foreign_value,     ///< a value that no request of the run can have written there
  not_sent,          ///< shed: the client's own system refused to send it
  abandoned,         ///< in flight behind a reply that made the connection unusable
  conflict,          ///< of a store: every attempt met with a conflict
  bad_state,         ///< of a store: what it holds is no state of the limiter
  store_refused,     ///< of a store: it refused a read or a write
  starved,           ///< shed: the client has no port or no descriptor for its connection
  rank_lost,         ///< in flight when the process of the client died that had sent it
};
constexpr std::size_t failure_kinds = 21;

std::string_view name_of(Failure failure);

/// The count of requests that one with this failure belongs to: timed_out, shed or failed.
std::uint64_t reports::LoadCounts::*count_of(Failure failure);

}  // namespace hallmark::loadgen
