#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "reference/model/records/metrics.hpp"
#include "reference/model/records/record_table.hpp"
#include "reference/model/time.hpp"

namespace hallmark::model {

using protocol::Attribute;
using protocol::Change;

/// The reply to QUERY of a counter.
struct CounterView {
  std::uint64_t quota = 0;
  TtlUnit unit = TtlUnit::seconds;
  std::uint64_t ttl = 0;  ///< in whole units, as the reading `ttl-left` says
};

/// The reply to GET of a buffer. The value belongs to the store: valid until its next operation.
struct BufferView {
  std::string_view value;
  TtlUnit unit = TtlUnit::seconds;
  std::uint64_t ttl = 0;
};

/// An entry of LIST and STATS. The key belongs to the store.
struct EntryView {
  std::string_view key;
  Kind kind = Kind::counter;
  TtlUnit unit = TtlUnit::seconds;
  std::uint64_t time_point = 0;  ///< nanoseconds since the Unix epoch, at most 2^64-1
  std::uint64_t bytes_used = 0;  ///< the value width for a counter, the length for a buffer
  KeyMetrics metrics;
};

/// The numbers of INFO about the store.
struct StoreTotals {
  std::uint64_t counters = 0;
  std::uint64_t buffers = 0;
  std::uint64_t counter_bytes = 0;
  std::uint64_t buffer_bytes = 0;
};

/// Counters and buffers under keys, in one key space. Every operation takes the moment it happens
/// at; a record whose time point has come is gone for all of them (under other readings: once the
/// scheduler has come by, or back as it was inserted). Operations that fail change nothing. What
/// the documents leave open is answered as the behaviour says; the words below are those of its
/// default.
class Records {
 public:
  Records() = default;
  Records(const Records&) = delete;
  Records& operator=(const Records&) = delete;
  virtual ~Records() = default;

  /// INSERT: false when the key exists (as either kind), the unit is unknown or the store is full.
  /// A TTL of 0 succeeds and leaves nothing behind.
  virtual bool insert(const Moment& at, std::string_view key, std::uint64_t quota, TtlUnit unit,
                      std::uint64_t ttl) = 0;

  /// QUERY: a counter; nothing when the key is absent or a buffer.
  virtual std::optional<CounterView> query(const Moment& at, std::string_view key) = 0;

  /// UPDATE: false when the key is absent, the codes are unknown, a buffer's quota is meant, the
  /// quota would leave 0..maximum, or the TTL left would exceed the maximum. A TTL moved to now or
  /// earlier succeeds: the record is gone.
  virtual bool update(const Moment& at, std::string_view key, Attribute attribute, Change change,
                      std::uint64_t value) = 0;

  /// PURGE: false when the key is absent.
  virtual bool purge(const Moment& at, std::string_view key) = 0;

  /// SET: false when the key holds a counter, the unit is unknown, the value is too long or the
  /// store has no room. A buffer is replaced.
  virtual bool set(const Moment& at, std::string_view key, std::string_view value, TtlUnit unit,
                   std::uint64_t ttl) = 0;

  /// GET: a buffer; nothing when the key is absent or a counter.
  virtual std::optional<BufferView> get(const Moment& at, std::string_view key) = 0;

  /// STAT: metrics of a key of either kind. Is no read itself.
  virtual std::optional<KeyMetrics> stat(const Moment& at, std::string_view key) = 0;

  /// LIST and STATS: visits each key that is there at that moment, in an order that depends on the
  /// operations before only.
  virtual void for_each(const Moment& at, const std::function<void(const EntryView&)>& visit) = 0;

  /// INFO: what is there at that moment.
  virtual StoreTotals totals(const Moment& at) = 0;

  /// The record of a key itself; null where there is none. Is no read, and valid until the next
  /// operation.
  virtual Record* find(const Moment& at, std::string_view key) = 0;

  /// Moves the time point at which a record goes. Is no write.
  virtual void reschedule(Record& record, Time expires_at) = 0;

  /// The largest quota, TTL or length that the value width has room for.
  virtual std::uint64_t max_value() const = 0;

  /// True if the key holds anything.
  bool exists(const Moment& at, std::string_view key) { return find(at, key) != nullptr; }
};

}  // namespace hallmark::model
