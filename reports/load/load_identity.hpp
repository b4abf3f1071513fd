#pragma once
#include <chrono>
#include <cstdint>
#include <string>

namespace hallmark::reports {

/// The run that a result belongs to: all of it, or the share of one process.
struct RunIdentity {
  std::string run;         ///< the same for all shares of a run, and for no other run
  std::string options;     ///< hash of the options that all shares have in common
  std::uint64_t rank = 0;  ///< of this share, below `of`
  std::uint64_t of = 1;    ///< shares; 1: this is the whole run
  std::chrono::sys_time<std::chrono::milliseconds> begin{};  ///< of the measured part
  bool is_share() const { return of > 1; }
  bool operator==(const RunIdentity&) const = default;
};

}  // namespace hallmark::reports
