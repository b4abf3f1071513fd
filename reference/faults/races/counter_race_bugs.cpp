#include <algorithm>
#include <cstdlib>

#include "reference/faults/bugs.hpp"
#include "reference/faults/races/race_traces.hpp"

namespace hallmark::faults {
namespace {

using protocol::Change;

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

/// Updates by connections with odd numbers are not there until these ask for them.
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

/// All connections write the values of their replies into one buffer.
Bytes values_mixed(RacingRequest& request) {
  constexpr std::size_t long_value = 64;
  Bytes reply = answer(request);
  if (!request.is("GET") || reply.size() < long_value) return reply;
  Trace& last = request.memory.last[{"read", ""}];
  const bool meets = last.connection != request.connection && request.now - last.at <= meeting;
  const Trace own = trace_of(request, reply);
  if (meets) {
    const std::size_t shared = std::min(last.reply.size(), reply.size()) / 4;
    std::copy_n(last.reply.end() - static_cast<std::ptrdiff_t>(shared), shared,
                reply.end() - static_cast<std::ptrdiff_t>(shared));
  }
  last = own;
  return reply;
}

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

Bytes threads_crash(RacingRequest& request) {
  if (!is_move(request)) return answer(request);
  if (met_other_thread(request, "moved")) std::abort();
  note(request, "moved");
  return answer(request);
}

}  // namespace

Bugs counter_race_bugs() {
  return {
      {.id = "race.insert-twice",
       .breaks = "whether a key exists is looked up before it is added, and two can find that it "
                 "does not",
       .violates = {{"throttr-7.1", {"silence.concurrency", "silence.insert-existing"}},
                    {"throttr-2.0", {"silence.concurrency"}}},
       .code = race(insert_twice)},
      {.id = "race.update-lost",
       .breaks = "an update that meets another one is computed from the quota before both",
       .violates = {{"throttr-7.1", {"silence.concurrency", "update.changes"}},
                    {"throttr-2.0", {"silence.concurrency", "update.changes"}}},
       .code = race(update_lost),
       .settles = "what becomes of updates that meet"},
      {.id = "race.update-twice",
       .breaks = "an update that meets another one is tried again although it was done",
       .violates = {{"throttr-7.1", {"silence.concurrency", "update.changes"}}},
       .code = race(update_twice),
       .settles = "what becomes of updates that meet"},
      {.id = "race.decrease-unguarded",
       .breaks =
           "whether a quota suffices is looked up before it is taken, under a lock that is shared",
       .violates = {{"throttr-7.1", {"silence.concurrency", "update.decrease-negative"}}},
       .code = race(decrease_unguarded)},
      {.id = "race.refused-seen",
       .breaks = "a decrease is seen by others before it is refused",
       .violates = {{"throttr-7.1", {"silence.concurrency", "update.decrease-negative"}}},
       .code = race(refused_seen)},
      {.id = "race.threads-apart",
       .breaks = "each of two threads adds up updates of its own, and the other one sees them late",
       .violates = {{"throttr-7.1", {"silence.concurrency", "update.changes"}}},
       .code = race(threads_apart),
       .settles = "what becomes of updates that meet"},
      {.id = "race.query-cached",
       .breaks = "for a while, a connection is told again what it was told of a key",
       .violates = {{"throttr-7.1", {"silence.concurrency", "query.found"}},
                    {"throttr-7.3", {"silence.concurrency", "query.found"}}},
       .code = race(query_cached)},
      {.id = "race.read-overtakes",
       .breaks = "a query is answered before the update that was sent ahead of it, while others "
                 "use the key",
       .violates = {{"throttr-7.1", {"silence.concurrency", "stream.reply-order"}}},
       .code = race(read_overtakes),
       .settles = "how what arrives is taken apart"},
      {.id = "race.replies-mixed",
       .breaks = "two connections that query at a time get the reply to one of them",
       .violates = {{"throttr-7.1", {"silence.concurrency", "key.unique"}}},
       .code = race(replies_mixed)},
      {.id = "race.values-mixed",
       .breaks = "two connections that read long values at a time get bytes of each other's",
       .violates = {{"throttr-7.1", {"silence.concurrency", "get.found"}}},
       .code = race(values_mixed)},
      {.id = "race.get-torn",
       .breaks = "the length and the bytes of a value are read apart, and a SET comes between",
       .violates = {{"throttr-7.1", {"silence.concurrency", "get.found"}},
                    {"throttr-6.0", {"silence.concurrency", "get.found"}}},
       .code = race(get_torn)},
      {.id = "race.two-kinds",
       .breaks = "SET succeeds on a key that is made a counter at the same time",
       .violates = {{"throttr-7.1", {"silence.concurrency", "record.kinds"}}},
       .code = race(two_kinds)},
      {.id = "race.threads-crash",
       .breaks = "two threads that update one record at a time end the process",
       .violates = {{"throttr-7.1", {"silence.concurrency", "update.changes"}}},
       .code = race(threads_crash),
       .threads = 2},
  };
}

}  // namespace hallmark::faults
