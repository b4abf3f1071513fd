#pragma once
#include <array>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "loadgen/judge/observation.hpp"

namespace hallmark::loadgen {

/// Finds the keys that two clients were told to have inserted, of all keys and not only of those
/// that are watched: of two INSERTs that succeed, one came after the record's time to live or after
/// a PURGE. Used by all workers.
class InsertLedger {
 public:
  /// The number of keys that are kept; later ones are not.
  static constexpr std::uint32_t most_keys = 1U << 20;

  /// `lasts_ns`: time to live of what is inserted.
  InsertLedger(std::uint32_t keys, std::int64_t lasts_ns);

  /// A PURGE of the key is about to be sent. Without `purged` it may come to effect at any time.
  void purging(std::uint32_t key);
  /// The reply to such a PURGE came.
  void purged(std::uint32_t key, std::int64_t received_ns);
  /// An INSERT of the key was told to have succeeded.
  void won(const Observation& insert);

  struct Findings {
    std::uint64_t won = 0;    ///< INSERTs that succeeded
    std::uint64_t twice = 0;  ///< of those, on a record that was there
    /// The first ones, each with the INSERT whose record was there.
    std::vector<std::pair<Observation, Observation>> examples = {};
  };
  Findings findings() const;

 private:
  static constexpr std::size_t most_examples = 8;
  static constexpr std::size_t parts = 64;

  /// The INSERT that won last, and what may have ended its record.
  struct Key {
    std::int64_t sent_ns = oracle::never_ns;  ///< never: none won
    std::int64_t received_ns = 0;
    std::int64_t purged_ns = INT64_MIN;  ///< the last reply to a PURGE
    std::uint64_t index = 0;
    std::uint32_t client = 0;
    std::uint32_t purges = 0;  ///< sent, without a reply so far
    std::array<std::uint8_t, 15> reply = {};
    std::uint8_t reply_bytes = 0;
  };
  /// The keys with one remainder. They have a mutex of their own, so workers seldom wait for each
  /// other.
  struct alignas(64) Part {
    mutable std::mutex mutex;
    Findings findings;
  };

  bool is_kept(std::uint32_t key) const noexcept { return key < keys_.size(); }
  bool must_be_there(const Key& key, const Observation& insert) const;

  std::int64_t lasts_ns_;
  std::vector<Key> keys_;
  std::array<Part, parts> parts_;
};

}  // namespace hallmark::loadgen
