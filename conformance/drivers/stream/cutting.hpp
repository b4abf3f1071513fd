#pragma once

#include <set>

#include "conformance/drivers/stream/wire_format.hpp"
#include "vectors/format/vector.hpp"

/// Decides where the requests of a vector are cut into segments.
namespace hallmark::conformance {

/// Up to this offset a request is cut at every byte; beyond it, at the edges of its fields and one
/// byte before and behind them.
inline constexpr std::size_t cut_everywhere_below = 512;

/// Up to this offset, and at the edges of fields, nothing else is in the two segments of a request;
/// beyond it the rest of one and the beginning of the next may share one.
inline constexpr std::size_t cut_alone_below = 64;

/// Returns the offsets at which fields begin and end, and one byte before and behind each.
std::set<std::size_t> edges_of(const WireFormat& format, const vectors::Send& send);

/// Offsets at which that request is cut.
std::vector<std::size_t> cuts_of(const WireFormat& format, const vectors::Send& send);

/// The place of a step's request among those of the same operation and length on its connection:
/// `rank`, counted from 0, of `of`.
struct Rank {
  std::size_t rank = 0;
  std::size_t of = 0;
};

/// The way in which the requests of one replay are cut.
enum class Cuts : std::uint8_t {
  none,
  everywhere,  ///< the first few of those that resemble each other
  at_offset,   ///< every request that is longer
  chained,     ///< like `at_offset`; the rest of each goes out with the beginning of the next
  by_rank,     ///< each at another place among those that resemble each other; rounds go on
};

struct Cutting {
  Cuts cuts = Cuts::none;
  std::size_t offset = 0;  ///< for `at_offset` and `chained`
  std::size_t round = 0;   ///< for `by_rank`
};

/// One for each step; that of a step that sends nothing means nothing.
std::vector<Rank> ranks_of(const vectors::Vector& vector);

/// Offsets at which one request is cut, ascending; none: it is sent whole.
std::vector<std::size_t> cuts_for(const WireFormat& format, const vectors::Send& send,
                                  const Cutting& cutting, const Rank& rank);

}  // namespace hallmark::conformance
