#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "distributed/message.hpp"
#include "loadgen/judge/record_judge.hpp"

namespace hallmark::distributed {

/// The rank that judges a watched key, by the key's slot (loadgen::WatchedKeys).
inline std::uint32_t owner_of(std::size_t slot, std::uint32_t ranks) {
  return static_cast<std::uint32_t>(slot % ranks);
}

/// Sorts what one rank observed by the ranks that judge it, and widens its times: by the clock of
/// rank 0 a request was sent up to `bound_ns` earlier, and answered up to so much later. Where the
/// ranks' clocks hide the order of two requests both orders are allowed, and no target is accused.
class ObservationSender {
 public:
  /// All of these outlive it. `loops`: of this rank.
  ObservationSender(const loadgen::Requests& requests, const loadgen::WatchedKeys& watched,
                    std::uint32_t ranks, std::uint32_t loops);

  void set_bound(std::int64_t bound_ns) noexcept { bound_ns_ = bound_ns; }

  /// The message for each rank that judges a key, rank 0 first, of what loop `own` observed.
  std::vector<Observed> sorted(std::uint32_t own,
                               std::span<const loadgen::Observation> observations,
                               std::int64_t complete_ns);

 private:
  /// A clock drifts apart by less than this share of the time since it was compared: quartz keeps
  /// 50 parts in a million, twice.
  static constexpr std::int64_t drift_divisor = 10'000;

  std::int64_t widened_ns(std::int64_t at_ns) const { return bound_ns_ + at_ns / drift_divisor; }

  const loadgen::Requests& requests_;
  const loadgen::WatchedKeys& watched_;
  std::uint32_t owners_;
  std::uint32_t ranks_;
  std::int64_t bound_ns_ = 0;
  std::vector<std::int64_t> complete_ns_;  ///< by loop
};

/// Judges the keys that a rank owns by what all ranks observed of them.
class SharedJudge {
 public:
  /// `requests` outlives it.
  SharedJudge(const loadgen::Requests& requests, std::uint32_t watched, std::uint32_t ranks);

  /// Errors, one line: these are not observations of this run.
  base::Result<void> take(std::uint32_t from, const Observed& observed);
  /// True if every rank has said that nothing more comes.
  bool complete() const;
  /// Judges the rest. Ranks that have not said everything may have sent requests that nobody knows
  /// of since they last told: nothing is judged from then on.
  reports::RecordChecks finish();

 private:
  const loadgen::Requests& requests_;
  loadgen::WatchedKeys watched_;
  loadgen::RecordJudge judge_;
  std::vector<std::int64_t> complete_ns_;  ///< by rank
};

}  // namespace hallmark::distributed
