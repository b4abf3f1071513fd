#pragma once

#include <cstddef>

namespace hallmark::conformance::testing {

/// Loops that do the same thousands of times, a little different each time, do all of it without
/// sanitizers. With them a round takes ten times as long: they make the first hundred rounds and
/// each seventh of the others.
inline bool is_tried(std::size_t round) {
#ifdef HALLMARK_SANITIZED
  return round < 100 || round % 7 == 0;
#else
  (void)round;
  return true;
#endif
}

}  // namespace hallmark::conformance::testing
