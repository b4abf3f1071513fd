#include "audit/key_set.hpp"

#include <algorithm>
#include <bit>
#include <functional>

namespace hallmark::audit {
namespace {

constexpr std::size_t least_slots = 1024;

std::uint64_t hash_of(std::string_view key) {
  static_assert(sizeof(std::size_t) == sizeof(std::uint64_t));
  const std::uint64_t hash = std::hash<std::string_view>()(key);
  return hash == 0 ? 1 : hash;  // 0 marks a free slot
}

/// At most seven of eight slots are taken.
bool too_full(std::size_t size, std::size_t slots) { return size >= slots - slots / 8; }

}  // namespace

void KeySet::expect(std::uint64_t count) {
  const auto bounded = static_cast<std::size_t>(std::min<std::uint64_t>(count, most_));
  const std::size_t slots = std::bit_ceil(std::max(least_slots, bounded + bounded / 4));
  if (slots > slots_.size()) grow(slots);
}

void KeySet::grow(std::size_t slots) {
  std::vector<std::uint64_t> old(slots, 0);
  old.swap(slots_);
  for (const std::uint64_t hash : old) {
    if (hash != 0) place(hash);
  }
}

/// False: it was there. Precondition: there is a free slot.
bool KeySet::place(std::uint64_t hash) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  while (slots_[at] != 0) {
    if (slots_[at] == hash) return false;
    at = (at + 1) & mask;
  }
  slots_[at] = hash;
  return true;
}

bool KeySet::insert(std::string_view key) {
  if (slots_.empty()) grow(least_slots);
  const std::uint64_t hash = hash_of(key);
  if (size_ == most_) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hash & mask; slots_[at] != 0; at = (at + 1) & mask) {
      if (slots_[at] == hash) return false;
    }
    overflowed_ = true;
    return true;
  }
  if (too_full(size_ + 1, slots_.size())) grow(slots_.size() * 2);
  if (!place(hash)) return false;
  ++size_;
  return true;
}

}  // namespace hallmark::audit
