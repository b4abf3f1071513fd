#include "base/random.hpp"

#include <random>

namespace hallmark::base {

std::uint64_t random_seed() {
  std::random_device device;
  const std::uint64_t upper = device();
  return upper << 32 | device();
}

}  // namespace hallmark::base
