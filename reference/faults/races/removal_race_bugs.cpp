#include <algorithm>
#include <cstdlib>

#include "reference/faults/bugs.hpp"
#include "reference/faults/races/race_traces.hpp"

namespace hallmark::faults {
namespace {

Bytes purge_twice(RacingRequest& request) {
  const Bytes reply = answer(request);
  if (!request.is("PURGE")) return reply;
  if (succeeded(request, reply)) {
    note(request, "purged");
    return reply;
  }
  return met(request, "purged") != nullptr ? as_success(request, reply) : reply;
}

Bytes purge_undone(RacingRequest& request) {
  const Bytes reply = answer(request);
  const bool done = succeeded(request, reply);
  if (request.is("INSERT") && done) note(request, "inserted");
  if (request.is("PURGE") && done) note(request, "purged");
  if (!is_move(request) || done || met(request, "purged") == nullptr) return reply;
  const auto record = request.memory.last.find({"inserted", request.name});
  if (record == request.memory.last.end()) return reply;
  request.ask("INSERT", record->second.values);
  return answer(request);
}

model::Time end_of(RacingRequest& request, const Record& inserted, model::Time at) {
  const auto unit = protocol::ttl_unit(request.dialect, inserted.number("ttl_type"));
  return unit ? at + model::span_of(*unit, inserted.number("ttl")) : at;
}

Bytes expiry_of_the_old(RacingRequest& request) {
  auto& timers = request.memory.timers;
  for (Timer& timer : timers) {
    if (timer.stale && timer.at <= request.now) request.ask("PURGE", timer.name);
  }
  std::erase_if(timers, [&](const Timer& timer) { return timer.at <= request.now; });
  const Bytes reply = answer(request);
  if (request.is("INSERT") && succeeded(request, reply)) {
    timers.push_back(
        {request.name, end_of(request, request.values, request.now), name_of(request)});
  }
  if (request.is("PURGE") && succeeded(request, reply)) {
    for (Timer& timer : timers) timer.stale |= timer.key == request.name;
  }
  return reply;
}

Bytes expiry_undone(RacingRequest& request) {
  const Bytes reply = answer(request);
  if (request.is("INSERT") && succeeded(request, reply)) note(request, "inserted");
  if (request.is("PURGE")) request.memory.last.erase({"inserted", request.name});
  const auto record = request.memory.last.find({"inserted", request.name});
  if (!is_move(request) || succeeded(request, reply) || record == request.memory.last.end())
    return reply;
  const model::Time end = end_of(request, record->second.values, record->second.at);
  if (request.now < end || request.now - end > late) return reply;
  request.ask("INSERT", record->second.values);
  return answer(request);
}

}  // namespace

Bugs removal_race_bugs() {
  return {
      {.id = "race.purge-twice",
       .breaks = "two PURGEs of one record both succeed",
       .violates = {{"throttr-7.1", {"silence.concurrency", "purge.status"}}},
       .code = race(purge_twice)},
      {.id = "race.purge-undone",
       .breaks = "an update that was begun writes a record back that is purged meanwhile",
       .violates = {{"throttr-7.1", {"silence.concurrency", "purge.removes"}},
                    {"throttr-2.0", {"silence.concurrency", "purge.removes"}}},
       .code = race(purge_undone)},
      {.id = "race.expiry-of-the-old",
       .breaks = "the time point of a record that was purged ends the one that has its key now",
       .violates = {{"throttr-7.1", {"silence.concurrency", "ttl.valid-period"}},
                    {"throttr-2.0", {"silence.concurrency", "ttl.valid-period"}}},
       .code = race(expiry_of_the_old)},
      {.id = "race.expiry-undone",
       .breaks = "an update of a record that has just expired brings it back",
       .violates = {{"throttr-7.1", {"silence.concurrency", "ttl.expires"}}},
       .code = race(expiry_undone)},
  };
}

}  // namespace hallmark::faults
