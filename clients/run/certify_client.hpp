#pragma once

#include <atomic>
#include <functional>

#include "clients/judge/result.hpp"
#include "pcapng/writer.hpp"

namespace hallmark::clients {

struct RunOptions {
  Format format;
  protocol::Profile profile = protocol::Profile::deployed;
  std::vector<std::string> command{};  ///< at least one word
  std::vector<std::string> filters{};  ///< globs of ids; empty: all
  std::uint64_t seed = 1;
  unsigned jobs = 2;
  /// The longest that a run of the command takes. Nothing: ten times the baseline, at least 5 s;
  /// the baseline itself has a minute.
  std::optional<std::chrono::nanoseconds> timeout{};
  const std::atomic<bool>* stop = nullptr;
  /// Gets all that crosses the servers, with what was changed and the verdicts as comments. Null:
  /// nothing is kept.
  pcapng::Writer* packets = nullptr;
  /// Called for each perturbation when it is judged, by one thread at a time.
  std::function<void(const PerturbationResult&, std::size_t done, std::size_t total)> judged{};
};

/// The perturbations whose id matches one of the globs; all where there are none.
std::vector<Perturbation> chosen(const Format& format, const std::vector<std::string>& filters);

/// Runs the command once as it is and once per perturbation, each on a server and port of its own.
ClientResult certify_client(const RunOptions& options);

}  // namespace hallmark::clients
