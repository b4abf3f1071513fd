#pragma once

namespace hallmark::loadgen {

/// Seconds that this process has used.
struct CpuTime {
  double user = 0;
  double system = 0;
};
CpuTime cpu_time();

/// As many descriptors as the system lets this process have: a connection takes one.
void raise_descriptor_limit();

}  // namespace hallmark::loadgen
