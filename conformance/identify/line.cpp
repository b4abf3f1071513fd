#include "conformance/identify/line.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/drivers/stream/conversation.hpp"

namespace hallmark::conformance {
namespace {

using base::append;
using base::Bytes;
using base::ByteView;

/// The keys that a fence asks for are not there, or are inserted and purged, in this order: no text
/// and no number looks like the replies for so long.
constexpr bool missing_keys[] = {true, false, true, true, false, false, true, false, true, true};

bool ends_with(const Bytes& bytes, const Bytes& end) {
  return bytes.size() >= end.size() && std::equal(end.rbegin(), end.rend(), bytes.rbegin());
}

}  // namespace

Fence::Fence(const WireFormat& format, std::string key) : format_(format), key_(std::move(key)) {
  for (const bool missing : missing_keys)
    append(replies_,
           missing ? protocol::status_replies({false}) : protocol::status_replies({true, true}));
}

Bytes Fence::next() {
  const Bytes asked = encoded(format_, query(key_)).bytes;
  Bytes requests;
  for (const bool missing : missing_keys) {
    if (missing) {
      append(requests, asked);
      continue;
    }
    const std::string key = key_of(inserts_++);
    append(requests, encoded(format_, insert(key, 1, minute)).bytes);
    append(requests, encoded(format_, purge(key)).bytes);
  }
  return requests;
}

Bytes Fence::removals() const {
  Bytes requests;
  for (std::size_t i = 0; i < inserts_; ++i)
    append(requests, encoded(format_, purge(key_of(i))).bytes);
  return requests;
}

std::string Fence::key_of(std::size_t insert) const { return fmt::format("{}:{}", key_, insert); }

base::Expected<void, std::string> Line::open() {
  LinkResult link = network_.connect(until_);
  if (!link) return link.error();
  link_ = std::move(*link);
  return {};
}

void Line::send(ByteView bytes) {
  // A target that takes nothing more is found out when its reply is read.
  if (link_ != nullptr) link_->send(bytes, until_);
}

bool is_over(Network& network, const std::atomic<bool>* stop) {
  return network.is_over(stop != nullptr && stop->load());
}

/// Looks now and then whether the run is over.
Arrival Line::receive(Bytes& heard, Time until) {
  constexpr Time between_looks = 100'000'000;
  Arrival arrival = Arrival::timed_out;
  do {
    arrival = link_->receive(heard, std::min(until, network_.now() + between_looks));
  } while (arrival == Arrival::timed_out && network_.now() < until && !is_over(network_, stop_));
  return arrival;
}

std::optional<Ending> Line::hear(Bytes& heard, Time until) {
  if (link_ == nullptr) return Ending::closed;
  const std::size_t before = heard.size();
  switch (receive(heard, until)) {
    case Arrival::bytes: network_.judged("bytes", ByteView(heard).subspan(before)); break;
    case Arrival::timed_out: return Ending::silent;
    case Arrival::closed:
    case Arrival::reset: return Ending::closed;
  }
  if (heard.size() >= most_bytes) return Ending::endless;
  return std::nullopt;
}

Heard Line::ask(ByteView request, Fence& fence, Time until) {
  if (link_ == nullptr && !open()) return {{}, Ending::closed};
  Bytes all(request.begin(), request.end());
  append(all, fence.next());
  send(all);
  Heard heard;
  std::optional<Ending> ending;
  while (!ending) {
    ending = hear(heard.bytes, until);
    if (ends_with(heard.bytes, fence.replies())) {
      heard.bytes.resize(heard.bytes.size() - fence.replies().size());
      return {std::move(heard.bytes), Ending::fenced};
    }
  }
  close();
  heard.ending = *ending;
  return heard;
}

void Line::finish() {
  constexpr Time moment = 50'000'000;
  if (link_ == nullptr) return;
  link_->finish_sending();
  const Time until = std::min(until_, network_.now() + moment);
  Bytes rest;
  while (!hear(rest, until)) {
  }
  close();
}

}  // namespace hallmark::conformance
