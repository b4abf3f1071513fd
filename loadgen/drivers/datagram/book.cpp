#include "loadgen/drivers/datagram/book.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hallmark::loadgen::datagram {
namespace {

std::uint64_t between(std::int64_t from_ns, std::int64_t to_ns) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, to_ns - from_ns));
}

std::string excerpt(base::ByteView datagram) {
  constexpr std::size_t longest = 60;
  return std::string{base::as_text(datagram.first(std::min(datagram.size(), longest)))};
}

}  // namespace

Book::Book(const BookPlan& plan) : plan_(plan), ids_(plan.places) {
  if (plan.watch_limits) limits_.emplace(plan.requests->keys(), plan.over_when);
}

Book::Added Book::plan(const Planned& due, std::int64_t now_ns, std::uint32_t socket, bool counted,
                       protocol::ByteBuffer& out, Tally& tally) {
  Request* const request = ids_.next_free();
  const bool late = now_ns - due.at_ns >= plan_.timeout_ns;
  if (late || request == nullptr) {
    shed(due, late ? Failure::late : Failure::backlog, now_ns, counted, tally);
    return {};
  }
  const std::uint8_t part = plan_.requests->part_of(due.index);
  ++counts_.planned;
  if (counted) tally.parts[part].plan();
  settle(*request);
  ids_.take(*request);
  request->planned_ns = due.at_ns;
  request->ordinal = due.ordinal;
  request->key = plan_.requests->keys().key_of(due.index, plan_.worker);
  request->socket = socket;
  request->part = part;
  request->counted = counted;
  ++waiting_;
  return {request, plan_.requests->append(out, part, request->key, request->id)};
}

void Book::clogged(const Planned& due, std::int64_t now_ns, bool counted, Tally& tally) {
  shed(due, Failure::backlog, now_ns, counted, tally);
}

void Book::shed(const Planned& due, Failure why, std::int64_t now_ns, bool counted, Tally& tally) {
  ++counts_.planned;
  ++counts_.shed;
  if (!counted) return;
  const std::uint8_t part = plan_.requests->part_of(due.index);
  tally.parts[part].plan();
  lose(part, why, {}, {.planned_ns = due.at_ns}, now_ns, tally);
}

// Settles the last request at a place: if it timed out, it is lost now.
void Book::settle(Request& request) {
  if (request.fate != Fate::timed_out) return;
  ++counts_.lost;
  --missing_;
}

void Book::sending(Request& request, std::int64_t now_ns, Tally& tally) {
  request.sent_ns = now_ns;
  if (request.counted && plan_.open_loop) {
    const std::uint64_t lag = between(request.planned_ns, now_ns);
    tally.send_lag.record(lag);
    if (lag > static_cast<std::uint64_t>(plan_.lag_bound_ns)) ++tally.client_late;
    if (plan_.departures != nullptr && plan_.departures->marks(request.ordinal))
      plan_.departures->record(request.ordinal, now_ns);
  }
  if (limits_ && is_use(request)) request.use = limits_->sent(request.key, now_ns);
}

void Book::not_sent(Request& request, Failure failure, std::string_view why, std::int64_t now_ns,
                    Tally& tally) {
  ++counts_.not_sent;
  --waiting_;
  request.fate = Fate::not_sent;
  if (limits_ && is_use(request)) limits_->not_sent(request.key, request.use);
  if (request.counted)
    lose(request.part, failure, why, {.planned_ns = request.planned_ns}, now_ns, tally);
}

void Book::lose(std::uint8_t part, Failure why, std::string_view example, const RequestTimes& times,
                std::int64_t now_ns, Tally& tally) const {
  tally.lose(part, why, example, times,
             waited_until(why, times.planned_ns, plan_.timeout_ns, now_ns));
}

bool Book::is_use(const Request& request) const {
  return plan_.requests->parts()[request.part].is_use;
}

bool Book::receive(std::uint32_t socket, const Came& came, std::int64_t now_ns, Tally& tally) {
  const base::ByteView datagram = came.bytes;
  ++counts_.datagrams;
  const auto id = Requests::id_of(datagram);
  if (!id) {
    ++counts_.unreadable;
    tally.fail(Failure::unexpected_bytes, excerpt(datagram));
    return false;
  }
  const IdRing::Match match = ids_.find(*id);
  using Known = IdRing::Known;
  if (match.known == Known::current && match.request->socket == socket) {
    Request& request = *match.request;
    switch (request.fate) {
      case Fate::waiting:
        if (request.planned_ns + plan_.timeout_ns > now_ns) {
          return on_time(request, came, now_ns, tally);
        }
        time_out(request, now_ns, tally);
        late(request, datagram);
        return true;
      case Fate::timed_out: late(request, datagram); return false;
      case Fate::not_sent:
      case Fate::unused: break;
      default: duplicate(request); return false;
    }
  } else if (match.known == Known::lost_before) {
    match.request->answered_before |= match.bit;
    --counts_.lost;
    ++counts_.late;
    return false;
  } else if (match.known == Known::answered_before) {
    ++counts_.duplicate;
    return false;
  }
  ++counts_.unmatched;
  return false;
}

bool Book::on_time(Request& request, const Came& came, std::int64_t now_ns, Tally& tally) {
  const base::ByteView datagram = came.bytes;
  --waiting_;
  const RequestTimes times{request.planned_ns, request.sent_ns};
  std::optional<UseSaid> said;
  if (came.cut || !plan_.requests->is_reply(request.part, request.key, datagram, said)) {
    request.fate = Fate::malformed;
    ++counts_.malformed;
    if (limits_ && is_use(request)) limits_->unreadable(request.key, request.use);
    if (request.counted)
      lose(request.part, Failure::malformed, excerpt(datagram), times, now_ns, tally);
    return true;
  }
  request.fate = Fate::received;
  ++counts_.received;
  if (limits_ && said) {
    limits_->answered(request.key, request.use, request.sent_ns, now_ns, *said);
  }
  if (!request.counted) return true;
  const ClientDelays own{.lag_ns = between(request.planned_ns, request.sent_ns),
                         .reading_ns = came.system_ns < 0 ? 0 : between(came.system_ns, now_ns)};
  tally.parts[request.part].complete(times, now_ns);
  tally.parts[request.part].blame_client(times, now_ns, own);
  return true;
}

void Book::time_out(Request& request, std::int64_t now_ns, Tally& tally) {
  request.fate = Fate::timed_out;
  --waiting_;
  ++missing_;
  if (limits_ && is_use(request)) limits_->unanswered(request.key, request.use);
  if (!request.counted) return;
  lose(request.part, Failure::timeout, {}, {request.planned_ns, request.sent_ns}, now_ns, tally);
}

void Book::late(Request& request, base::ByteView datagram) {
  request.fate = Fate::late;
  --missing_;
  ++counts_.late;
  if (!limits_ || !is_use(request)) return;
  std::optional<UseSaid> said;
  plan_.requests->is_reply(request.part, request.key, datagram, said);
  limits_->late(request.key, said);
}

void Book::duplicate(const Request& request) {
  ++counts_.duplicate;
  if (limits_ && is_use(request)) limits_->repeated(request.key);
}

void Book::close() {
  for (Request& request : ids_.places()) settle(request);
}

void add(reports::DatagramCounts& sum, const reports::DatagramCounts& more) {
  sum.planned += more.planned;
  sum.shed += more.shed;
  sum.not_sent += more.not_sent;
  sum.sent += more.sent;
  sum.received += more.received;
  sum.malformed += more.malformed;
  sum.late += more.late;
  sum.lost += more.lost;
  sum.datagrams += more.datagrams;
  sum.duplicate += more.duplicate;
  sum.unmatched += more.unmatched;
  sum.unreadable += more.unreadable;
}

void add(reports::SocketTrouble& sum, const reports::SocketTrouble& more) {
  sum.would_block += more.would_block;
  sum.no_buffers += more.no_buffers;
  sum.refused += more.refused;
  sum.other += more.other;
  sum.receive_overflow += more.receive_overflow;
}

}  // namespace hallmark::loadgen::datagram
