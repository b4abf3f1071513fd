#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "protocol/codec/layout.hpp"

namespace hallmark::server {

/// Released servers cut their listings by about so many bytes of entries and names.
inline constexpr std::size_t fragment_bytes = 2'048;

/// Some entries of a listing; numbered from 1.
template <class Entry>
struct Fragment {
  std::uint64_t number;
  std::span<const Entry> entries;
};

/// Cuts `entries` so that `size_of(entry)` sums up to at most `fragment_bytes` in each fragment (an
/// entry that is larger has one of its own). No entries: no fragments.
template <class Entry, class SizeOf>
std::vector<Fragment<Entry>> split(const std::vector<Entry>& entries, SizeOf&& size_of) {
  std::vector<Fragment<Entry>> fragments;
  const std::span<const Entry> all(entries);
  std::size_t first = 0;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t size = size_of(all[i]);
    if (i > first && bytes + size > fragment_bytes) {
      fragments.push_back({fragments.size() + 1, all.subspan(first, i - first)});
      first = i;
      bytes = 0;
    }
    bytes += size;
  }
  if (first < all.size()) fragments.push_back({fragments.size() + 1, all.subspan(first)});
  return fragments;
}

/// Bytes of the fixed fields of one entry in the listing that `operation` replies with.
inline std::size_t entry_width(const protocol::Operation& operation, protocol::Width width,
                               const protocol::Readings& readings) {
  using protocol::kinds::Group;
  const auto& fragments = operation.reply.on_success.back().get<Group>();
  const auto& entries = fragments.head.back().get<Group>();
  return protocol::Layout::reply(operation, width, readings).fixed_size(entries.head);
}

}  // namespace hallmark::server
