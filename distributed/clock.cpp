#include "distributed/clock.hpp"

#include <chrono>

namespace hallmark::distributed {
namespace {

template <class Of>
std::int64_t now_ns() {
  return std::chrono::nanoseconds(Of::now().time_since_epoch()).count();
}

}  // namespace

Clock Clock::of_machine() {
  return {now_ns<std::chrono::steady_clock>, now_ns<std::chrono::system_clock>};
}

}  // namespace hallmark::distributed
