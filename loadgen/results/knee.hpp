#pragma once
#include <optional>
#include <vector>

#include "loadgen/results/threshold_fit.hpp"
#include "reports/load/knee.hpp"

namespace hallmark::loadgen {

/// The parameters of a search.
struct KneeSearch {
  double from = 1'000;            ///< requests per second: the lowest rate that is tried
  double most = 1e7;              ///< … and the highest
  double step = 0.05;             ///< between neighbouring rates of a sweep, a share of the rate
  std::size_t sweeps = 6;         ///< up and down, each, at least
  std::size_t least_trials = 30;  ///< of the sweeps together
  std::size_t most_trials = 90;
  bool confirm = true;  ///< ends with a longer run at the rate that was found
};

/// A run that the search asks for.
struct KneeTrial {
  std::string_view sweep;  ///< "bracket", "up", "down"; "confirm": the longer run
  double rate = 0;         ///< requests per second
};

/// Searches the highest rate at which a target meets its objectives; asks for runs and is given
/// what came of them. Rates are doubled until one fails; between the last two, halves are taken
/// down to a step. Then sweeps go up from a rate that holds until one fails, and down from there
/// until one holds: a target that has fallen behind may need more room to recover than to keep up.
///
/// The rate is the median of what the sweeps found. The interval covers the threshold of runs
/// that follow one that held and of runs that follow one that failed (threshold_fit.hpp).
///
/// A run of which the client could not say is repeated, and then counts as one that failed. The run
/// that ends the doubling is repeated, too.
class KneeFinder {
 public:
  explicit KneeFinder(const KneeSearch& search) : search_(search), rate_(search.from) {}

  /// Returns the next run; nothing: the search is over.
  std::optional<KneeTrial> next() const;

  /// The outcome of the run that `next` asked for: everything but `sweep` and `rate` of its point.
  void take(reports::KneePoint point);

  /// Returns what is known so far; without the names of target and objectives.
  reports::Knee knee() const;

 private:
  enum class Phase { bracket, up, down, confirm, over };

  void bracket(bool holds);
  void begin_sweeps();
  void sweep(bool holds);
  void held();
  void failed();
  void confirm(bool holds);
  bool swept_enough() const;
  double found_rate() const;
  ThresholdInterval interval() const;
  double bounded(double rate) const;

  KneeSearch search_;
  Phase phase_ = Phase::bracket;
  double rate_;      ///< that is tried next
  double low_ = 0;   ///< of the bracket: holds; 0: none does
  double high_ = 0;  ///< … and fails; 0: none did
  int attempts_ = 0;
  bool doubted_ = false;  ///< the first failure was repeated
  bool after_hold_ = true;
  std::size_t swept_ = 0;  ///< trials of the sweeps
  std::vector<ThresholdTrial> trials_;
  reports::Knee knee_;
};

}  // namespace hallmark::loadgen
