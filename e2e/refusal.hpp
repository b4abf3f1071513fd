#pragma once
#include <ostream>

#include "e2e/fixture.hpp"

namespace hallmark::e2e {

/// Arguments that the program refuses.
struct Refusal {
  const char* name;
  Arguments arguments;
  Arguments parts;  ///< of the line on standard error: what came, and what is allowed
};

inline void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.name; }

/// A target of commands that are refused before they connect.
inline constexpr const char* unreached_target = "tcp://127.0.0.1:1";

}  // namespace hallmark::e2e
