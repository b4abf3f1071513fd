#pragma once
#include <optional>

namespace hallmark::mpi {

/// Starts this program once more, as the rank itself, and waits for it: the launcher watches a
/// process that does nothing, so that it does not end all ranks at once when one is killed. Returns
/// the exit code of the rank; nothing in the process that is the rank. A rank that a signal ended
/// is named on standard error, and waited for by its keeper until the launcher ends all.
///
/// Signals that end a program are handed on to the rank, which gets one as well when its keeper is
/// killed.
std::optional<int> keep(int argc, char** argv);

}  // namespace hallmark::mpi
