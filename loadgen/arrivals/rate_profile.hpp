#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace hallmark::loadgen {

/// A rate over time, of a whole run: pieces that follow each other, each constant or a ramp. After
/// the last the first begins again. Of a single constant piece the length means nothing.
class RateProfile {
 public:
  /// Requests per second; above 0 for one piece at least.
  static constexpr double most_rate = 1e8;

  struct Piece {
    double from = 0;  ///< requests per second, at its start …
    double to = 0;    ///< … and at its end
    std::chrono::nanoseconds length{};
  };

  /// The same rate for ever.
  RateProfile(double per_second);

  /// Precondition: some piece has a rate and a length above 0.
  explicit RateProfile(const std::vector<Piece>& pieces);

  /// Reads pieces with commas between them: `50k`; `1k..50k`, a ramp; `1k@5s,10k@5s`, steps;
  /// `50k@100ms,0@900ms`, bursts. What a piece without a length is given is what the others leave
  /// of `run`; one may have none.
  static base::Result<RateProfile> parse(std::string_view text, std::chrono::nanoseconds run);

  /// The rate with which this one begins, for as long as `lead`, and then this one.
  RateProfile after(std::chrono::nanoseconds lead) const;

  /// When so many requests are due, nanoseconds from the start: where the area below the rate is
  /// `requests`, which is 0 or above. Where nothing is due for a while, that is after it.
  double time_of(double requests) const;

  /// The number of requests that are due within the first `ns` nanoseconds.
  double requests_by(double ns) const;

  /// Requests per second.
  double highest() const;
  bool constant() const;

  /// The profile in the form that `parse` reads.
  std::string text() const;

 private:
  /// One piece, with what came before it since the profile began or began again.
  struct Placed {
    Piece piece;
    double starts_ns = 0;
    double requests_before = 0;
    double requests_through = 0;  ///< before it and in it
  };

  static double requests_of(const Piece& piece);
  void place(const std::vector<Piece>& pieces);

  double lead_ns_ = 0;
  double lead_rate_ = 0;
  std::vector<Placed> pieces_;
  double period_ns_ = 0;
  double period_requests_ = 0;
};

}  // namespace hallmark::loadgen
