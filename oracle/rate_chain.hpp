#pragma once
#include <cstdint>

namespace hallmark::oracle {

/// The rate of a key after a sequence of uses, were each decided at the time given.
///
/// A use `i` seconds after the one before it turns the rate r into g(x) + exp(-x) r, where
/// x = i / period and g(x) = (1 - exp(-x)) / x; the first has rate 0. Multiplied by exp(t / period)
/// this is a sum: each use at time t adds the mean of exp(u / period) over u from the use before it
/// to t. That mean rises with both ends, and a use put between two others adds to the sum. So the
/// rate at a given time
///   - rises when any use before it moves to a later time, or when there is one more of them, and
///   - falls as that time goes by.
/// The earliest and the latest times of the uses, each in ascending order, therefore give bounds of
/// the rate, whatever the order in which the uses were decided.
class RateChain {
 public:
  /// The side to which a chain errs because of the errors of floating point, here and in a server
  /// that computes with doubles.
  enum class Side { low, high };

  /// `period_seconds` is above 0.
  RateChain(Side side, double period_seconds);

  /// One use more. A time before the last use's counts as that.
  void add(std::int64_t at_ns);

  /// Whatever was before the first use given here: the rate may be anything.
  void forget_history();

  bool empty() const { return empty_; }
  /// When the last use was.
  std::int64_t last_ns() const { return last_ns_; }

  /// The rate that is left of the uses at `at_ns`, without a use at that time. For a time before
  /// the last use, it is the most that would be left if the uses behind that time were moved before
  /// it.
  double left_at(std::int64_t at_ns) const;
  /// The rate that a use at `at_ns` has.
  double rate_at(std::int64_t at_ns) const;
  /// The most that one use adds to a rate.
  double most_added() const { return 1 + rounding_; }

 private:
  double added_by(double x) const;
  double outwards(double value) const { return value * widening_; }

  double period_ns_;
  double rounding_;  ///< absolute, of what one use adds
  double widening_;  ///< relative, of one step
  double rate_ = 0;
  std::int64_t last_ns_ = 0;
  bool empty_ = true;
};

}  // namespace hallmark::oracle
