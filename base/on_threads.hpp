#pragma once

#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace hallmark::base {

/// Runs `work` on `count` threads at once and waits for all of them. Throws the first exception
/// that a run of `work` threw: one that leaves a thread would end the program.
inline void on_threads(unsigned count, const std::function<void()>& work) {
  std::mutex mutex;
  std::exception_ptr first;
  const auto guarded = [&] {
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!first) first = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < count; ++i) threads.emplace_back(guarded);
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace hallmark::base
