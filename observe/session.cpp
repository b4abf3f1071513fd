#include "observe/session.hpp"

#include <algorithm>

namespace hallmark::observe {
namespace {

// Nobody wakes the decoding thread, since that would delay what is relayed: it looks by itself.
constexpr std::chrono::milliseconds shortest_nap{1};
constexpr std::chrono::milliseconds longest_nap{8};
constexpr int records_at_once = 4096;

}  // namespace

base::Result<void> Session::listen(const SessionOptions& options) {
  options_ = options;
  auto listener = listen_at(options.listen);
  if (!listener) return listener.error();
  listener_ = std::move(*listener);
  name_ = listener_.name;
  return {};
}

base::Result<void> Session::reach_target() {
  const auto target = reach(options_.target);
  if (!target) {
    listener_.file.remove();
    return target.error();
  }
  target_ = *target;
  return {};
}

void Session::start() {
  ring_ = std::make_unique<RecordRing>(options_.queue_bytes);
  tap_ = std::make_unique<Tap>(*ring_, relay_counts_);
  observer_ = std::make_unique<Observer>(format_, options_.observer);
  relay_ = is_datagram(options_.listen)
               ? make_datagram_relay(std::move(listener_), target_, options_.most_clients, *tap_,
                                     relay_counts_)
               : make_stream_relay(std::move(listener_), target_, *tap_, relay_counts_);
  decoding_ = std::thread([this] { decode(); });
  relaying_ = std::thread([this] { relay_->run(); });
}

bool Session::decode_some() {
  for (int i = 0; i < records_at_once; ++i) {
    const auto record = ring_->front();
    if (!record) return i > 0;
    observer_->take(*record);
    ring_->drop();
  }
  return true;
}

void Session::decode() {
  auto nap = shortest_nap;
  while (true) {
    const bool last = relayed_all_;
    const bool any = decode_some();
    if (last && !any) break;
    observer_->idle(tap_->now());
    if (any) {
      nap = shortest_nap;
      continue;
    }
    std::this_thread::sleep_for(nap);
    nap = std::min(2 * nap, longest_nap);
  }
  observer_->finish();
}

void Session::stop() {
  if (!relaying_.joinable()) return;
  open_at_end_ = relay_counts_.open;
  relay_->stop();
  relaying_.join();
  relayed_all_ = true;
  decoding_.join();
}

Observation Session::observation() const {
  Observation seen;
  seen.listen = name_;
  seen.connections = relay_counts_.opened;
  seen.open = open_at_end_;
  seen.unreachable = relay_counts_.unreachable;
  seen.evicted = relay_counts_.evicted;
  for (const Side side : {Side::client, Side::server}) {
    seen.bytes[index_of(side)] = relay_counts_.bytes[index_of(side)];
    seen.not_sent[index_of(side)] = relay_counts_.not_sent[index_of(side)];
  }
  seen.missed_bytes = relay_counts_.missed_bytes;
  seen.missed_connections = relay_counts_.missed_connections;
  observer_->describe(seen);
  return seen;
}

}  // namespace hallmark::observe
