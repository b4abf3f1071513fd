#pragma once

#include "reference/protocol/throttr_words.hpp"
#include "reference/server/race_faults.hpp"

/// What the faults of races have in common: who did what just now.
namespace hallmark::server {

inline constexpr model::Time millisecond = 1'000'000;
/// Requests of two connections that are no further apart meet.
inline constexpr model::Time meeting = 5 * millisecond;

/// The right answer to the request.
protocol::Bytes answer(RacingRequest& request);
bool succeeded(const RacingRequest& request, const protocol::Bytes& reply);
/// A reply of failure as one of success.
protocol::Bytes as_success(const RacingRequest& request, const protocol::Bytes& reply);

Trace trace_of(const RacingRequest& request, protocol::Bytes reply = {});
/// That this was done, about the record or channel of the request.
void note(RacingRequest& request, const char* what);
/// What was noted last about the same record or channel, if another connection did it just now.
Trace* met(RacingRequest& request, const char* what);

/// Whether it is an INCREASE or DECREASE of a quota.
bool is_move(const RacingRequest& request);
bool is_move(const RacingRequest& request, protocol::Change change);
/// The update that takes one of those back.
protocol::Record undone(protocol::Record update);
/// The fields that name the record, for another request about it.
protocol::Record name_of(const RacingRequest& request);

/// Of publications.
protocol::Bytes delivery_elsewhere(RacingRequest& request);
protocol::Bytes delivery_overtakes(RacingRequest& request);
protocol::Bytes subscribe_late(RacingRequest& request);
protocol::Bytes unsubscribe_late(RacingRequest& request);

}  // namespace hallmark::server
