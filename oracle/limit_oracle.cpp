#include "oracle/limit_oracle.hpp"

#include <algorithm>

namespace hallmark::oracle {

LimitOracle::LimitOracle(const protocol::ratelimit::Limit& limit, const Assumptions& assumptions)
    : bounds_(limit, assumptions), window_(limit, assumptions.clock_resolution_ns) {}

RateBounds::Use LimitOracle::sent(std::int64_t at_ns) {
  if (sent_++ == 0) first_ns_ = at_ns;
  return bounds_.sent(at_ns);
}

LimitOracle::Seen LimitOracle::answered(RateBounds::Use use, std::int64_t sent_ns,
                                        std::int64_t received_ns, const UseReply& reply) {
  keep({sent_ns, received_ns, reply.over, static_cast<double>(reply.rate_tenths.value_or(0)) / 10});
  if (!reply.over) ++admitted_;
  Seen seen{bounds_.answered(use, received_ns, reply), {}};
  const auto too_many = reply.over ? std::nullopt : window_.admitted(sent_ns, received_ns);
  if (too_many) {
    seen.finding = finding(*too_many, seen.judgement);
  } else if (seen.judgement.verdict != UseVerdict::ok) {
    seen.finding = finding(seen.judgement);
  }
  return seen;
}

// All that is known of the key made the verdict, so the window is all of it.
Finding LimitOracle::finding(const Judgement& judgement) const {
  const bool over = judgement.verdict == UseVerdict::over_admitted;
  const bool under = judgement.verdict == UseVerdict::under_admitted;
  return {.verdict = judgement.verdict,
          .from_ns = first_ns_,
          .to_ns = recent_[(seen_ - 1) % kept].received_ns,
          .admitted = admitted_,
          .allowed = admitted_ - (over ? 1 : 0) + (under ? 1 : 0),
          .rate = judgement.rate,
          .explained_by = judgement.explained_by,
          .uses_before = sent_,
          .uses = recent_since(first_ns_)};
}

Finding LimitOracle::finding(const TooMany& too_many, const Judgement& judgement) const {
  return {.verdict = UseVerdict::over_admitted,
          .from_ns = too_many.from_ns,
          .to_ns = too_many.to_ns,
          .admitted = too_many.admitted,
          .allowed = too_many.allowed,
          .rate = judgement.rate,
          .explained_by = std::numeric_limits<double>::infinity(),
          .uses_before = sent_,
          .uses = recent_since(too_many.from_ns)};
}

std::vector<SeenUse> LimitOracle::recent_since(std::int64_t from_ns) const {
  std::vector<SeenUse> uses;
  for (std::uint64_t i = seen_ - std::min<std::uint64_t>(seen_, kept); i < seen_; ++i) {
    if (recent_[i % kept].sent_ns >= from_ns) uses.push_back(recent_[i % kept]);
  }
  return uses;
}

}  // namespace hallmark::oracle
