#include "conformance/identify/line.hpp"

#include <algorithm>

#include "conformance/drivers/stream/conversation.hpp"

namespace hallmark::conformance {
namespace {

using base::append;
using base::Bytes;
using base::ByteView;

bool ends_with(const Bytes& bytes, const Bytes& end) {
  return bytes.size() >= end.size() && std::equal(end.rbegin(), end.rend(), bytes.rbegin());
}

}  // namespace

Fence::Fence(const WireFormat& format, const std::string& key) {
  const Bytes asked = encoded(format, query(key)).bytes;
  const Bytes stored = encoded(format, insert(key, 1, minute)).bytes;
  const Bytes removed = encoded(format, purge(key)).bytes;
  // No text and no number looks like this for so long.
  for (const bool missing : {true, false, true, true, false, false, true, false, true, true}) {
    if (missing) {
      append(requests_, asked);
      append(replies_, protocol::status_replies({false}));
    } else {
      append(requests_, stored);
      append(requests_, removed);
      append(replies_, protocol::status_replies({true, true}));
    }
  }
}

boost::system::result<void, std::string> Line::open() {
  LinkResult link = network_.connect(until_);
  if (!link) return link.error();
  link_ = std::move(*link);
  return {};
}

void Line::send(ByteView bytes) {
  // A target that takes nothing more is found out when its reply is read.
  if (link_ != nullptr) link_->send(bytes, until_);
}

std::optional<Ending> Line::hear(Bytes& heard, Time until) {
  if (link_ == nullptr) return Ending::closed;
  const std::size_t before = heard.size();
  switch (link_->receive(heard, until)) {
    case Arrival::bytes: network_.judged("bytes", ByteView(heard).subspan(before)); break;
    case Arrival::timed_out: return Ending::silent;
    case Arrival::closed:
    case Arrival::reset: return Ending::closed;
  }
  if (heard.size() >= most_bytes) return Ending::endless;
  return std::nullopt;
}

Heard Line::ask(ByteView request, const Fence& fence) {
  if (link_ == nullptr && !open()) return {{}, Ending::closed};
  Bytes all(request.begin(), request.end());
  append(all, fence.requests());
  send(all);
  Heard heard;
  std::optional<Ending> ending;
  while (!ending) {
    ending = hear(heard.bytes);
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
