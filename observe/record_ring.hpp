#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "observe/record.hpp"

namespace hallmark::observe {

/// A queue of records between one thread that puts and one that takes, in memory that is taken
/// once. Neither side ever waits for the other, and nobody is woken: putting a record costs a copy.
class RecordRing {
 public:
  /// The room that bytes may not fill, so that records about connections still fit.
  static constexpr std::size_t reserve = std::size_t{64} * 1024;
  /// The longest bytes of a record.
  static constexpr std::size_t most_bytes = std::size_t{64} * 1024;

  /// `capacity` in bytes is rounded up to a power of two, and to 512 KiB at least.
  explicit RecordRing(std::size_t capacity);

  /// Returns false if there is no room. Called by one thread.
  bool put(const Record& record);

  /// The oldest record; valid until `drop`. Called by one other thread.
  std::optional<Record> front();
  /// Precondition: `front` returned a record.
  void drop();

  std::size_t capacity() const { return capacity_; }

 private:
  struct Head {
    std::uint64_t connection;
    std::int64_t at;
    std::uint64_t number;
    std::uint32_t length;
    Record::Kind kind;
    Side side;
    bool is_filler;  ///< only the rest of the memory: the next record is at its beginning
  };

  static std::size_t size_of(std::size_t length) {
    return (sizeof(Head) + length + 7) & ~std::size_t{7};
  }
  Head read_head(std::uint64_t at) const;
  void write_head(std::uint64_t at, const Head& head);

  std::size_t capacity_;
  std::unique_ptr<std::uint8_t[]> memory_;
  // On cache lines of their own: each is written by one of the two threads.
  alignas(64) std::atomic<std::uint64_t> put_{0};
  std::uint64_t known_taken_ = 0;
  alignas(64) std::atomic<std::uint64_t> taken_{0};
  std::uint64_t known_put_ = 0;
};

}  // namespace hallmark::observe
