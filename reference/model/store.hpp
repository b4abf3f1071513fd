#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "reference/model/expiry_heap.hpp"
#include "reference/model/metrics.hpp"
#include "reference/model/record_table.hpp"
#include "reference/model/time.hpp"

namespace hallmark::model {

using protocol::Attribute;
using protocol::Change;

/// The reading `set-existing`: SET on a key that already holds a buffer.
enum class SetExisting : std::uint8_t {
  replaces,  ///< released servers
  fails,     ///< the text of 6.0
};

/// What a QUERY of a counter tells.
struct CounterView {
  std::uint64_t quota = 0;
  TtlUnit unit = TtlUnit::seconds;
  std::uint64_t ttl = 0;  ///< what is left, in whole units, rounded down
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
  SetExisting set_existing = SetExisting::replaces;
};

/// Counters and buffers under keys, in one key space. Every operation takes the moment it happens
/// at; a record whose time point has come is gone for all of them. Operations that fail change
/// nothing. None scans: an operation that meets an expired record removes it, and each also removes
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

  /// SET: false when the key holds a counter, the unit is unknown, the value is too long, the store
  /// has no room, or the key holds a buffer and the reading says so.
  bool set(const Moment& at, std::string_view key, std::string_view value, TtlUnit unit,
           std::uint64_t ttl);

  /// GET: a buffer; nothing when the key is absent or a counter.
  std::optional<BufferView> get(const Moment& at, std::string_view key);

  /// STAT: metrics of a key of either kind. Is no read itself.
  std::optional<KeyMetrics> stat(const Moment& at, std::string_view key);

  /// LIST and STATS: `visit(EntryView)` for each key that is there at that moment, in an order that
  /// depends on the operations before only.
  template <typename Visit>
  void for_each(const Moment& at, Visit&& visit) {
    reclaim(at.now, std::numeric_limits<std::size_t>::max());
    table_.for_each([&](const Record& record) { visit(view_of(record, at.minute)); });
  }

  /// INFO: what is there at that moment.
  StoreTotals totals(const Moment& at);

  std::uint64_t max_value() const { return max_value_; }
  const StoreOptions& options() const { return options_; }

 private:
  using Slot = RecordTable::Slot;

  EntryView view_of(const Record& record, std::uint64_t minute) const;
  std::uint64_t ttl_left(const Record& record, Time now) const;
  Slot find(const Moment& at, std::string_view key, std::uint64_t hash);
  Slot find(const Moment& at, std::string_view key);
  bool has_room(Time now, std::uint64_t more_bytes, std::uint64_t fewer_bytes);
  bool is_full() const { return table_.size() >= options_.max_keys; }
  Record& add(const Moment& at, std::string_view key, std::uint64_t hash, Kind kind, TtlUnit unit,
              Time expires_at);
  bool update_quota(Record& record, Change change, std::uint64_t value) const;
  bool update_ttl(const Moment& at, Slot slot, Change change, std::uint64_t value);
  bool replace(const Moment& at, Slot slot, std::string_view value, TtlUnit unit, Time expires_at);
  void erase(Slot slot);
  void reclaim(Time now, std::size_t at_most);

  StoreOptions options_;
  std::uint64_t max_value_;
  RecordTable table_;
  ExpiryHeap expiry_;
  std::uint64_t buffers_ = 0;
  std::uint64_t buffer_bytes_ = 0;
};

}  // namespace hallmark::model
