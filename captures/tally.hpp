#pragma once

#include <map>

#include "captures/event.hpp"

namespace hallmark::captures {

/// Counts of everything that a transcript contains.
struct Tally {
  std::uint64_t connections = 0;
  std::uint64_t requests = 0;
  std::uint64_t replies = 0;
  std::uint64_t pushes = 0;
  std::map<FindingKind, std::uint64_t> findings;

  void add(const Event& event);
  std::uint64_t faults() const;
  std::uint64_t messages() const { return requests + replies + pushes; }
  /// Something was decoded, and nothing is wrong with it.
  bool clean() const { return messages() > 0 && faults() == 0; }
};

}  // namespace hallmark::captures
