#pragma once

namespace hallmark::loadgen {

/// Seconds that this process has used.
struct CpuTime {
  double user = 0;
  double system = 0;
};
CpuTime cpu_time();

/// The calling thread is woken when it asked to be: its timers fire without slack, and where the
/// scheduler lets threads ask for short turns (Linux 6.12 or newer), it need not wait for the end
/// of another's long one. Both cost nothing where they are not granted.
void be_punctual();

/// The calling thread, when it is woken, waits until whoever runs on its processor sleeps or has
/// used up a turn (SCHED_BATCH). A target on the same machine then answers all that it was asked
/// before replies are read, and neither is switched for each of them. It changes nothing where
/// processors are idle.
void be_patient();

/// The calling thread stays on one of the processors that this process may use: the one at
/// `place`, counted from 0 and around. It is not held to it where the system refuses.
void stay_on_processor(unsigned place);

/// Raises the limit of descriptors as far as the system lets this process: each connection takes
/// one.
void raise_descriptor_limit();

}  // namespace hallmark::loadgen
