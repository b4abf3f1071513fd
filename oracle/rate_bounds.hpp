#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "oracle/rate_chain.hpp"
#include "protocol/rules/ratelimit_rules.hpp"

namespace hallmark::oracle {

/// The document does not say whether a key is over its limit at the limit or above it.
enum class OverWhen : std::uint8_t { unknown, at_limit, above };

/// The facts that are known of a key and of the way to its server.
struct Assumptions {
  OverWhen over_when = OverWhen::unknown;
  /// Nobody has used the key before the first use given, and nobody else does.
  bool fresh_key = true;
  /// The network may deliver a request twice without that being seen.
  bool may_repeat = false;
  /// The resolution of the server's clock. A clock that counts seconds since 1970 in a double
  /// cannot tell a quarter of a microsecond.
  std::int64_t clock_resolution_ns = 1'000;
};

/// The range in which a rate lies, both ends included.
struct Bounds {
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
};

/// A server's answer to a use.
struct UseReply {
  bool over = false;
  /// The rate it printed, in tenths, rounded to nearest; nothing: not to be judged.
  std::optional<std::uint64_t> rate_tenths = {};
};

enum class UseVerdict : std::uint8_t {
  ok,              ///< as it must be, or as it may be
  over_admitted,   ///< not over, though the rate was at the limit for certain
  under_admitted,  ///< over, though the rate was below the limit for certain
  rate_wrong,      ///< printed a rate that it cannot have been
};

struct Judgement {
  UseVerdict verdict = UseVerdict::ok;
  Bounds rate;           ///< when the use was decided, by times alone
  bool decided = false;  ///< by times alone the answer had to be what the verdict takes it for
  /// So many uses that nobody knows of, such as requests delivered twice, would make the reply
  /// right; infinite: none would.
  double explained_by = std::numeric_limits<double>::infinity();
};

/// Bounds the rate of one key of an exponentially weighted estimator by the times at which its uses
/// were sent and answered: each use was decided between the two. The bounds are sound for any order
/// of requests that were in flight together. A server that is right is never accused, and what is
/// too close together to tell apart is not decided.
///
/// All times are nanoseconds of one clock, and calls come in the order of time. A call costs
/// constant time, amortised; memory is that of the uses in flight.
class RateBounds {
 public:
  using Use = std::uint64_t;

  RateBounds(const protocol::ratelimit::Limit& limit, const Assumptions& assumptions);

  /// A request of one use is about to be sent.
  Use sent(std::int64_t at_ns);

  /// The reply to it has come. A target that claims to have counted a use is believed: what it
  /// admitted wrongly is part of the rate of what follows, so each wrong reply is found by itself.
  Judgement answered(Use use, std::int64_t at_ns, const UseReply& reply);

  /// Nobody waits for a reply any more: it may have been counted, or may be at any later time.
  void unanswered(Use use);

  /// A request was delivered twice, it seems: one more use may have been counted, or may be.
  void repeated() { ++possible_; }

 private:
  struct Pending {
    std::int64_t sent_ns;
    RateChain low;  ///< as they were when it was sent: of uses decided before it for certain
    RateChain high;
    std::uint64_t stored;
    bool waits;
  };

  Bounds bounds_of(const Pending& use, std::int64_t at_ns) const;
  Judgement judge(const Bounds& times, const UseReply& reply) const;
  bool stores(bool over) const;
  bool at_limit(double rate) const;
  Pending& at(Use use) { return pending_[use - first_]; }
  Pending& oldest() { return pending_[ended_]; }
  void end(Pending& use);

  protocol::ratelimit::Limit limit_;
  Assumptions assumptions_;
  RateChain low_;   ///< uses counted for certain, each at the earliest
  RateChain high_;  ///< the same, each at the latest
  std::uint64_t stored_ = 0;
  std::uint64_t possible_ = 0;  ///< uses that may have been counted, or may be at any time
  std::uint64_t waiting_ = 0;
  Use first_ = 0;          ///< of `pending_`
  std::size_t ended_ = 0;  ///< so many at the front of `pending_` wait no more
  std::vector<Pending> pending_;
};

}  // namespace hallmark::oracle
