#include "oracle/rate_bounds.hpp"

#include <algorithm>
#include <cmath>

namespace hallmark::oracle {
namespace {

/// A printed rate is within half a tenth of what it was, but for the rounding of the division.
Bounds printed(std::uint64_t tenths) {
  constexpr double rounding = 1e-12;
  const auto number = static_cast<double>(tenths);
  return {(number - 0.5) / 10 * (1 - rounding), (number + 0.5) / 10 * (1 + rounding)};
}

}  // namespace

RateBounds::RateBounds(const protocol::ratelimit::Limit& limit, const Assumptions& assumptions)
    : limit_(limit),
      assumptions_(assumptions),
      low_(RateChain::Side::low, limit.period_seconds),
      high_(RateChain::Side::high, limit.period_seconds) {
  if (!assumptions.fresh_key) high_.forget_history();
}

RateBounds::Use RateBounds::sent(std::int64_t at_ns) {
  if (assumptions_.may_repeat) ++possible_;
  ++waiting_;
  pending_.push_back({at_ns - assumptions_.clock_resolution_ns, low_, high_, stored_, true});
  return first_ + pending_.size() - 1;
}

Judgement RateBounds::answered(Use use, std::int64_t at_ns, const UseReply& reply) {
  Pending& pending = at(use);
  const std::int64_t latest = at_ns + assumptions_.clock_resolution_ns;
  const Judgement judgement = judge(bounds_of(pending, latest), reply);
  if (stores(reply.over)) {
    // Uses that were sent later may have been decided before, yet none of those in flight before
    // the oldest of them was sent. So the n-th earliest time of the uses that were answered is not
    // before the n-th of these, which ascend.
    low_.add(oldest().sent_ns);
    high_.add(latest);
    ++stored_;
  } else if (low_.empty()) {
    ++possible_;  // a leaky key stores its first use whatever the rate: was this the first?
  }
  end(pending);
  return judgement;
}

void RateBounds::unanswered(Use use) {
  ++possible_;
  end(at(use));
}

void RateBounds::end(Pending& use) {
  use.waits = false;
  --waiting_;
  while (ended_ < pending_.size() && !oldest().waits) ++ended_;
  if (2 * ended_ < pending_.size()) return;
  pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(ended_));
  first_ += ended_;
  ended_ = 0;
}

bool RateBounds::stores(bool over) const {
  return limit_.discipline == protocol::ratelimit::Discipline::strict || !over;
}

// Low: only uses that were decided before this was sent, each at the earliest, and this one at the
// latest. High: those at the latest and this one at the earliest; every other that may have come
// before it adds no more than it would as the last of them.
Bounds RateBounds::bounds_of(const Pending& use, std::int64_t at_ns) const {
  Bounds bounds;
  bounds.low = use.low.rate_at(at_ns);
  const std::uint64_t others = (stored_ - use.stored) + (waiting_ - 1) + possible_;
  const double others_add = static_cast<double>(others) * use.high.most_added();
  if (use.high.empty()) {
    bounds.high = others_add;  // the first of all adds nothing
  } else if (others == 0) {
    bounds.high = use.high.rate_at(use.sent_ns);
  } else {
    bounds.high = use.high.left_at(use.sent_ns) + others_add + use.high.most_added();
  }
  return bounds;
}

bool RateBounds::at_limit(double rate) const {
  return assumptions_.over_when == OverWhen::at_limit ? rate >= limit_.uses : rate > limit_.uses;
}

Judgement RateBounds::judge(const Bounds& times, const UseReply& reply) const {
  const bool above = assumptions_.over_when == OverWhen::above;
  const auto below = [&](double rate) { return above ? rate <= limit_.uses : rate < limit_.uses; };
  Judgement judgement{.rate = times, .decided = at_limit(times.low) || below(times.high)};
  if (!reply.over && at_limit(times.low)) {
    judgement.verdict = UseVerdict::over_admitted;
    return judgement;
  }
  if (reply.over && below(times.high)) {
    judgement.verdict = UseVerdict::under_admitted;
    judgement.explained_by = std::max(1.0, std::ceil(limit_.uses - times.high));
    return judgement;
  }
  if (!reply.rate_tenths) return judgement;
  const Bounds said = printed(*reply.rate_tenths);
  if (said.high < times.low || said.low > times.high) {
    judgement.verdict = UseVerdict::rate_wrong;
    if (said.low > times.high)
      judgement.explained_by = std::max(1.0, std::ceil(said.low - times.high));
    return judgement;
  }
  // The rate may be what it says it was; then its own limit binds it.
  if (!reply.over && said.low > limit_.uses) judgement.verdict = UseVerdict::over_admitted;
  if (reply.over && said.high < limit_.uses) judgement.verdict = UseVerdict::under_admitted;
  return judgement;
}

}  // namespace hallmark::oracle
