#pragma once

namespace hallmark::mpi {

/// Makes this process, and those that it starts, print for a file unless the launcher prints to a
/// terminal: Open MPI gives the ranks of its own machine a terminal even where its own output is
/// a file. Call it before threads and other processes are started.
void print_as_the_launcher_does();

}  // namespace hallmark::mpi
