#pragma once
#include <string>

#include "base/descriptor.hpp"

namespace hallmark::mpi {

/// Keeps what this process prints: of ranks that are told the same, one says it.
class Quiet {
 public:
  /// Standard output and standard error go into memory from now on.
  Quiet();
  /// Puts both back.
  ~Quiet();
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

  /// The text that was printed until now, at most 64 KiB.
  std::string text() const;

 private:
  base::Descriptor kept_;
  base::Descriptor out_, err_;  ///< as they were
};

}  // namespace hallmark::mpi
