#pragma once

#include <map>
#include <mutex>
#include <thread>

namespace hallmark::conformance {

/// A value of its own for each thread that asks for one.
template <class T>
class PerThread {
 public:
  /// Stays where it is; for the calling thread only.
  T& here() {
    const std::lock_guard lock(mutex_);
    return values_[std::this_thread::get_id()];
  }

  /// Each of them. Precondition: the threads that asked for one are gone, or wait.
  template <class Use>
  void for_each(const Use& use) {
    const std::lock_guard lock(mutex_);
    for (auto& [thread, value] : values_) use(value);
  }

 private:
  std::mutex mutex_;
  std::map<std::thread::id, T> values_;
};

}  // namespace hallmark::conformance
