#pragma once

#include "protocol/throttr_words.hpp"
#include "reference/faults/races/race_fault.hpp"

/// The means that races share: who did what just now.
namespace hallmark::faults {

inline constexpr model::Time millisecond = 1'000'000;
/// Requests of two connections that are no further apart meet.
inline constexpr model::Time meeting = 5 * millisecond;
/// The time for which an outdated value may go unnoticed.
inline constexpr model::Time late = 20 * millisecond;

/// The right answer to the request.
Bytes answer(RacingRequest& request);
bool succeeded(const RacingRequest& request, const Bytes& reply);
/// A reply of failure as one of success.
Bytes as_success(const RacingRequest& request, const Bytes& reply);

Trace trace_of(const RacingRequest& request, Bytes reply = {});
/// Notes that this was done, about the record or channel of the request.
void note(RacingRequest& request, const char* what);
/// The last note about the same record or channel, if another connection did it just now.
Trace* met(RacingRequest& request, const char* what);

/// True if that last note is of a connection that another thread serves.
bool met_other_thread(RacingRequest& request, const char* what);

/// True if it is an INCREASE or DECREASE of a quota.
bool is_move(const RacingRequest& request);
bool is_move(const RacingRequest& request, protocol::Change change);
/// The update that takes one of those back.
Record undone(Record update);
/// The fields that name the record, for another request about it.
Record name_of(const RacingRequest& request);

}  // namespace hallmark::faults
