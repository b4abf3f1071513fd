#include "reference/model/records/expiry_heap.hpp"

#include <algorithm>

namespace hallmark::model {

namespace {

constexpr std::size_t arity = 4;

std::size_t parent_of(std::size_t position) { return (position - 1) / arity; }
std::size_t first_child_of(std::size_t position) { return position * arity + 1; }

}  // namespace

void ExpiryHeap::push(Slot slot, Time at) {
  if (slot >= position_.size()) position_.resize(slot + std::size_t{1});
  const Entry entry{at, slot};
  heap_.push_back(entry);
  sift_up(heap_.size() - 1, entry);
}

void ExpiryHeap::reschedule(Slot slot, Time at) { settle(position_[slot], Entry{at, slot}); }

void ExpiryHeap::remove(Slot slot) {
  const std::size_t hole = position_[slot];
  const Entry last = heap_.back();
  heap_.pop_back();
  if (hole < heap_.size()) settle(hole, last);
}

void ExpiryHeap::place(std::size_t position, const Entry& entry) {
  heap_[position] = entry;
  position_[entry.slot] = static_cast<std::uint32_t>(position);
}

void ExpiryHeap::sift_up(std::size_t position, const Entry& entry) {
  while (position > 0 && entry.at < heap_[parent_of(position)].at) {
    place(position, heap_[parent_of(position)]);
    position = parent_of(position);
  }
  place(position, entry);
}

void ExpiryHeap::sift_down(std::size_t position, const Entry& entry) {
  while (first_child_of(position) < heap_.size()) {
    const std::size_t first = first_child_of(position);
    const std::size_t end = std::min(first + arity, heap_.size());
    std::size_t smallest = first;
    for (std::size_t child = first + 1; child < end; ++child) {
      if (heap_[child].at < heap_[smallest].at) smallest = child;
    }
    if (entry.at <= heap_[smallest].at) break;
    place(position, heap_[smallest]);
    position = smallest;
  }
  place(position, entry);
}

void ExpiryHeap::settle(std::size_t position, const Entry& entry) {
  if (position > 0 && entry.at < heap_[parent_of(position)].at) {
    sift_up(position, entry);
  } else {
    sift_down(position, entry);
  }
}

}  // namespace hallmark::model
