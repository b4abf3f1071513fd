#include "observe/observation.hpp"

namespace hallmark::observe {

std::uint64_t Observation::violation_count() const {
  std::uint64_t count = 0;
  for (const FindingGroup& group : violations) count += group.count;
  return count;
}

}  // namespace hallmark::observe
