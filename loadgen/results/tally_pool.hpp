#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "loadgen/results/tally.hpp"

namespace hallmark::loadgen {

/// Tallies that are used again: to make one touches megabytes, which a worker would feel as a
/// pause.
class TallyPool {
 public:
  /// Tallies for `parts` parts of a mix, `ready` of them at once.
  /// `staged`: with times of stages.
  TallyPool(std::size_t parts, std::size_t ready, bool staged = false, bool open_loop = true)
      : parts_(parts), staged_(staged), open_loop_(open_loop) {
    for (std::size_t i = 0; i < ready; ++i) free_.push_back(make());
  }

  std::unique_ptr<Tally> take() {
    const std::scoped_lock lock{mutex_};
    if (free_.empty()) return make();
    auto tally = std::move(free_.back());
    free_.pop_back();
    return tally;
  }

  void give_back(std::unique_ptr<Tally> tally) {
    tally->reset();
    const std::scoped_lock lock{mutex_};
    free_.push_back(std::move(tally));
  }

  bool staged() const noexcept { return staged_; }
  bool open_loop() const noexcept { return open_loop_; }

 private:
  std::unique_ptr<Tally> make() const {
    return std::make_unique<Tally>(parts_, staged_, open_loop_);
  }

  std::size_t parts_;
  bool staged_;
  bool open_loop_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Tally>> free_;
};

}  // namespace hallmark::loadgen
