#include <algorithm>
#include <cstdlib>

#include "reference/faults/bugs.hpp"
#include "reference/faults/races/race_traces.hpp"

namespace hallmark::faults {
namespace {

Bytes delivery_elsewhere(RacingRequest& request) {
  const std::size_t earlier = request.deliveries.size();
  const Bytes reply = answer(request);
  if (!request.is("PUBLISH") || request.deliveries.size() == earlier) return reply;
  auto& before = request.memory.held_back[0];
  Trace& last = request.memory.last[{"published", ""}];
  const std::vector<Delivery> own(request.deliveries.begin() + static_cast<std::ptrdiff_t>(earlier),
                                  request.deliveries.end());
  const bool meets = last.connection != request.connection && request.now - last.at <= meeting;
  for (std::size_t i = 0; meets && i < std::min(own.size(), before.size()); ++i) {
    request.deliveries[earlier + i].recipient = before[i].recipient;
    request.deliveries[earlier + i].owner = before[i].owner;
  }
  last = trace_of(request);
  before = own;
  return reply;
}

Bytes delivery_overtakes(RacingRequest& request) {
  const std::size_t earlier = request.deliveries.size();
  const Bytes reply = answer(request);
  if (!request.is("PUBLISH")) return reply;
  auto& held_back = request.memory.held_back[request.connection];
  if (!held_back.empty()) {
    request.deliveries.insert(request.deliveries.end(), held_back.begin(), held_back.end());
    held_back.clear();
  } else if (met(request, "published") != nullptr && request.deliveries.size() > earlier) {
    held_back.push_back(request.deliveries.back());
    request.deliveries.pop_back();
  }
  note(request, "published");
  return reply;
}

Bytes subscribe_late(RacingRequest& request) {
  const std::size_t earlier = request.deliveries.size();
  const Bytes reply = answer(request);
  if (request.is("SUBSCRIBE")) note(request, "subscribed");
  Trace* const other = request.is("PUBLISH") ? met(request, "subscribed") : nullptr;
  if (other == nullptr) return reply;
  const auto begin = request.deliveries.begin() + static_cast<std::ptrdiff_t>(earlier);
  request.deliveries.erase(
      std::remove_if(begin, request.deliveries.end(),
                     [&](const Delivery& one) { return one.recipient == other->connection; }),
      request.deliveries.end());
  return reply;
}

Bytes unsubscribe_late(RacingRequest& request) {
  const std::size_t earlier = request.deliveries.size();
  const Bytes reply = answer(request);
  if (request.is("UNSUBSCRIBE") && succeeded(request, reply)) note(request, "unsubscribed");
  Trace* const other = request.is("PUBLISH") ? met(request, "unsubscribed") : nullptr;
  if (other == nullptr || request.deliveries.size() == earlier) return reply;
  Delivery also = request.deliveries.back();
  also.recipient = other->connection;
  also.owner = other->owner;
  request.deliveries.push_back(std::move(also));
  return reply;
}

Bytes channels_crash(RacingRequest& request) {
  if (!request.is("SUBSCRIBE") && !request.is("UNSUBSCRIBE")) return answer(request);
  if (met_other_thread(request, "changed")) std::abort();
  note(request, "changed");
  return answer(request);
}

}  // namespace

Bugs delivery_race_bugs() {
  return {
      {.id = "race.delivery-elsewhere",
       .breaks = "of two publications at a time the second goes to the subscribers of the first",
       .violates = {{"throttr-7.1", {"silence.concurrency", "publish.delivers"}},
                    {"throttr-7.3", {"silence.concurrency", "publish.delivers"}}},
       .code = race(delivery_elsewhere)},
      {.id = "race.delivery-overtakes",
       .breaks =
           "while others publish, the last subscriber receives a publisher's later message first",
       .violates = {{"throttr-7.1", {"silence.concurrency", "publish.delivers"}}},
       .code = race(delivery_overtakes)},
      {.id = "race.subscribe-late",
       .breaks = "a subscription that has succeeded begins a while later",
       .violates = {{"throttr-7.1", {"silence.concurrency", "subscribe.starts"}}},
       .code = race(subscribe_late)},
      {.id = "race.unsubscribe-late",
       .breaks = "a subscription that was finished ends a while later",
       .violates = {{"throttr-7.1", {"silence.concurrency", "unsubscribe.finishes"}}},
       .code = race(unsubscribe_late)},
      {.id = "race.channels-crash",
       .breaks = "two threads that change the subscribers of one channel at a time end the process",
       .violates = {{"throttr-7.1", {"silence.concurrency", "subscribe.starts"}}},
       .code = race(channels_crash),
       .threads = 2},
  };
}

}  // namespace hallmark::faults
