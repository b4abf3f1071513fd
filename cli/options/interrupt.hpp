#pragma once

#include <atomic>

namespace hallmark::cli {

/// From now on, the first SIGINT or SIGTERM only makes `was_interrupted` true, and another one more
/// than a second later ends the program: what sends signals to a process and to its group means
/// one.
void listen_for_interrupts();

bool was_interrupted();

/// The flag that `was_interrupted` reads, for those that watch it while they run.
const std::atomic<bool>& interruption();

}  // namespace hallmark::cli
