#include "reference/server/race_faults.hpp"

#include <algorithm>

#include "reference/server/race_traces.hpp"

namespace hallmark::server {
namespace {

using mutants::operator""_mutant;
using protocol::Bytes;
using protocol::Change;
using protocol::Record;

/// For so long something is old without being noticed.
constexpr model::Time late = 20 * millisecond;

// Counters.

Bytes insert_twice(RacingRequest& request) {
  const Bytes reply = answer(request);
  if (request.is("PURGE")) request.memory.last.erase({"inserted", request.name});
  if (!request.is("INSERT")) return reply;
  if (!succeeded(request, reply) && met(request, "inserted") != nullptr) {
    request.ask("PURGE", name_of(request));
    return answer(request);
  }
  if (succeeded(request, reply)) note(request, "inserted");
  return reply;
}

Bytes update_lost(RacingRequest& request) {
  if (!is_move(request)) return answer(request);
  if (Trace* const other = met(request, "moved")) {
    request.ask("UPDATE", undone(other->values));
    request.memory.last.erase({"moved", request.name});
    return answer(request);
  }
  const Bytes reply = answer(request);
  if (succeeded(request, reply)) note(request, "moved");
  return reply;
}

Bytes update_twice(RacingRequest& request) {
  const Bytes reply = answer(request);
  if (!is_move(request) || !succeeded(request, reply)) return reply;
  if (met(request, "moved") != nullptr) answer(request);
  note(request, "moved");
  return reply;
}

Bytes decrease_unguarded(RacingRequest& request) {
  const Bytes reply = answer(request);
  if (!is_move(request, Change::decrease)) return reply;
  if (succeeded(request, reply)) {
    note(request, "taken");
    return reply;
  }
  return met(request, "taken") != nullptr ? as_success(request, reply) : reply;
}

Bytes refused_seen(RacingRequest& request) {
  const Bytes reply = answer(request);
  if (is_move(request, Change::decrease) && !succeeded(request, reply)) note(request, "refused");
  Trace* const other = request.is("QUERY") ? met(request, "refused") : nullptr;
  if (other == nullptr || !succeeded(request, reply)) return reply;
  Record values = request.read(reply);
  values.set("quota", (values.number("quota") - other->values.number("value")) & request.maximum);
  return request.write(values);
}

/// What the connections with odd numbers have added up is not there until they ask for it.
Bytes threads_apart(RacingRequest& request) {
  const bool odd = request.connection % 2 == 1;
  auto& deferred = request.memory.deferred;
  const bool aside = odd && is_move(request);
  for (auto update = deferred.begin(); !aside && update != deferred.end();) {
    const bool own = odd && update->name == request.name;
    if (own || request.now - update->at > meeting) {
      request.ask("UPDATE", update->values);
      update = deferred.erase(update);
    } else {
      ++update;
    }
  }
  Bytes reply = answer(request);
  if (!aside || !succeeded(request, reply)) return reply;
  request.ask("UPDATE", undone(request.values));
  deferred.push_back(trace_of(request));
  return reply;
}

Bytes query_cached(RacingRequest& request) {
  const bool reads = request.is("QUERY") || request.is("GET");
  auto& told = request.memory.told;
  const std::pair key{request.connection, std::string(request.operation.name) + request.name};
  if (!reads) {
    for (const char* const operation : {"QUERY", "GET"})
      told.erase({request.connection, operation + request.name});
    return answer(request);
  }
  const auto found = told.find(key);
  if (found != told.end() && request.now - found->second.at <= late) return found->second.reply;
  Bytes reply = answer(request);
  told[key] = trace_of(request, reply);
  return reply;
}

Bytes read_overtakes(RacingRequest& request) {
  const bool others = met(request, "used") != nullptr;
  note(request, "used");
  if (!others || !is_move(request)) return answer(request);
  const auto following = request.take_next("QUERY");
  if (!following) return answer(request);
  const Bytes told = request.ask("QUERY", *following);
  Bytes replies = answer(request);
  replies.insert(replies.end(), told.begin(), told.end());
  return replies;
}

Bytes replies_mixed(RacingRequest& request) {
  Bytes reply = answer(request);
  if (!request.is("QUERY")) return reply;
  Trace& last = request.memory.last[{"told", ""}];
  const bool meets = last.connection != request.connection && request.now - last.at <= meeting;
  if (meets && last.reply.size() == reply.size()) reply = last.reply;
  last = trace_of(request, reply);
  return reply;
}

// Buffers and kinds.

Bytes get_torn(RacingRequest& request) {
  const Bytes reply = answer(request);
  if (request.is("SET") && succeeded(request, reply)) {
    if (const auto found = request.memory.last.find({"set", request.name});
        found != request.memory.last.end())
      request.memory.values_before[request.name] =
          std::get<Bytes>(*found->second.values.find("value"));
    note(request, "set");
  }
  if (!request.is("GET") || met(request, "set") == nullptr || !succeeded(request, reply))
    return reply;
  Record values = request.read(reply);
  Bytes torn = std::get<Bytes>(*values.find("value"));
  const Bytes& before = request.memory.values_before[request.name];
  std::copy_n(before.begin(), std::min(before.size(), torn.size()), torn.begin());
  values.set("value", std::move(torn));
  return request.write(values);
}

Bytes two_kinds(RacingRequest& request) {
  const Bytes reply = answer(request);
  if (request.is("INSERT") && succeeded(request, reply)) note(request, "inserted");
  if (request.is("PURGE")) request.memory.last.erase({"inserted", request.name});
  const bool both = request.is("SET") && met(request, "inserted") != nullptr;
  return both ? as_success(request, reply) : reply;
}

// Removal and expiry.

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

constexpr RaceFault faults[] = {
    {"race.insert-twice"_mutant, insert_twice},
    {"race.update-lost"_mutant, update_lost},
    {"race.update-twice"_mutant, update_twice},
    {"race.decrease-unguarded"_mutant, decrease_unguarded},
    {"race.refused-seen"_mutant, refused_seen},
    {"race.threads-apart"_mutant, threads_apart},
    {"race.query-cached"_mutant, query_cached},
    {"race.read-overtakes"_mutant, read_overtakes},
    {"race.replies-mixed"_mutant, replies_mixed},
    {"race.get-torn"_mutant, get_torn},
    {"race.two-kinds"_mutant, two_kinds},
    {"race.purge-twice"_mutant, purge_twice},
    {"race.purge-undone"_mutant, purge_undone},
    {"race.expiry-of-the-old"_mutant, expiry_of_the_old},
    {"race.expiry-undone"_mutant, expiry_undone},
    {"race.delivery-elsewhere"_mutant, delivery_elsewhere},
    {"race.delivery-overtakes"_mutant, delivery_overtakes},
    {"race.subscribe-late"_mutant, subscribe_late},
    {"race.unsubscribe-late"_mutant, unsubscribe_late},
};

}  // namespace

const RaceFault* active_race_fault() {
  for (const RaceFault& fault : faults) {
    if (mutants::on(fault.mutant)) return &fault;
  }
  return nullptr;
}

}  // namespace hallmark::server
