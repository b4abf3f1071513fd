#include "observe/watch.hpp"

#include <algorithm>

namespace hallmark::observe {

using captures::FindingKind;
using captures::Origin;

Watch::Watch(const captures::Format& format, const Shapes& shapes, std::uint64_t number, bool whole,
             Tell tell, TellPair tell_pair)
    : format_(format),
      shapes_(shapes),
      number_(number),
      tell_(std::move(tell)),
      tell_pair_(std::move(tell_pair)),
      whole_(whole) {
  if (whole && shapes.any()) {
    dialogue_ = std::make_unique<QuickPairs>(shapes);
  } else {
    begin(whole ? Origin::beginning : Origin::within);
  }
}

void Watch::begin(Origin origin) {
  const auto number = static_cast<std::uint32_t>(number_);
  const auto sink = [this](const captures::Event& event) { tell(event); };
  base_ = passed_;
  if (is_stream()) {
    dialogue_ = std::make_unique<captures::Conversation>(format_, number, origin, sink);
  } else {
    dialogue_ = std::make_unique<captures::DatagramDialogue>(format_, number, true, sink);
  }
}

/// Offsets of a dialogue count from where it began: those that are told, from the beginning of the
/// connection.
void Watch::tell(const captures::Event& event) const {
  const auto* const finding = std::get_if<captures::Finding>(&event.what);
  if (finding == nullptr) return tell_(event, Certainty::certain);
  captures::Event placed = event;
  auto& moved = std::get<captures::Finding>(placed.what);
  moved.where.offset += base_[index_of(finding->side)];
  if (moved.number != 0) moved.number += paired_;
  tell_(placed, certainty_of(*finding));
}

Certainty Watch::certainty_of(const captures::Finding& finding) const {
  switch (finding.kind) {
    case FindingKind::undecoded:
    case FindingKind::missing:
    case FindingKind::damaged:
    case FindingKind::conflicting: return Certainty::consequence;
    case FindingKind::unanswered:
      // Before the end, requests go unanswered where the replies cannot be told apart any more; the
      // reason for that is a finding of its own. Of datagrams, it is a reply that never came.
      if (is_stream() && (!ending_ || ended_by_ != Side::server)) return Certainty::consequence;
      if (!is_stream() && (interrupted_ || ending_)) return Certainty::consequence;
      break;
    case FindingKind::truncated:
      // Whoever ends a connection within a message of its own does something wrong; a side that is
      // cut off does not.
      if (!ending_ || interrupted_ || ended_by_ != finding.side) return Certainty::consequence;
      break;
    default: break;
  }
  return whole_ ? Certainty::certain : Certainty::uncertain;
}

void Watch::bytes(const Record& record) {
  last_ = record.at;
  const std::size_t own = index_of(record.side);
  passed_[own] += record.bytes.size();
  if (auto* const quick = std::get_if<std::unique_ptr<QuickPairs>>(&dialogue_)) {
    if (!(*quick)->feed(record.side, record.bytes, tell_pair_)) look_closely(record.at);
    return;
  }
  if (auto* const datagrams = std::get_if<std::unique_ptr<captures::DatagramDialogue>>(&dialogue_))
    return (*datagrams)->feed(record.side, record.bytes, record.at);
  converse(record);
}

/// Something is unusual: a conversation goes on where the quick look has got to.
void Watch::look_closely(Time at) {
  const std::unique_ptr<QuickPairs> quick =
      std::move(std::get<std::unique_ptr<QuickPairs>>(dialogue_));
  const auto requests = quick->kept(Side::client);
  const auto replies = quick->kept(Side::server);
  paired_ = quick->pairs();
  begin(Origin::beginning);
  base_[0] -= requests.size();
  base_[1] -= replies.size();
  auto& conversation = *std::get<std::unique_ptr<captures::Conversation>>(dialogue_);
  if (!requests.empty()) conversation.feed({Side::client, requests, 0, {at, 0}});
  if (!replies.empty()) conversation.feed({Side::server, replies, 0, {at, requests.size()}});
}

void Watch::converse(const Record& record) {
  const std::size_t own = index_of(record.side);
  const std::uint64_t seen = record.number - std::min(record.number, base_[1 - own]);
  std::get<std::unique_ptr<captures::Conversation>>(dialogue_)->feed(
      {record.side, record.bytes, 0, {record.at, seen}});
}

void Watch::missed(const Record& record) {
  last_ = record.at;
  passed_[index_of(record.side)] += record.number;
  whole_ = false;
  begin(Origin::within);
}

void Watch::finished(Side side) {
  if (!ended_by_) ended_by_ = side;
}

void Watch::reset(Side side) {
  if (!ended_by_) ended_by_ = side;
}

void Watch::end(bool interrupted) {
  ending_ = true;
  interrupted_ = interrupted && !ended_by_;
  std::string how = "the observation ended";
  if (ended_by_) {
    how = *ended_by_ == Side::client ? "the client closed the connection"
                                     : "the server closed the connection";
  }
  if (auto* const quick = std::get_if<std::unique_ptr<QuickPairs>>(&dialogue_)) {
    if ((*quick)->idle()) return;
    look_closely(last_);
  }
  if (auto* const stream = std::get_if<std::unique_ptr<captures::Conversation>>(&dialogue_))
    (*stream)->end(how);
  if (auto* const datagrams = std::get_if<std::unique_ptr<captures::DatagramDialogue>>(&dialogue_))
    (*datagrams)->end(how);
}

void Watch::give_up_before(Time sent) {
  if (auto* const datagrams = std::get_if<std::unique_ptr<captures::DatagramDialogue>>(&dialogue_))
    (*datagrams)->give_up_before(sent);
}

}  // namespace hallmark::observe
