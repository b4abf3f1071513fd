#pragma once

namespace hallmark::cli {

/// From now on, the first SIGINT or SIGTERM only makes `was_interrupted` true, and another one more
/// than a second later ends the program: what sends signals to a process and to its group means
/// one.
void listen_for_interrupts();

bool was_interrupted();

}  // namespace hallmark::cli
