#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "e2e/hostile/targets.hpp"

namespace hallmark::e2e {

/// One run of `hallmark certify` against a hostile target, as it went.
struct Trial {
  const HostileTarget* target = nullptr;
  int exit_code = -1;  ///< -1: it did not end by itself
  std::chrono::milliseconds took{};
  std::chrono::milliseconds bound{};
  std::uint64_t peak_kib = 0;  ///< of the program, its largest resident memory
  std::size_t cases = 0;
  std::string verdict;      ///< the last line that it printed
  std::string told;         ///< the event as the report tells it
  std::string wrong;        ///< the promise that was broken; empty: none
  std::size_t changed = 0;  ///< cases that had another verdict or code when it was run again
  std::filesystem::path report;
  std::filesystem::path report_again;
  std::filesystem::path output;
};

/// The longest time that a run may take; docs/hostile.md explains each part of it.
std::chrono::milliseconds bound_of(std::size_t cases, std::chrono::milliseconds deadline);

/// Runs it in `directory`, `twice` if it is to be compared with itself. Nothing is read of what it
/// wrote: the memory that is measured of a new process is at least that of the one that starts it.
Trial run_trial(const HostileTarget& target, const std::filesystem::path& directory, bool twice);

/// Holds it to what is expected but for the schema of the report.
void judge(Trial& trial);

}  // namespace hallmark::e2e
