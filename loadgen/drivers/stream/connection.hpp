#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loadgen/arrivals/departures.hpp"
#include "loadgen/drivers/stream/in_flight.hpp"
#include "loadgen/drivers/stream/requests.hpp"
#include "loadgen/judge/counter_ledger.hpp"
#include "loadgen/judge/insert_ledger.hpp"
#include "loadgen/judge/watched_keys.hpp"
#include "loadgen/results/stages.hpp"
#include "loadgen/results/tally.hpp"
#include "protocol/codec/byte_buffer.hpp"

namespace hallmark::loadgen {

/// A request to be sent.
struct Outgoing {
  std::uint64_t index = 0;
  std::int64_t planned_ns = 0;
  bool counted = true;        ///< false during warm-up
  std::uint64_t ordinal = 0;  ///< of an open loop: in its schedule
};

/// The facts that all connections of a run share.
struct ConnectionPlan {
  const Requests* requests = nullptr;
  bool open_loop = true;       ///< latency counts from the planned send beside the actual one
  std::int64_t warmup_ns = 0;  ///< requests planned before are not counted
  std::int64_t timeout_ns = INT64_MAX;    ///< a reply is waited for so long, from the planned send
  std::int64_t lag_bound_ns = INT64_MAX;  ///< a request that leaves later than that is late
  std::uint64_t most_in_flight = 0;       ///< of an open loop; 0: no limit but that of memory
  DepartureLog* departures = nullptr;     ///< of an open loop; may be null
  WatchedKeys* watched = nullptr;         ///< may be null
  CounterLedger* counters = nullptr;      ///< if counters are moved; may be null
  InsertLedger* inserts = nullptr;        ///< if one INSERT of a key has to win; may be null
};

/// When bytes were read, and when they had come.
struct Received {
  std::int64_t read_ns = 0;
  std::int64_t kernel_ns = -1;   ///< to the system, the last of them; -1: not told
  std::uint64_t stands_for = 1;  ///< reads, of which the system's time was asked of this one
};

/// One connection as a state machine: requests and received bytes go in, bytes to send come out,
/// and what became of each request goes into a tally. Times are nanoseconds from the start of the
/// run, given by the caller. Every counted request is planned once and ends once: completed, timed
/// out, shed or failed.
class Connection {
 public:
  /// `number`: of this connection in the run. `staged`: its socket tells when it sends. `client`:
  /// no other connection of the run has that number, nor had it before.
  explicit Connection(const ConnectionPlan& plan, std::uint32_t number = 0, bool staged = false,
                      std::uint32_t client = 0)
      : plan_(plan),
        requests_(plan.requests),
        open_loop_(plan.open_loop),
        staged_(staged),
        number_(number),
        client_(client),
        watch_mask_(plan.watched != nullptr ? plan.watched->mask() : UINT32_MAX),
        has_ledgers_(plan.counters != nullptr || plan.inserts != nullptr),
        in_rows_(plan.requests->all_answered() && !has_ledgers_),
        may_be_alike_(in_rows_ && !open_loop_ && !staged_ && !requests_->any_order() &&
                      requests_->parts().size() == 1 &&
                      requests_->parts()[0].row_check != nullptr) {}

  /// Appends the request to the bytes to send. False, and nothing done, when too much is waiting
  /// already.
  bool request(const Outgoing& outgoing, Tally& tally);

  /// Requests with the indices `first`, `first` + `stride`, … until `depth` of them wait for
  /// replies, or too much is waiting. How many were appended.
  std::uint64_t fill(const Outgoing& first, std::uint64_t stride, std::uint64_t depth,
                     Tally& tally);

  /// Counts a request that was due and is not sent: failed without a connection, otherwise shed.
  void not_sent(const Outgoing& outgoing, Failure why, std::int64_t now_ns, Tally& tally);

  /// Stamps all requests appended since the last call as sent now. `held_up`: the target did not
  /// take them before.
  void stamp(std::int64_t now_ns, bool held_up, Tally& tally);

  base::ByteView unsent() const noexcept { return out_.view(); }
  void sent(std::size_t bytes) noexcept { out_.consume(bytes); }

  /// Takes what was received. Returns false when the connection must be given up: the replies no
  /// longer make sense. All requests in flight have then been failed.
  bool receive(base::ByteView bytes, const Received& at, Tally& tally);

  /// The system sent everything up to that byte of what this connection ever gave it.
  void kernel_sent(std::uint32_t last_byte, std::int64_t at_ns) {
    send_times_.sent(last_byte, at_ns);
  }

  /// Counts the requests whose timeout is over and that still wait as timed out. A late reply is
  /// then no longer recorded.
  void expire(std::int64_t now_ns, Tally& tally);
  /// Does the same as `expire` for all that wait: the run is over.
  void expire_all(std::int64_t now_ns, Tally& tally);

  /// The connection is gone: fails everything in flight and forgets all bytes.
  void lose(Failure why, std::string_view example, std::int64_t now_ns, Tally& tally);

  /// Requests that are never answered count as done once all bytes are sent.
  void settle(Tally& tally) {
    if (!requests_->all_answered() && out_.empty()) complete_unanswered(tally);
  }

  /// The earliest time at which a request was sent that is observed from now on. INT64_MAX if
  /// nothing is in flight.
  std::int64_t unobserved_since() {
    return expired_ < in_flight_.size() ? in_flight_.at(expired_).sent_ns : INT64_MAX;
  }

  /// Requests that wait for a reply, timed out ones included.
  std::size_t waiting() const noexcept { return answered_in_flight_; }
  bool idle() const noexcept { return in_flight_.empty() && out_.empty(); }

 private:
  std::size_t room() const;
  /// Requests with the indices `first`, `first` + `stride`, …: `wanted` of them, or less. How many
  /// were appended.
  std::size_t append(const Outgoing& first, std::uint64_t stride, std::uint64_t wanted,
                     Tally& tally);
  void append_each(const Outgoing& first, std::uint64_t stride, std::span<const Written> row);
  void count_written(std::span<const Written> row, bool counted, Tally& tally);
  /// The outcome of a reply, or of the lack of one.
  enum class Step { taken, need_more, broken };

  /// Takes the replies at the start of `bytes` of which nothing is to be said; their bytes.
  std::size_t take_row(base::ByteView bytes, const Received& at, Tally& tally);
  std::size_t take_alike(const PendingRow& asked, base::ByteView bytes, const Received& at,
                         Tally& tally);
  Step take_one(base::ByteView bytes, std::size_t& size, const Received& at, Tally& tally);
  /// The request whose id the reply at the start of `bytes` repeats; null when there is none, or
  /// when `bytes` are too few to say.
  Pending* find_by_id(base::ByteView bytes);
  Step take_unaddressed(base::ByteView bytes, const Received& at, Tally& tally);
  Step take_delivery(ReplyCheck check, base::ByteView bytes, std::size_t& size, std::int64_t now_ns,
                     Tally& tally);
  void judge_delivery(base::ByteView payload, std::int64_t now_ns, Tally& tally) const;
  /// The index in the run of a request in flight.
  std::uint64_t index_of(const Pending& pending) const;
  Step need(std::uint64_t bytes);
  Step give_up(const Pending& pending, const protocol::fast::Outcome& outcome, const Received& at,
               Tally& tally);
  bool take_all(base::ByteView bytes, std::size_t& taken, const Received& at, Tally& tally);
  void complete_unanswered(Tally& tally);
  bool watch(std::uint32_t part, std::uint32_t key, std::int64_t planned_ns) noexcept;
  Observation observation_of(const Pending& pending) const;
  void note_reply(const Pending& pending, const CheckedReply& reply, base::ByteView bytes,
                  std::int64_t read_ns, Tally& tally);
  void note_lost(const Pending& pending, const RequestPart& part, Tally& tally);
  void judge(const Pending& pending, const RequestPart& part, const CheckedReply& reply,
             const Received& at, Tally& tally);
  std::optional<Failure> fault_of(const Pending& pending, const RequestPart& part,
                                  const CheckedReply& reply) const;
  void reject(Failure fault, const Pending& pending, const RequestPart& part,
              const CheckedReply& reply, const Received& at, Tally& tally);
  bool was_written(const Pending& pending, const CheckedReply& reply) const;
  void complete(std::span<const Pending> alike, const Received& at, Tally& tally);
  void complete(const Pending& first, std::size_t count, const Received& at, Tally& tally);
  static bool is_slow(const Pending& pending, const Received& at, const Tally& tally);
  void remember(const Pending& pending, std::size_t place_in_read, const Received& at,
                Tally& tally);
  void record_stages(const Pending& pending, const Received& at, StageTimes& stages);
  RequestTimes times_of(std::size_t position);
  void lose_request(std::uint32_t part, Failure why, std::string_view example,
                    const RequestTimes& times, std::int64_t until_ns, Tally& tally);
  void expire_planned_before(std::int64_t deadline_ns, std::int64_t now_ns, Tally& tally);
  void fail(std::size_t position, Failure why, std::string_view example, std::int64_t now_ns,
            Tally& tally);
  void pop(std::size_t count = 1);
  void pop_ended();

  ConnectionPlan plan_;
  const Requests* requests_;
  bool open_loop_;
  bool staged_;
  std::uint32_t number_;
  std::uint32_t client_;
  std::uint32_t watch_mask_;           ///< keys with none of these bits may be watched
  bool has_ledgers_;                   ///< replies are noted, watched or not
  bool in_rows_;                       ///< replies may be taken in rows
  bool may_be_alike_;                  ///< requests of a row may differ in their ids alone
  std::size_t taken_in_read_ = 0;      ///< replies of the bytes at hand
  SendTimes send_times_;               ///< of those in flight, if staged
  std::vector<std::uint64_t> marked_;  ///< ordinals of those not stamped yet that are marked
  InFlight in_flight_;
  std::uint64_t last_index_ = 0;  ///< of the request that was appended last
  std::size_t answered_in_flight_ = 0;
  std::size_t unstamped_ = 0;
  std::size_t expired_ = 0;  ///< requests at the front that are known to be timed out or unanswered
  protocol::ByteBuffer out_;
  protocol::ByteBuffer partial_;  ///< the beginning of a reply whose end has not come
  std::uint64_t needed_ = 0;      ///< bytes below which looking at `partial_` again is idle
};

}  // namespace hallmark::loadgen
