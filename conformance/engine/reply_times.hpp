#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <optional>

#include "conformance/engine/clock.hpp"

namespace hallmark::conformance {

/// Counts the replies of a run, and by powers of two how long they took. Used by several threads.
class ReplyTimes {
 public:
  /// Notes that a reply took so long, in ns; nothing: how long it took says nothing of the target.
  void note(std::optional<Time> took) {
    ++replies_;
    if (took) ++counts_[static_cast<std::size_t>(std::bit_width(*took))];
  }

  /// Returns how many replies there were.
  std::uint64_t count() const { return replies_; }

  /// Returns the least power of two, ns, that at least 19 of 20 replies took less than; 0 before
  /// the first reply. A few replies that a busy machine delayed do not change it, as they would
  /// change a maximum.
  Time usual() const {
    std::uint64_t all = 0;
    for (const auto& count : counts_) all += count.load();
    std::uint64_t quicker = 0;
    for (std::size_t width = 0; width < counts_.size(); ++width) {
      quicker += counts_[width].load();
      if (quicker > 0 && quicker * 20 >= all * 19) return Time{1} << width;
    }
    return 0;
  }

 private:
  std::atomic<std::uint64_t> replies_{0};
  /// Indexed by the bits that a time needs: 0 to 64.
  std::array<std::atomic<std::uint64_t>, 65> counts_{};
};

}  // namespace hallmark::conformance
