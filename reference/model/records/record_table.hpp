#pragma once
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reference/model/records/metrics.hpp"
#include "reference/model/time.hpp"

namespace hallmark::model {

using Kind = protocol::RecordKind;

/// The circumstances of a record's creation, for the readings that depend on them.
struct Origin {
  Time created_at = 0;
  std::uint64_t quota = 0;
  std::uint64_t ttl = 0;        ///< in units, at its insertion
  std::uint64_t shown_ttl = 0;  ///< in units, as last set
};

/// One key with its counter or buffer. What QUERY touches comes first.
struct Record {
  Time expires_at = 0;      ///< 0: not set yet
  std::uint64_t quota = 0;  ///< a counter's quota
  std::string key;
  TtlUnit unit = TtlUnit::seconds;
  Kind kind = Kind::counter;
  bool live = false;
  std::uint32_t slot = 0;  ///< its own
  Meter reads;
  Meter writes;
  std::uint64_t hash = 0;
  std::string value;               ///< a buffer's value
  std::unique_ptr<Origin> origin;  ///< null where no reading needs it
};

/// Records in slots that never move, found by key without allocating. Iteration is in slot order,
/// which depends on nothing but the operations that came before.
class RecordTable {
 public:
  using Slot = std::uint32_t;
  static constexpr Slot none = 0xffffffff;

  RecordTable() : index_(0, Hasher{this}, Matcher{this}) {}
  RecordTable(const RecordTable&) = delete;
  RecordTable& operator=(const RecordTable&) = delete;

  std::size_t size() const { return index_.size(); }
  Record& operator[](Slot slot) { return chunks_[slot / chunk_size][slot % chunk_size]; }
  const Record& operator[](Slot slot) const {
    return chunks_[slot / chunk_size][slot % chunk_size];
  }

  static std::uint64_t hash_of(std::string_view key) { return std::hash<std::string_view>{}(key); }

  /// The slot of `key`, or `none`.
  Slot find(std::string_view key, std::uint64_t hash) const {
    const auto found = index_.find(Probe{key, hash});
    return found == index_.end() ? none : *found;
  }

  /// Takes a slot for a key that is not in the table.
  Slot add(std::string_view key, std::uint64_t hash);

  /// Gives the slot of a live record back.
  void erase(Slot slot);

  /// Calls `visit(record)` for each live record.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (Slot slot = 0; slot < used_; ++slot) {
      if (const Record& record = (*this)[slot]; record.live) visit(record);
    }
  }

 private:
  /// Few, as generating vectors makes a model for each rehearsal, of a few keys.
  static constexpr std::size_t chunk_size = 32;

  struct Probe {
    std::string_view key;
    std::uint64_t hash;
  };
  struct Hasher {
    using is_transparent = void;
    using is_avalanching = void;
    const RecordTable* table;
    std::size_t operator()(const Probe& probe) const { return probe.hash; }
    std::size_t operator()(Slot slot) const { return (*table)[slot].hash; }
  };
  struct Matcher {
    using is_transparent = void;
    const RecordTable* table;
    bool operator()(const Probe& probe, Slot slot) const { return probe.key == (*table)[slot].key; }
    bool operator()(Slot slot, const Probe& probe) const { return probe.key == (*table)[slot].key; }
    bool operator()(Slot left, Slot right) const { return left == right; }
  };

  std::vector<std::unique_ptr<Record[]>> chunks_;
  std::vector<Slot> free_;
  Slot used_ = 0;
  boost::unordered_flat_set<Slot, Hasher, Matcher> index_;
};

}  // namespace hallmark::model
