#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "reference/model/behaviour.hpp"
#include "reference/model/expiry_heap.hpp"
#include "reference/model/metrics.hpp"
#include "reference/model/record_table.hpp"
#include "reference/model/time.hpp"

namespace hallmark::model {

using protocol::Attribute;
using protocol::Change;

/// What a QUERY of a counter tells.
struct CounterView {
  std::uint64_t quota = 0;
  TtlUnit unit = TtlUnit::seconds;
  std::uint64_t ttl = 0;  ///< in whole units, as the reading `ttl-left` says
};

/// What a GET of a buffer tells. The value belongs to the store: valid until its next operation.
struct BufferView {
  std::string_view value;
  TtlUnit unit = TtlUnit::seconds;
  std::uint64_t ttl = 0;
};

/// What LIST and STATS tell of one key. The key belongs to the store.
struct EntryView {
  std::string_view key;
  Kind kind = Kind::counter;
  TtlUnit unit = TtlUnit::seconds;
  std::uint64_t time_point = 0;  ///< nanoseconds since the Unix epoch, at most 2^64-1
  std::uint64_t bytes_used = 0;  ///< the value width for a counter, the length for a buffer
  KeyMetrics metrics;
};

/// What INFO tells of the store.
struct StoreTotals {
  std::uint64_t counters = 0;
  std::uint64_t buffers = 0;
  std::uint64_t counter_bytes = 0;
  std::uint64_t buffer_bytes = 0;
};

struct StoreOptions {
  unsigned value_bytes = 2;  ///< the value width N: 1, 2, 4 or 8
  std::size_t max_keys = std::numeric_limits<std::uint32_t>::max() - 1;
  std::size_t max_value_bytes = std::numeric_limits<std::size_t>::max();  ///< length of a buffer
  std::uint64_t max_buffer_bytes = std::numeric_limits<std::uint64_t>::max();  ///< of all buffers
  Behaviour behaviour{};
};

/// Counters and buffers under keys, in one key space. Every operation takes the moment it happens
/// at; a record whose time point has come is gone for all of them (under other readings: once the
/// scheduler has come by, or back as it was inserted). Operations that fail change nothing. What
/// the documents leave open is answered as the behaviour says; the words below are those of its
/// default. None scans: an operation that meets an expired record removes it, and each also removes
/// a few whose time has come, so that a mass expiry is paid for in small parts.
class Store {
 public:
  explicit Store(const StoreOptions& options);

  /// INSERT: false when the key exists (as either kind), the unit is unknown or the store is full.
  /// A TTL of 0 succeeds and leaves nothing behind.
  bool insert(const Moment& at, std::string_view key, std::uint64_t quota, TtlUnit unit,
              std::uint64_t ttl);

  /// QUERY: a counter; nothing when the key is absent or a buffer.
  std::optional<CounterView> query(const Moment& at, std::string_view key);

  /// UPDATE: false when the key is absent, the codes are unknown, a buffer's quota is meant, the
  /// quota would leave 0..maximum, or the TTL left would exceed the maximum. A TTL moved to now or
  /// earlier succeeds: the record is gone.
  bool update(const Moment& at, std::string_view key, Attribute attribute, Change change,
              std::uint64_t value);

  /// PURGE: false when the key is absent.
  bool purge(const Moment& at, std::string_view key);

  /// SET: false when the key holds a counter, the unit is unknown, the value is too long or the
  /// store has no room. A buffer is replaced.
  bool set(const Moment& at, std::string_view key, std::string_view value, TtlUnit unit,
           std::uint64_t ttl);

  /// GET: a buffer; nothing when the key is absent or a counter.
  std::optional<BufferView> get(const Moment& at, std::string_view key);

  /// STAT: metrics of a key of either kind. Is no read itself.
  std::optional<KeyMetrics> stat(const Moment& at, std::string_view key);

  /// Whether the key holds anything.
  bool exists(const Moment& at, std::string_view key) { return find(at, key) != RecordTable::none; }

  /// LIST and STATS: `visit(EntryView)` for each key that is there at that moment, in an order that
  /// depends on the operations before only.
  template <typename Visit>
  void for_each(const Moment& at, Visit&& visit) {
    reclaim(at, std::numeric_limits<std::size_t>::max());
    table_.for_each([&](const Record& record) { visit(view_of(record, at.minute)); });
  }

  /// INFO: what is there at that moment.
  StoreTotals totals(const Moment& at);

  std::uint64_t max_value() const { return max_value_; }
  const StoreOptions& options() const { return options_; }

 private:
  using Slot = RecordTable::Slot;

  EntryView view_of(const Record& record, std::uint64_t minute) const;
  std::uint64_t shown_ttl(const Record& record, Time now) const;
  Slot find(const Moment& at, std::string_view key, std::uint64_t hash);
  Slot find(const Moment& at, std::string_view key);
  bool has_room(const Moment& at, std::uint64_t more_bytes, std::uint64_t fewer_bytes);
  bool is_full() const { return table_.size() >= options_.max_keys; }
  bool allows(std::uint64_t number) const { return number <= limit_; }
  bool allows_length(std::size_t length) const;
  std::optional<Time> end_of(Time from, TtlUnit unit, std::uint64_t ttl) const;
  bool may_replace(Slot slot, Kind kind) const;
  Record& place(std::string_view key, std::uint64_t hash, Slot slot, Kind kind);
  void renew(const Moment& at, Record& record, TtlUnit unit, std::uint64_t ttl, Time expires_at);
  void move_to(const Moment& at, Record& record, Time expires_at);
  bool update_quota(Record& record, Change change, std::uint64_t value) const;
  bool update_ttl(const Moment& at, Slot slot, Change change, std::uint64_t value);
  std::optional<Time> moved(const Moment& at, const Record& record, Change change,
                            std::uint64_t value) const;
  void note_ttl(Record& record, Change change, std::uint64_t value) const;
  void restore(Record& record, Time now);
  void erase(Slot slot);
  void reclaim(const Moment& at, std::size_t at_most);

  StoreOptions options_;
  std::uint64_t max_value_;
  std::uint64_t limit_;  ///< largest number that is valid
  bool notes_origins_;
  RecordTable table_;
  ExpiryHeap expiry_;
  std::uint64_t buffers_ = 0;
  std::uint64_t buffer_bytes_ = 0;
};

}  // namespace hallmark::model
