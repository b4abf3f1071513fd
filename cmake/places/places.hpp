#pragma once

#include <string>
#include <string_view>

/// The places of the files of this checkout and of this build. Their absolute paths stand in one
/// generated source and on no command line, so that all checkouts can share compiled objects.
namespace hallmark::places {

/// A file or directory of the source tree; `below` is relative to its root. Empty: the root.
std::string source(std::string_view below = {});

/// The program as built.
std::string program();

/// `hallmark-mpi` as built, and what starts several of it; empty where MPI was not found.
std::string mpi_program();
std::string mpi_launcher();

/// The server that misbehaves in tests of the whole program.
std::string hostile_target();

/// Node.js, which validates what tests wrote.
std::string node();

}  // namespace hallmark::places
