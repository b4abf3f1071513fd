#include "base/on_threads.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

namespace hallmark::base {
namespace {

TEST(OnThreads, RunsTheWorkOnEach) {
  std::atomic<int> runs{0};
  on_threads(5, [&] { ++runs; });
  EXPECT_EQ(runs, 5);
}

TEST(OnThreads, AnExceptionReachesTheCallerWhenAllHaveEnded) {
  std::atomic<int> runs{0};
  const auto work = [&] {
    if (++runs == 2) throw std::runtime_error("too many open files");
  };
  EXPECT_THROW(on_threads(4, work), std::runtime_error);
  EXPECT_EQ(runs, 4);
}

}  // namespace
}  // namespace hallmark::base
