#include <algorithm>

#include "reference/server/race_traces.hpp"

namespace hallmark::server {

using protocol::Bytes;

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

}  // namespace hallmark::server
