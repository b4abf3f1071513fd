#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace hallmark::reports {

/// A value that is known, or of which only a lower bound is known; and whether it is the target's.
template <class Number>
struct Bounded {
  Number value = 0;
  bool at_least = false;   ///< requests without a reply may lie there: it is `value` or more
  bool by_client = false;  ///< `client_part` is more than a tenth of it
  /// The part that the client itself accounts for: without its own lag and without the time that
  /// replies lay unread, the value would be lower by so much.
  Number client_part = 0;

  constexpr Bounded() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): most values are known, and written as such
  constexpr Bounded(Number known, bool is_lower_bound = false)
      : value(known), at_least(is_lower_bound) {}
  friend bool operator==(const Bounded&, const Bounded&) = default;
};

using Quantile = Bounded<std::uint64_t>;  ///< nanoseconds
using Mean = Bounded<double>;             ///< nanoseconds

/// The quantile for people, such as "1.20 ms", ">= 200 ms" for a lower bound, or "~1.20 ms" where
/// the client could explain more than a tenth of it.
std::string text_of(const Quantile& quantile);

/// A time since the start of a run, for people.
std::string since_start(std::uint64_t ns);

/// `merged` is of several distributions of which `one` is one: what the client accounts for there
/// it may account for here.
template <class Number>
void keep_mark(Bounded<Number>& merged, const Bounded<Number>& one) {
  merged.by_client = merged.by_client || one.by_client;
  if (one.client_part > merged.client_part) merged.client_part = one.client_part;
}

/// A latency distribution in nanoseconds. Requests without a reply count as longer than they were
/// waited for, so a quantile among them is a lower bound.
struct Quantiles {
  std::uint64_t count = 0;  ///< requests with a reply
  std::uint64_t min = 0;    ///< the fastest reply
  Quantile p50 = 0, p90 = 0, p99 = 0, p999 = 0, p9999 = 0, max = 0;
  Mean mean = 0;
  bool operator==(const Quantiles&) const = default;
};

/// Does for each quantile, and for the mean, what `keep_mark` does for one.
void keep_marks(Quantiles& merged, const Quantiles& one);
/// True if the client accounts for a part of one of them.
bool any_client_part(const Quantiles& quantiles);
/// True if one of them is marked.
bool any_by_client(const Quantiles& quantiles);

/// The requests of a distribution that have no reply: each took longer than it was waited for.
struct Censored {
  std::uint64_t count = 0;
  std::uint64_t least_ns = 0;  ///< the shortest wait
  std::string histogram;       ///< the waits, as that of a Latency
  std::string reason;          ///< one line
  bool operator==(const Censored&) const = default;
};

/// The requests of a distribution that the client itself delayed by more than 1/128 of their
/// latency, as two histograms of the same form as that of a Latency.
struct ClientDelayed {
  std::string with;     ///< as they were
  std::string without;  ///< less the delays of the client
  bool operator==(const ClientDelayed&) const = default;
};

/// One distribution with what is needed to merge it with those of other runs.
struct Latency {
  Quantiles quantiles;
  /// The replies: HdrHistogram V2, zlib-compressed, base64; may be empty when count is 0.
  std::string histogram;
  std::optional<Censored> censored = {};             ///< absent where every request has a reply
  std::optional<ClientDelayed> client_delayed = {};  ///< absent where the client delayed none
  bool operator==(const Latency&) const = default;
};

}  // namespace hallmark::reports
