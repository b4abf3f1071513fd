#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>

#include "reference/model/behaviour.hpp"
#include "reference/model/records/expiry_heap.hpp"
#include "reference/model/records/records.hpp"

namespace hallmark::model {

struct StoreOptions {
  unsigned value_bytes = 2;  ///< the value width N: 1, 2, 4 or 8
  std::size_t max_keys = std::numeric_limits<std::uint32_t>::max() - 1;
  std::size_t max_value_bytes = std::numeric_limits<std::size_t>::max();  ///< length of a buffer
  std::uint64_t max_buffer_bytes = std::numeric_limits<std::uint64_t>::max();  ///< for all buffers
  Behaviour behaviour{};
};

/// The records of a correct server. No operation scans: one that meets an expired record removes
/// it, and each also removes a few whose time has come, so that a mass expiry is paid for in small
/// parts.
class Store final : public Records {
 public:
  explicit Store(const StoreOptions& options);

  bool insert(const Moment& at, std::string_view key, std::uint64_t quota, TtlUnit unit,
              std::uint64_t ttl) override;
  std::optional<CounterView> query(const Moment& at, std::string_view key) override;
  bool update(const Moment& at, std::string_view key, Attribute attribute, Change change,
              std::uint64_t value) override;
  bool purge(const Moment& at, std::string_view key) override;
  bool set(const Moment& at, std::string_view key, std::string_view value, TtlUnit unit,
           std::uint64_t ttl) override;
  std::optional<BufferView> get(const Moment& at, std::string_view key) override;
  std::optional<KeyMetrics> stat(const Moment& at, std::string_view key) override;
  void for_each(const Moment& at, const std::function<void(const EntryView&)>& visit) override;
  StoreTotals totals(const Moment& at) override;
  Record* find(const Moment& at, std::string_view key) override;
  void reschedule(Record& record, Time expires_at) override;

  std::uint64_t max_value() const override { return max_value_; }
  const StoreOptions& options() const { return options_; }

 private:
  using Slot = RecordTable::Slot;

  EntryView view_of(const Record& record, std::uint64_t minute) const;
  std::uint64_t shown_ttl(const Record& record, Time now) const;
  Slot slot_of(const Moment& at, std::string_view key, std::uint64_t hash);
  Slot slot_of(const Moment& at, std::string_view key);
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
