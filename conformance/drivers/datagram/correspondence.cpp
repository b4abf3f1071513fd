#include "conformance/drivers/datagram/correspondence.hpp"

#include <algorithm>

#include "protocol/text/text.hpp"

namespace hallmark::conformance {
namespace {

/// The most datagrams that are read once the time is over: those that had come by then lie in the
/// socket's buffer, and a target that sends without end fills it again.
constexpr std::size_t most_overdue = 16'384;

}  // namespace

Correspondence::Correspondence(DatagramContext& context, Evidence& evidence, std::string name,
                               std::unique_ptr<DatagramLink> link)
    : context_(context), evidence_(evidence), name_(std::move(name)), link_(std::move(link)) {}

std::string Correspondence::new_id() { return std::to_string(++context_.serial); }

Correspondence::Ticket Correspondence::send(Letter letter) {
  const Time at = context_.network.now();
  evidence_.sent(name_, letter.layout, letter.bytes, at);
  if (link_->send(letter.bytes) != Dispatch::sent) refused_ = true;
  ++context_.path.sent;
  sent_.push_back({std::move(letter), at, {}});
  return sent_.size() - 1;
}

const Received* Correspondence::wait_for_reply(Ticket ticket, Time until) {
  receive_until(until, [&] { return sent_[ticket].reply.has_value(); });
  return reply_to(ticket);
}

void Correspondence::take_arrived() {
  receive_until(context_.network.now(), [] { return false; });
}

const Received* Correspondence::reply_to(Ticket ticket) const {
  return sent_[ticket].reply ? &*sent_[ticket].reply : nullptr;
}

void Correspondence::give_up(Ticket ticket) {
  if (sent_[ticket].reply || sent_[ticket].given_up) return;
  sent_[ticket].given_up = true;
  ++context_.path.unanswered;
  note_disturbance();
}

template <typename Enough>
void Correspondence::receive_until(Time until, Enough enough) {
  std::size_t overdue = 0;
  while (!enough() && overdue < most_overdue && receive(until)) {
    if (context_.network.now() >= until) ++overdue;
  }
}

bool Correspondence::receive(Time until) {
  base::Bytes datagram;
  switch (link_->receive(datagram, until)) {
    case DatagramArrival::timed_out: return false;
    case DatagramArrival::refused: refused_ = true; return false;
    case DatagramArrival::datagram: break;
  }
  accept(std::move(datagram), context_.network.now());
  return true;
}

Correspondence::Sent* Correspondence::sender_of(base::ByteView datagram) {
  const std::string_view id = protocol::text::tag_at_front(base::as_text(datagram));
  const auto asked = [&](const Sent& one) { return one.letter.answerable && one.letter.id == id; };
  const auto waits = [&](const Sent& one) { return asked(one) && !one.reply; };
  auto found = std::ranges::find_if(sent_, waits);
  if (found == sent_.end()) found = std::ranges::find_if(sent_, asked);
  return found == sent_.end() ? nullptr : &*found;
}

void Correspondence::accept(base::Bytes datagram, Time at) {
  Sent* const request = sender_of(datagram);
  const bool layout_known = request != nullptr && request->letter.reply;
  context_.network.judged(
      layout_known ? std::string_view(request->letter.reply->name()) : "datagram", datagram);
  // Only the very same reply can be told to be the same one again if there is no id.
  const bool again = request != nullptr && request->reply &&
                     (!request->letter.id.empty() || request->reply->bytes == datagram);
  if (request == nullptr || (request->reply && !again)) {
    evidence_.broken(name_, std::nullopt, datagram, at, {});
    if (!stray_) stray_ = std::move(datagram);
    return;
  }
  evidence_.received(name_, request->letter.reply, datagram, at);
  if (again) {
    ++repeated_;
    ++context_.path.duplicates;
    // No network between us and a target that we started doubles datagrams: the target did.
    if (!context_.started_here()) note_disturbance();
    return;
  }
  if (request->given_up) {
    ++context_.path.late;
    note_disturbance();
  } else {
    ++context_.path.answered;
  }
  request->reply = Received{std::move(datagram), {request->at, at}};
}

}  // namespace hallmark::conformance
