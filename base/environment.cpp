#include "base/environment.hpp"

#include <cstdlib>

namespace hallmark::base {

std::string environment_variable(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): the precondition
  return value == nullptr ? std::string() : value;
}

}  // namespace hallmark::base
