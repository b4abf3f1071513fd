#pragma once

#include "e2e/hostile/trial.hpp"

namespace hallmark::e2e {

std::string in_one_line(const Trial& trial);

/// docs/hostile.md: what is promised, and the table of what was measured.
std::string page_of(const std::vector<Trial>& trials);

}  // namespace hallmark::e2e
