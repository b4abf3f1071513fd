#include "loadgen/drivers/stream/connection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "loadgen/drivers/stream/row.hpp"

namespace hallmark::loadgen {
namespace {

using base::ByteView;
using State = protocol::fast::Outcome::State;

/// The most bytes that are kept of a reply on a watched key.
constexpr std::size_t most_observed_bytes = 256;
/// A reply or a delivery may be at most so large.
constexpr std::uint64_t most_message_bytes = std::uint64_t{64} << 20;

std::uint64_t elapsed(std::int64_t from, std::int64_t to) {
  return to > from ? static_cast<std::uint64_t>(to - from) : 0;
}

/// Returns by how much a request moves the quota of its key.
std::int64_t moved_by_part(const RequestPart& part) {
  if (part.action == oracle::RecordAction::increase) return moved_by;
  return part.action == oracle::RecordAction::decrease ? -std::int64_t{moved_by} : 0;
}

ClientDelays own_delays(const Pending& pending, const Received& at) {
  return {.lag_ns = pending.held_up ? 0 : elapsed(pending.planned_ns, pending.sent_ns),
          .reading_ns = at.kernel_ns < 0 ? 0 : elapsed(at.kernel_ns, at.read_ns),
          .stands_for = at.stands_for};
}

bool is_timed_alike(const Pending& a, const Pending& b) {
  return a.planned_ns == b.planned_ns && a.sent_ns == b.sent_ns;
}

bool may_still_end(const protocol::fast::Outcome& outcome) {
  return outcome.state == State::need_more && outcome.size <= most_message_bytes;
}

std::string why_malformed(const protocol::fast::Outcome& outcome) {
  if (outcome.state == State::malformed) {
    return fmt::format("field {} at offset {} has a value that is not allowed", outcome.field->name,
                       outcome.size);
  }
  return fmt::format("says it has {} bytes, allowed: {}", outcome.size, most_message_bytes);
}

}  // namespace

void Connection::not_sent(const Outgoing& outgoing, Failure why, std::int64_t now_ns,
                          Tally& tally) {
  if (!outgoing.counted) return;
  const std::uint32_t part = requests_->part_of(outgoing.index);
  tally.parts[part].plan();
  lose_request(part, why, {}, {.planned_ns = outgoing.planned_ns}, now_ns, tally);
}

/// A request is not waited for where no reply comes.
void Connection::lose_request(std::uint32_t part, Failure why, std::string_view example,
                              const RequestTimes& times, std::int64_t until_ns, Tally& tally) {
  if (!requests_->parts()[part].answered) {
    tally.parts[part].lose_unanswered(why);
    return tally.fail(why, example);
  }
  tally.lose(part, why, example, times,
             waited_until(why, times.planned_ns, plan_.timeout_ns, until_ns));
}

/// The request in flight, `position` behind the oldest; one that has not been stamped was not sent.
RequestTimes Connection::times_of(std::size_t position) {
  const Pending& pending = in_flight_.at(position);
  const bool sent = position + unstamped_ < in_flight_.size() || !open_loop_;
  return {pending.planned_ns, sent ? pending.sent_ns : never_sent};
}

bool Connection::watch(std::uint32_t part, std::uint32_t key, std::int64_t planned_ns) noexcept {
  const RequestPart& asked = requests_->parts()[part];
  return plan_.watched != nullptr && asked.action &&
         plan_.watched->watch(asked.keys, key, planned_ns);
}

Observation Connection::observation_of(const Pending& pending) const {
  const std::uint64_t index = index_of(pending);
  return {.index = index,
          .part = pending.part,
          .key = requests_->key_of(index),
          .client = client_,
          .sent_ns = pending.sent_ns};
}

/// Notes a reply that came in time for the ledgers and judges, which hold requests against each
/// other.
void Connection::note_reply(const Pending& pending, const CheckedReply& reply, ByteView bytes,
                            std::int64_t read_ns, Tally& tally) {
  const RequestPart& part = requests_->parts()[pending.part];
  if (plan_.counters != nullptr && reply.success) {
    if (const std::int64_t by = moved_by_part(part); by != 0)
      plan_.counters->moved(requests_->key_of(index_of(pending)), by);
  }
  if (plan_.inserts != nullptr && part.action == oracle::RecordAction::purge)
    plan_.inserts->purged(requests_->key_of(index_of(pending)), read_ns);
  // The history of a watched key finds more than the ledger does.
  const bool won = plan_.inserts != nullptr && part.action == oracle::RecordAction::insert &&
                   reply.success && !pending.watched;
  if (!pending.watched && !won) return;
  Observation observed = observation_of(pending);
  observed.received_ns = read_ns;
  observed.success = reply.success;
  observed.told = reply.told;
  observed.reply.assign(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                           bytes.size(), most_observed_bytes)));
  if (won) {
    plan_.inserts->won(observed);
  } else {
    tally.observed.push_back(std::move(observed));
  }
}

/// Nobody knows what became of it, whatever comes later.
void Connection::note_lost(const Pending& pending, const RequestPart& part, Tally& tally) {
  if (pending.watched) tally.observed.push_back(observation_of(pending));
  const std::int64_t by = plan_.counters == nullptr ? 0 : moved_by_part(part);
  if (by != 0) plan_.counters->lost(requests_->key_of(index_of(pending)), by);
}

void Connection::stamp(std::int64_t now_ns, bool held_up, Tally& tally) {
  tally.sent += unstamped_;
  if (!open_loop_) {
    unstamped_ = 0;
    return;
  }
  auto marked = marked_.begin();
  for (; unstamped_ != 0; --unstamped_) {
    Pending& pending = in_flight_.at(in_flight_.size() - unstamped_);
    pending.sent_ns = now_ns;
    pending.held_up = held_up;
    if (!pending.counted) continue;
    const std::uint64_t lag = elapsed(pending.planned_ns, now_ns);
    tally.send_lag.record(lag);
    const std::uint64_t ordinal = pending.marked ? *marked++ : 0;
    if (held_up) continue;
    if (lag > static_cast<std::uint64_t>(plan_.lag_bound_ns)) ++tally.client_late;
    if (pending.marked) [[unlikely]]
      plan_.departures->record(ordinal, now_ns);
  }
  marked_.clear();
}

bool Connection::receive(ByteView bytes, const Received& at, Tally& tally) {
  taken_in_read_ = 0;
  // Since the last tick timeouts may have passed: that of the oldest first.
  if (!in_flight_.empty() && in_flight_.oldest_planned_ns() <= at.read_ns - plan_.timeout_ns)
      [[unlikely]]
    expire(at.read_ns, tally);
  const bool follows_partial = !partial_.empty();
  if (follows_partial) {
    partial_.append(bytes);
    if (partial_.size() < needed_) return true;
  }
  std::size_t taken = 0;
  if (!take_all(follows_partial ? partial_.view() : bytes, taken, at, tally)) return false;
  if (follows_partial) {
    partial_.consume(taken);
  } else if (taken != bytes.size()) {
    partial_.append(bytes.subspan(taken));
  }
  // Behind the last reply, requests without one may be all that is left.
  settle(tally);
  return true;
}

bool Connection::take_all(ByteView bytes, std::size_t& taken, const Received& at, Tally& tally) {
  Step step = Step::taken;
  ByteView rest = bytes;
  while (step == Step::taken && !rest.empty()) {
    std::size_t size = in_rows_ ? take_row(rest, at, tally) : 0;
    if (size == 0) step = take_one(rest, size, at, tally);
    rest = rest.subspan(size);
  }
  taken = bytes.size() - rest.size();
  return step != Step::broken;
}

std::uint64_t Connection::index_of(const Pending& pending) const {
  return last_index_ - (Requests::id_of(last_index_) - pending.request_id);
}

Pending* Connection::find_by_id(ByteView bytes) {
  const auto id = requests_->id_of_reply(bytes);
  return id ? in_flight_.find(*id) : nullptr;
}

std::size_t Connection::take_row(ByteView bytes, const Received& at, Tally& tally) {
  if (const PendingRow* const row = in_flight_.row()) return take_alike(*row, bytes, at, tally);
  if (in_flight_.empty()) return 0;
  const Pending* const first = &in_flight_.front();
  const RequestPart& part = requests_->parts()[first->part];
  if (part.row_check == nullptr) return 0;
  const AskedRow asked{std::span{first, std::min(in_flight_.size(), longest_row)}};
  const ReplyRow row = part.row_check(bytes, requests_->readings(), part.usual.expected, asked);
  const Pending* const end = first + row.replies;
  for (const Pending* one = first; one != end;) {
    const Pending* next = end;
    // In their order, requests are planned and sent no earlier than those before.
    if (!is_timed_alike(*one, end[-1])) {
      next = one + 1;
      while (is_timed_alike(*next, *one)) ++next;
    }
    complete({one, next}, at, tally);
    one = next;
  }
  answered_in_flight_ -= row.replies;
  pop(row.replies);
  if (requests_->any_order()) pop_ended();
  return row.bytes;
}

/// Takes replies to a row in flight.
std::size_t Connection::take_alike(const PendingRow& asked, ByteView bytes, const Received& at,
                                   Tally& tally) {
  const RequestPart& part = requests_->parts()[asked.first.part];
  const ReplyRow row =
      part.row_check(bytes, requests_->readings(), part.usual.expected, AskedRow{asked});
  if (row.replies == 0) return 0;
  complete(asked.first, row.replies, at, tally);
  for (std::size_t i = 0; i < row.replies && is_slow(asked.first, at, tally); ++i)
    remember(asked.at(i), taken_in_read_ + i, at, tally);
  taken_in_read_ += row.replies;
  answered_in_flight_ -= row.replies;
  pop(row.replies);
  return row.bytes;
}

Connection::Step Connection::take_one(ByteView bytes, std::size_t& size, const Received& at,
                                      Tally& tally) {
  if (!requests_->all_answered()) complete_unanswered(tally);
  if (const ReplyCheck delivery = requests_->delivery_check(bytes.front())) {
    return take_delivery(delivery, bytes, size, at.read_ns, tally);
  }
  Pending* const pending = requests_->any_order() ? find_by_id(bytes) : in_flight_.oldest();
  if (pending == nullptr) return take_unaddressed(bytes, at, tally);
  const RequestPart& part = requests_->parts()[pending->part];
  const CheckedReply reply =
      part.check(bytes, requests_->readings(), requests_->expected_of(part, index_of(*pending)));
  if (!reply.outcome.complete()) {
    if (may_still_end(reply.outcome)) return need(reply.outcome.size);
    return give_up(*pending, reply.outcome, at, tally);
  }
  size = reply.outcome.size;
  if ((pending->watched || has_ledgers_) && !pending->expired)
    note_reply(*pending, reply, bytes.first(size), at.read_ns, tally);
  judge(*pending, part, reply, at, tally);
  --answered_in_flight_;
  if (requests_->any_order()) {
    pending->ended = true;
    pop_ended();
  } else {
    pop();
  }
  return Step::taken;
}

Connection::Step Connection::take_unaddressed(ByteView bytes, const Received& at, Tally& tally) {
  if (in_flight_.empty()) {
    tally.fail(Failure::unexpected_bytes, fmt::format("{} bytes, first {:02x}, no request waits",
                                                      bytes.size(), bytes.front()));
    lose(Failure::abandoned, "given up after unexpected bytes", at.read_ns, tally);
    return Step::broken;
  }
  const auto id = requests_->id_of_reply(bytes);
  if (!id) return need(bytes.size() + 1);
  tally.fail(Failure::wrong_id, fmt::format("id {}, under which no request waits", *id));
  lose(Failure::abandoned, "given up after a reply to no request", at.read_ns, tally);
  return Step::broken;
}

Connection::Step Connection::take_delivery(ReplyCheck check, ByteView bytes, std::size_t& size,
                                           std::int64_t now_ns, Tally& tally) {
  const CheckedReply delivery = check(bytes, requests_->readings(), {});
  if (delivery.outcome.complete()) {
    size = delivery.outcome.size;
    ++tally.deliveries;
    judge_delivery(delivery.payload, now_ns, tally);
    return Step::taken;
  }
  if (may_still_end(delivery.outcome)) return need(delivery.outcome.size);
  tally.fail(Failure::malformed, "delivery: " + why_malformed(delivery.outcome));
  lose(Failure::abandoned, "given up after a malformed delivery", now_ns, tally);
  return Step::broken;
}

/// Judges a delivery by what a publication of this run says of itself: when it was planned.
void Connection::judge_delivery(ByteView payload, std::int64_t now_ns, Tally& tally) const {
  std::int64_t planned_ns = 0;
  std::uint64_t run = 0;
  if (payload.size() >= stamp_bytes) {
    std::memcpy(&planned_ns, payload.data(), sizeof planned_ns);
    std::memcpy(&run, payload.data() + stamp_bytes / 2, sizeof run);
  }
  if (payload.size() < stamp_bytes || run != requests_->run_number()) {
    ++tally.delivered.unstamped;
  } else if (planned_ns >= plan_.warmup_ns) {
    ++tally.delivered.counted;
    tally.delivered.latency.record(elapsed(planned_ns, now_ns));
  }
}

void Connection::judge(const Pending& pending, const RequestPart& part, const CheckedReply& reply,
                       const Received& at, Tally& tally) {
  if (pending.expired) ++tally.late_replies;
  const bool counts = pending.counted && !pending.expired;
  const auto fault = counts ? fault_of(pending, part, reply) : std::nullopt;
  if (fault) reject(*fault, pending, part, reply, at, tally);
  if (counts && !fault) return complete({&pending, 1}, at, tally);
  ++taken_in_read_;
}

/// The fault of a well-formed reply, if it has one.
std::optional<Failure> Connection::fault_of(const Pending& pending, const RequestPart& part,
                                            const CheckedReply& reply) const {
  if (part.repeats_id && reply.request_id != pending.request_id) return Failure::wrong_id;
  if (!reply.success && part.usual.expected.must_succeed) return Failure::wrong_status;
  if (!reply.as_stored) return Failure::wrong_content;
  if (part.tells_writer && !was_written(pending, reply)) return Failure::foreign_value;
  return std::nullopt;
}

void Connection::reject(Failure fault, const Pending& pending, const RequestPart& part,
                        const CheckedReply& reply, const Received& at, Tally& tally) {
  const auto said = [&]() -> std::string {
    switch (fault) {
      case Failure::wrong_id:
        return fmt::format("id {} where {} was due", reply.request_id, pending.request_id);
      case Failure::wrong_status: return "failure, of a key that is there";
      case Failure::wrong_content: return "not what was stored";
      default:
        return fmt::format("a value with the number {}, which nobody wrote there", reply.told);
    }
  };
  const std::string key =
      fault == Failure::foreign_value
          ? ' ' + requests_->key_text(part, requests_->key_of(index_of(pending)))
          : std::string();
  lose_request(pending.part, fault, fmt::format("{}{}: {}", part.name, key, said()),
               {pending.planned_ns, pending.sent_ns}, at.read_ns, tally);
}

bool Connection::was_written(const Pending& pending, const CheckedReply& reply) const {
  return !reply.success ||
         requests_->may_have_written(reply.told, requests_->key_of(index_of(pending)));
}

/// Requests one behind the other which were planned, sent and answered at the same time: all of a
/// batch in a closed loop.
void Connection::complete(std::span<const Pending> alike, const Received& at, Tally& tally) {
  const Pending& first = alike.front();
  complete(first, alike.size(), at, tally);
  for (std::size_t i = 0; i < alike.size() && is_slow(first, at, tally); ++i)
    remember(alike[i], taken_in_read_ + i, at, tally);
  taken_in_read_ += alike.size();
  if (!staged_ || !tally.stages) return;
  for (const Pending& pending : alike) record_stages(pending, at, *tally.stages);
}

void Connection::complete(const Pending& first, std::size_t count, const Received& at,
                          Tally& tally) {
  const RequestTimes times{first.planned_ns, first.sent_ns};
  Ledger& ledger = tally.parts[first.part];
  ledger.complete(times, at.read_ns, count);
  if (open_loop_ || at.kernel_ns >= 0)
    ledger.blame_client(times, at.read_ns, own_delays(first, at), count);
}

/// Returns true if a request with these times belongs among the slowest.
bool Connection::is_slow(const Pending& pending, const Received& at, const Tally& tally) {
  return elapsed(pending.planned_ns, at.read_ns) > tally.slowest.least();
}

void Connection::remember(const Pending& pending, std::size_t place_in_read, const Received& at,
                          Tally& tally) {
  const std::uint64_t index = index_of(pending);
  SlowRequest slow{
      .latency_ns = elapsed(pending.planned_ns, at.read_ns),
      .index = index,
      .planned_ns = pending.planned_ns,
      .sent_ns = pending.sent_ns,
      .kernel_received_ns = at.kernel_ns,
      .read_ns = at.read_ns,
      .connection = number_,
      .key = requests_->key_of(index),
      .place_in_write = pending.place,
      .place_in_read = static_cast<std::uint16_t>(std::min<std::size_t>(place_in_read, UINT16_MAX)),
      .part = pending.part};
  if (staged_) slow.kernel_sent_ns = send_times_.at(in_flight_.position_of(pending));
  tally.slowest.add(slow);
}

void Connection::record_stages(const Pending& pending, const Received& at, StageTimes& stages) {
  const std::int64_t sent_ns = send_times_.at(in_flight_.position_of(pending));
  stages.planned_to_written.record(elapsed(pending.planned_ns, pending.sent_ns));
  if (sent_ns == SendTimes::unknown || at.kernel_ns < 0) {
    ++stages.without_kernel_times;
    return;
  }
  stages.written_to_kernel_sent.record(elapsed(pending.sent_ns, sent_ns));
  stages.kernel_sent_to_received.record(elapsed(sent_ns, at.kernel_ns));
  stages.kernel_received_to_read.record(elapsed(at.kernel_ns, at.read_ns));
}

Connection::Step Connection::need(std::uint64_t bytes) {
  needed_ = bytes;
  return Step::need_more;
}

Connection::Step Connection::give_up(const Pending& pending, const protocol::fast::Outcome& outcome,
                                     const Received& at, Tally& tally) {
  const std::string& name = requests_->parts()[pending.part].name;
  fail(in_flight_.position_of(pending), Failure::malformed, name + ": " + why_malformed(outcome),
       at.read_ns, tally);
  lose(Failure::abandoned, "given up after a malformed reply", at.read_ns, tally);
  return Step::broken;
}

void Connection::expire(std::int64_t now_ns, Tally& tally) {
  expire_planned_before(now_ns - plan_.timeout_ns, now_ns, tally);
}

void Connection::expire_all(std::int64_t now_ns, Tally& tally) {
  expire_planned_before(INT64_MAX, now_ns, tally);
}

void Connection::expire_planned_before(std::int64_t deadline_ns, std::int64_t now_ns,
                                       Tally& tally) {
  if (!in_flight_.empty() && in_flight_.oldest_planned_ns() > deadline_ns) return;
  for (; expired_ < in_flight_.size(); ++expired_) {
    Pending& pending = in_flight_.at(expired_);
    if (pending.planned_ns > deadline_ns) return;
    if (pending.ended || !requests_->parts()[pending.part].answered) continue;
    pending.expired = true;
    note_lost(pending, requests_->parts()[pending.part], tally);
    if (!pending.counted) continue;
    lose_request(pending.part, Failure::timeout, {}, times_of(expired_), now_ns, tally);
  }
}

// No reply comes for these, so the reply to a later request is what shows that they were taken.
void Connection::complete_unanswered(Tally& tally) {
  while (!in_flight_.empty()) {
    const Pending& pending = in_flight_.front();
    if (requests_->parts()[pending.part].answered) return;
    if (pending.counted) tally.parts[pending.part].complete_unanswered();
    pop();
  }
}

void Connection::fail(std::size_t position, Failure why, std::string_view example,
                      std::int64_t now_ns, Tally& tally) {
  Pending& pending = in_flight_.at(position);
  if (pending.ended) return;
  if (pending.counted && !pending.expired)
    lose_request(pending.part, why, example, times_of(position), now_ns, tally);
  const RequestPart& part = requests_->parts()[pending.part];
  if (part.answered && !pending.expired) note_lost(pending, part, tally);
  if (part.answered) --answered_in_flight_;
  pending.ended = true;
}

inline void Connection::pop(std::size_t count) {
  in_flight_.pop(count);
  if (staged_) send_times_.pop(count);
  expired_ -= std::min(expired_, count);
}

inline void Connection::pop_ended() {
  while (!in_flight_.empty() && in_flight_.front().ended) pop();
}

void Connection::lose(Failure why, std::string_view example, std::int64_t now_ns, Tally& tally) {
  for (; !in_flight_.empty(); in_flight_.pop()) fail(0, why, example, now_ns, tally);
  send_times_.clear();
  unstamped_ = 0;
  marked_.clear();
  expired_ = 0;
  needed_ = 0;
  out_.clear();
  partial_.clear();
}

}  // namespace hallmark::loadgen
