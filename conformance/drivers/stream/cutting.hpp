#pragma once

#include <set>

#include "conformance/drivers/stream/wire_format.hpp"
#include "vectors/format/vector.hpp"

/// Where the requests of a vector are cut into segments.
namespace hallmark::conformance {

/// Up to this offset a request is cut at every byte; beyond it, at the edges of its fields and one
/// byte before and behind them.
inline constexpr std::size_t cut_everywhere_below = 512;

/// Up to this offset, and at the edges of fields, nothing else is in the two segments of a request;
/// beyond it the rest of one and the beginning of the next may share one.
inline constexpr std::size_t cut_alone_below = 64;

/// Where fields begin and end, and one byte before and behind.
std::set<std::size_t> edges_of(const WireFormat& format, const vectors::Send& send);

/// Offsets at which that request is cut.
std::vector<std::size_t> cuts_of(const WireFormat& format, const vectors::Send& send);

/// Which of how many requests of one operation and length on one connection a step sends.
struct Rank {
  std::size_t rank = 0;
  std::size_t of = 0;
};

/// How the requests of one replay are cut.
enum class Cuts : std::uint8_t {
  none,
  everywhere,  ///< of those that resemble each other, the first few
  at_offset,   ///< every request that is longer
  chained,     ///< as `at_offset`, and the rest of each goes out with the beginning of the next
  by_rank,     ///< of those that resemble each other, each at another place; the next round goes on
};

struct Cutting {
  Cuts cuts = Cuts::none;
  std::size_t offset = 0;  ///< of `at_offset` and `chained`
  std::size_t round = 0;   ///< of `by_rank`
};

/// By step; of one that sends nothing it means nothing.
std::vector<Rank> ranks_of(const vectors::Vector& vector);

/// Offsets at which one request is cut, ascending; none: it is sent whole.
std::vector<std::size_t> cuts_for(const WireFormat& format, const vectors::Send& send,
                                  const Cutting& cutting, const Rank& rank);

}  // namespace hallmark::conformance
