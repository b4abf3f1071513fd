#pragma once

#include <string>
#include <vector>

/// Programs that misbehave, and what a certify run has to make of each.
namespace hallmark::e2e {

enum class Kind { stream, datagram, lines };

struct HostileTarget {
  std::string name;  ///< its behaviour in a word or two; stable
  Kind kind = Kind::stream;
  std::string behaviour;  ///< of e2e/hostile/target
  int exit_code = 1;
  /// Part of the reason of a case that does not pass, of the error of the run, or of how it died.
  std::string told;
  /// The dialect and width that a server of streams spoils; empty if it answers nothing properly.
  std::string spoken = {};
  std::vector<std::string> arguments = {};  ///< further ones of certify
};

const std::vector<HostileTarget>& hostile_targets();

/// ns; what a target that says nothing is given in these runs: enough for one that is only busy.
inline constexpr std::uint64_t stream_deadline = 500'000'000;
#ifdef HALLMARK_SANITIZED
inline constexpr std::uint64_t datagram_deadline = 2'000'000'000;
#else
inline constexpr std::uint64_t datagram_deadline = 500'000'000;
#endif
/// An adapter is asked while it still starts.
inline constexpr std::uint64_t adapter_deadline = 2'000'000'000;
/// MiB; no run may take more memory. The sanitizers keep shadows of it, and what was freed.
#ifdef HALLMARK_SANITIZED
inline constexpr std::uint64_t most_memory = 2'000;
#else
inline constexpr std::uint64_t most_memory = 200;
#endif

}  // namespace hallmark::e2e
