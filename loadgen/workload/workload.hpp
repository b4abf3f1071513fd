#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "loadgen/arrivals/random_stream.hpp"
#include "loadgen/workload/key_choice.hpp"

namespace hallmark::loadgen {

/// One part of a mix: an operation and its weight among all.
struct MixPart {
  std::string operation;
  std::uint32_t weight = 0;
};

/// Reads `query=90,update=9,insert=1`: names from `allowed`, each once, with whole weights up to a
/// million of which at least one is not 0. Parts of weight 0 are left out.
base::Result<std::vector<MixPart>> parse_mix(std::string_view text,
                                             std::span<const std::string_view> allowed);

/// Chooses the part of a mix and the key of each request: a function of seed and request index.
class RequestChooser {
 public:
  /// `mix` has at least one part, each of weight 1 or more.
  RequestChooser(std::span<const MixPart> mix, KeyPicker keys, std::uint64_t seed);

  /// Position in the mix of the operation of request `index`.
  std::uint32_t part_of(std::uint64_t index) const noexcept {
    if (single_) return 0;
    const std::uint64_t drawn = operation_.below_at(index, upper_edges_.back());
    std::uint32_t part = 0;
    while (drawn >= upper_edges_[part]) ++part;
    return part;
  }

  /// Key of request `index`, in [0, keys).
  std::uint32_t key_of(std::uint64_t index) const noexcept { return keys_.pick(index); }

  const KeyPicker& keys() const noexcept { return keys_; }

  /// Random bits for the values request `index` carries.
  std::uint64_t value_of(std::uint64_t index) const noexcept { return value_.at(index); }

 private:
  std::vector<std::uint64_t> upper_edges_;
  bool single_;  ///< the mix has one part
  KeyPicker keys_;
  base::CounterRandom operation_;
  base::CounterRandom value_;
};

}  // namespace hallmark::loadgen
