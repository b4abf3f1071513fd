#pragma once

#include <string>

namespace hallmark::base {

/// The value of an environment variable; empty where it is not set. Precondition: no other thread
/// sets one.
std::string environment_variable(const char* name);

}  // namespace hallmark::base
