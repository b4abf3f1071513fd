#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "loadgen/tally.hpp"

namespace hallmark::loadgen {

/// Tallies that are used again: to make one touches megabytes, which a worker would feel as a
/// pause.
class TallyPool {
 public:
  /// Tallies for `parts` parts of a mix, `ready` of them at once.
  TallyPool(std::size_t parts, std::size_t ready) : parts_(parts) {
    for (std::size_t i = 0; i < ready; ++i) free_.push_back(std::make_unique<Tally>(parts));
  }

  std::unique_ptr<Tally> take() {
    const std::scoped_lock lock{mutex_};
    if (free_.empty()) return std::make_unique<Tally>(parts_);
    auto tally = std::move(free_.back());
    free_.pop_back();
    return tally;
  }

  void give_back(std::unique_ptr<Tally> tally) {
    tally->reset();
    const std::scoped_lock lock{mutex_};
    free_.push_back(std::move(tally));
  }

 private:
  std::size_t parts_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Tally>> free_;
};

}  // namespace hallmark::loadgen
