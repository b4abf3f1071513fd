#pragma once
#include <boost/container/static_vector.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "proxy/datagram_random.hpp"

namespace hallmark::proxy {

/// Drawn evenly from both ends and what is between. `shortest` is at most `longest`.
struct Delay {
  std::chrono::nanoseconds shortest{0};
  std::chrono::nanoseconds longest{0};

  friend bool operator==(const Delay&, const Delay&) = default;
};

/// The faults of one direction. Rates are probabilities in [0, 1]; each fault is drawn apart from
/// the others.
struct FaultPlan {
  double drop = 0;       ///< never arrives
  double duplicate = 0;  ///< of what is not dropped: arrives twice
  double reorder = 0;    ///< held back until later ones have passed it
  double corrupt = 0;    ///< one byte becomes another
  double truncate = 0;   ///< loses its end
  Delay delay{};         ///< of every datagram
  /// A datagram that is held back waits for 1 to so many later ones.
  std::uint32_t overtaken_by_at_most = 3;
  /// It waits no longer than this beyond its delay, so that the last ones of a burst still arrive.
  std::chrono::nanoseconds held_back_at_most{std::chrono::milliseconds{100}};
};

/// The fate of one copy of a datagram.
struct Copy {
  std::chrono::nanoseconds delay{0};
  std::uint32_t overtaken_by = 0;       ///< later datagrams that have to pass first; 0: none
  std::optional<std::size_t> cut_to{};  ///< its length, less than the datagram's
  struct Flip {
    std::size_t position = 0;  ///< within what is left of the datagram
    std::uint8_t mask = 0;     ///< not 0: the byte there is XORed with it
    friend bool operator==(const Flip&, const Flip&) = default;
  };
  std::optional<Flip> flip{};

  friend bool operator==(const Copy&, const Copy&) = default;
};

/// None: dropped. Two: duplicated; each has delays and damage of its own.
using Fate = boost::container::static_vector<Copy, 2>;

/// Decides what becomes of each datagram, before any clock or socket is asked: the same seed and
/// plans give the same fates.
class Faults {
 public:
  Faults(std::uint64_t seed, const FaultPlan& requests, const FaultPlan& replies)
      : seed_(seed), plans_{requests, replies} {}

  /// The fate of datagram `id`, which has `size` bytes. The size decides nothing but where damage
  /// falls; an empty datagram cannot be damaged.
  Fate fate_of(const DatagramId& id, std::size_t size) const;

  const FaultPlan& plan(Direction direction) const {
    return plans_[static_cast<std::size_t>(direction)];
  }

 private:
  std::uint64_t seed_;
  FaultPlan plans_[2];
};

}  // namespace hallmark::proxy
