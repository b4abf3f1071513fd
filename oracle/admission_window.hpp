#pragma once
#include <cstdint>
#include <optional>

#include "protocol/rules/ratelimit_rules.hpp"

namespace hallmark::oracle {

/// More uses were admitted between two times than the limit allows.
struct TooMany {
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;
  std::uint64_t admitted = 0;
  std::uint64_t allowed = 0;
};

/// The most uses of one key that an exponentially weighted estimator can admit within `window_ns`,
/// strict or leaky, whatever happened before and whatever else was asked.
///
/// Let the admitted uses be 1 … n, with rates r_k at most the limit L, and x_k the distance from
/// use k - 1 to use k in periods; X is their sum. In a strict key there may be refused uses
/// between; without them the rates are lower still (rate_chain.hpp), so let there be none. Then
///   r_k - r_(k-1) = g(x_k) - (1 - exp(-x_k)) r_(k-1)
///                >= (1 - x_k / 2) - x_k L,
/// for g(x) >= 1 - x / 2, 1 - exp(-x) <= x and r_(k-1) <= L. Summed over k = 2 … n:
///   L >= r_n - r_1 >= (n - 1) - (L + 1/2) X, and so n <= 1 + L + (L + 1/2) X.
/// A burst may be L + 1 uses, and over long windows the rate is (L + 1/2) uses in a period; the
/// half is what the estimator itself allows beyond the limit, were its uses evenly apart.
double most_admitted(const protocol::ratelimit::Limit& limit, std::int64_t window_ns);

/// Compares the number of admitted uses of one key with what its limit allows, over all windows
/// that begin when a use was sent and end when one was answered: what was sent and answered within
/// a window was decided within it. Constant time and memory: as long as a window has admitted more
/// than the limit's steady rate, a later beginning cannot show more; then it begins anew.
class AdmissionWindow {
 public:
  /// `clock_resolution_ns`: how finely the server tells time.
  AdmissionWindow(const protocol::ratelimit::Limit& limit, std::int64_t clock_resolution_ns);

  /// An admitted use; called in the order in which they were answered.
  std::optional<TooMany> admitted(std::int64_t sent_ns, std::int64_t received_ns);

 private:
  bool surplus_at(std::int64_t at_ns) const;

  protocol::ratelimit::Limit limit_;
  std::int64_t clock_resolution_ns_;
  double steady_per_ns_;
  std::int64_t from_ns_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace hallmark::oracle
