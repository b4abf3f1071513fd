#include "captures/connection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "captures/fit.hpp"

namespace hallmark::captures {
namespace {

/// Limits on the data kept until client and server are told apart.
constexpr std::size_t most_undecided_pieces = 64;
constexpr std::size_t most_undecided_bytes = 262'144;
constexpr std::size_t most_early_remarks = 64;

}  // namespace

Connection::Connection(const Format& format, std::uint32_t number, std::uint16_t server_port,
                       Sink sink)
    : format_(format),
      number_(number),
      server_port_(server_port),
      sink_(std::move(sink)),
      order_([this](Direction direction, const Piece& piece) { take(direction, piece); }),
      streams_{Reassembly([this](const Piece& piece) { order_.add(0, piece); },
                          [this](Irregularity one) { remark(0, std::move(one)); }),
               Reassembly([this](const Piece& piece) { order_.add(1, piece); },
                          [this](Irregularity one) { remark(1, std::move(one)); })} {}

void Connection::add(const Segment& segment, Time at) {
  if (!known_) {
    ends_ = {segment.from, segment.to};
    first_ = at;
    known_ = true;
  }
  last_ = at;
  const Direction direction = segment.from == ends_[0] ? 0 : 1;
  const Direction other = 1 - direction;
  start_streams(segment, direction);
  captured_[direction] = true;
  std::uint64_t seen = 0;
  if (segment.ack && streams_[other].started()) {
    seen = streams_[other].offset_of(segment.acknowledged);
    // An acknowledgement of the end of the stream counts one more than there are bytes.
    if (streams_[other].fin()) seen = std::min(seen, *streams_[other].fin());
    if (seen > streams_[other].next() + Reassembly::farthest_ahead) seen = acknowledged_[other];
    acknowledged_[other] = std::max(acknowledged_[other], seen);
  }
  streams_[direction].add(segment, at, seen);
  note_end(segment, direction);
  give_up_holes(at);
}

void Connection::start_streams(const Segment& segment, Direction direction) {
  if (segment.syn) from_beginning_ = true;
  if (segment.syn && !client_) decide(segment.ack ? 1 - direction : direction, Evidence::handshake);
  if (!streams_[direction].started()) {
    streams_[direction].start(segment.sequence + (segment.syn ? 1U : 0U));
  }
  if (segment.ack && !streams_[1 - direction].started()) {
    streams_[1 - direction].start(segment.acknowledged);
  }
}

bool Connection::is_another(const Segment& syn) const {
  const Direction direction = syn.from == ends_[0] ? 0 : 1;
  return streams_[direction].started() && streams_[direction].first() != syn.sequence + 1;
}

void Connection::note_end(const Segment& segment, Direction direction) {
  if (segment.rst) reset_ = true;
  if ((segment.rst || segment.fin) && !closer_) closer_ = direction;
}

/// Stops waiting for holes: the other side has acknowledged these bytes, so they were sent, whether
/// or not they were captured.
void Connection::give_up_holes(Time at) {
  for (const Direction direction : {0U, 1U}) {
    Reassembly& stream = streams_[direction];
    if (!stream.started() || absent_[direction]) continue;
    if (acknowledged_[direction] <= stream.next()) {
      waited_[direction] = 0;
    } else if (++waited_[direction] > patience) {
      waited_[direction] = 0;
      stream.give_up(acknowledged_[direction], at);
      absent_[direction] = !captured_[direction];
      if (absent_[direction]) order_.expect_nothing_of(direction);
    }
  }
}

void Connection::end(const std::string& how) {
  for (const Direction direction : {0U, 1U}) {
    if (!absent_[direction]) streams_[direction].finish(acknowledged_[direction], last_);
  }
  order_.finish();
  if (!client_ && !undecided_.empty()) decide_by_bytes(true);
  if (!conversation_) return;
  std::string why = how;
  if (closer_) {
    why = fmt::format("the {} {} the connection",
                      side_of(*closer_) == Side::client ? "client" : "server",
                      reset_ ? "reset" : "closed");
  }
  conversation_->end(why);
  sink_({number_, Closed{why, last_}});
}

// Finding out which side is the client.

void Connection::take(Direction direction, const Piece& piece) {
  if (client_) return feed(direction, piece);
  hold_undecided(direction, piece);
  decide_by_bytes(false);
}

void Connection::hold_undecided(Direction direction, const Piece& piece) {
  undecided_.push_back({direction, Bytes(piece.bytes.begin(), piece.bytes.end()), piece});
  Bytes& opening = openings_[direction];
  const std::size_t room = most_undecided_bytes - std::min(opening.size(), most_undecided_bytes);
  const ByteView first = piece.bytes.first(std::min(piece.bytes.size(), room));
  opening.insert(opening.end(), first.begin(), first.end());
}

void Connection::decide_by_bytes(bool finally) {
  for (const Direction direction : {0U, 1U}) {
    if (server_port_ != 0 && ends_[direction].port == server_port_) {
      return decide(1 - direction, Evidence::port);
    }
  }
  const Fit fits[] = {fit_as_requests(format_, openings_[0]),
                      fit_as_requests(format_, openings_[1])};
  const bool enough = finally || undecided_.size() > most_undecided_pieces ||
                      openings_[0].size() + openings_[1].size() >= most_undecided_bytes;
  for (const Direction direction : {0U, 1U}) {
    const Fit here = fits[direction];
    const Fit there = fits[1 - direction];
    const bool heard = !openings_[direction].empty();
    const bool requests = heard && here == Fit::whole && there != Fit::whole;
    const bool refuted = there == Fit::no && here != Fit::no;
    if (requests || refuted || (enough && here > there))
      return decide(direction, Evidence::decoding);
  }
  // Servers listen on the smaller port, as a rule.
  if (enough) decide(ends_[0].port < ends_[1].port ? 1 : 0, Evidence::port_order);
}

void Connection::decide(Direction client, Evidence evidence) {
  client_ = client;
  sink_({number_, Opened{to_string(ends_[client]), to_string(ends_[1 - client]), first_, evidence,
                         from_beginning_}});
  conversation_.emplace(format_, number_, from_beginning_ ? Origin::beginning : Origin::within,
                        sink_);
  for (auto& [direction, irregularity] : std::exchange(remarks_, {})) {
    remark(direction, std::move(irregularity));
  }
  for (Undecided& one : std::exchange(undecided_, {})) {
    one.piece.bytes = one.bytes;
    feed(one.direction, one.piece);
  }
  openings_ = {};
}

void Connection::remark(Direction direction, Irregularity irregularity) {
  if (client_) {
    Finding finding{irregularity.kind, side_of(direction), irregularity.where,
                    std::move(irregularity.reason)};
    finding.at = last_;
    sink_({number_, std::move(finding)});
  } else if (remarks_.size() < most_early_remarks) {
    remarks_.emplace_back(direction, std::move(irregularity));
  }
}

void Connection::feed(Direction direction, const Piece& piece) {
  conversation_->feed({side_of(direction), piece.bytes, piece.missing, {piece.at, piece.seen}});
}

}  // namespace hallmark::captures
