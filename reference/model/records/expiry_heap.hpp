#pragma once
#include <cstdint>
#include <vector>

#include "reference/model/time.hpp"

namespace hallmark::model {

/// Slots ordered by the time point they expire at: a heap with four children per node, which is
/// half as deep as a binary one and whose children share cache lines. Every change costs O(log n).
class ExpiryHeap {
 public:
  using Slot = std::uint32_t;

  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }

  /// The earliest time point and its slot; the heap must not be empty.
  Time earliest() const { return heap_.front().at; }
  Slot earliest_slot() const { return heap_.front().slot; }

  /// Adds a slot that is not in the heap.
  void push(Slot slot, Time at);

  /// Moves a slot of the heap to another time point.
  void reschedule(Slot slot, Time at);

  /// Takes a slot of the heap out.
  void remove(Slot slot);

 private:
  struct Entry {
    Time at;
    Slot slot;
  };

  void place(std::size_t position, const Entry& entry);
  void sift_up(std::size_t position, const Entry& entry);
  void sift_down(std::size_t position, const Entry& entry);
  void settle(std::size_t position, const Entry& entry);

  std::vector<Entry> heap_;
  std::vector<std::uint32_t> position_;  // by slot
};

}  // namespace hallmark::model
