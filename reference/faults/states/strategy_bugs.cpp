#include <algorithm>
#include <cmath>

#include "reference/faults/bugs.hpp"
#include "reference/faults/states/formulas_fault.hpp"

namespace hallmark::faults {
namespace {

using model::Gcra;
using model::LeakyBucket;
using model::LeakyBucketState;
using model::TokenBucket;
using model::TokenBucketState;

// Token buckets.

struct StartsEmpty : AroundFormulas {
  using AroundFormulas::AroundFormulas;
  using AroundFormulas::ask;
  StateRead<Answer> ask(const TokenBucket& bucket, const Question& question) const override {
    if (question.state) return right.ask(bucket, question);
    return right.ask(bucket, with(question, text_of(TokenBucketState{0, question.now})));
  }
};

/// The tokens that a bucket would hold without an upper limit; nothing where its state says
/// nothing.
std::optional<double> tokens_in(const TokenBucket& bucket, const Question& question) {
  if (!question.state) return std::nullopt;
  const auto held = model::read_token_bucket(*question.state);
  if (!held) return std::nullopt;
  return held->tokens + model::flow(held->last_refill, question.now, bucket.rate);
}

struct NoMost : AroundFormulas {
  using AroundFormulas::AroundFormulas;
  using AroundFormulas::ask;
  StateRead<Answer> ask(const TokenBucket& bucket, const Question& question) const override {
    const double tokens = tokens_in(bucket, question).value_or(0);
    return right.ask(TokenBucket{std::max(tokens, bucket.burst), bucket.rate}, question);
  }
};

struct TakesFractions : AroundFormulas {
  using AroundFormulas::AroundFormulas;
  using AroundFormulas::ask;
  StateRead<Answer> ask(const TokenBucket& bucket, const Question& question) const override {
    const double tokens = tokens_in(bucket, question).value_or(0);
    if (tokens <= 0 || tokens >= 1) return right.ask(bucket, question);
    return right.ask(bucket, with(question, text_of(TokenBucketState{1, question.now})));
  }
};

/// Tokens flow in otherwise.
template <double (*flow)(std::int64_t last, std::int64_t now, double rate)>
struct OtherTokenFlow : AroundFormulas {
  using AroundFormulas::AroundFormulas;
  using AroundFormulas::ask;
  StateRead<Answer> ask(const TokenBucket& bucket, const Question& question) const override {
    if (!question.state) return right.ask(bucket, question);
    const auto held = model::read_token_bucket(*question.state);
    if (!held) return right.ask(bucket, question);
    const double tokens = held->tokens + flow(held->last_refill, question.now, bucket.rate);
    return right.ask(bucket, with(question, text_of(TokenBucketState{tokens, question.now})));
  }
};

double in_whole_seconds(std::int64_t last, std::int64_t now, double rate) {
  return std::floor(model::flow(last, now, 1)) * rate;
}
double per_minute(std::int64_t last, std::int64_t now, double rate) {
  return model::flow(last, now, rate / 60);
}

struct RemainingBefore : AroundFormulas {
  using AroundFormulas::AroundFormulas;
  using AroundFormulas::ask;
  StateRead<Answer> ask(const TokenBucket& bucket, const Question& question) const override {
    auto answer = right.ask(bucket, question);
    if (answer && answer->allowed && question.consume) ++answer->results.front().remaining;
    return answer;
  }
};

// Leaky buckets.

struct NeverLeaks : AroundFormulas {
  using AroundFormulas::AroundFormulas;
  using AroundFormulas::ask;
  StateRead<Answer> ask(const LeakyBucket& bucket, const Question& question) const override {
    if (!question.state) return right.ask(bucket, question);
    const auto held = model::read_leaky_bucket(*question.state);
    if (!held) return right.ask(bucket, question);
    const LeakyBucketState kept{held->requests, question.now};
    return right.ask(bucket, with(question, text_of(kept)));
  }
};

struct BelowZero : AroundFormulas {
  using AroundFormulas::AroundFormulas;
  using AroundFormulas::ask;
  StateRead<Answer> ask(const LeakyBucket& bucket, const Question& question) const override {
    if (!question.state) return right.ask(bucket, question);
    const auto held = model::read_leaky_bucket(*question.state);
    if (!held) return right.ask(bucket, question);
    const double left = held->requests - model::flow(held->last_leak, question.now, bucket.rate);
    if (left >= 0) return right.ask(bucket, question);
    const LeakyBucket wider{bucket.capacity - left, bucket.rate};
    auto answer = right.ask(wider, with(question, text_of(LeakyBucketState{0, question.now})));
    if (answer && !answer->state.empty())
      answer->state = text_of(LeakyBucketState{left + 1, question.now});
    return answer;
  }
};

struct OneMoreLeaky : AroundFormulas {
  using AroundFormulas::AroundFormulas;
  using AroundFormulas::ask;
  StateRead<Answer> ask(const LeakyBucket& bucket, const Question& question) const override {
    return right.ask(LeakyBucket{bucket.capacity + 1, bucket.rate}, question);
  }
};

// GCRA.

struct PastCredit : AroundFormulas {
  using AroundFormulas::AroundFormulas;
  using AroundFormulas::ask;
  StateRead<Answer> ask(const Gcra& gcra, const Question& question) const override {
    if (!question.state) return right.ask(gcra, question);
    const auto held = model::read_gcra(*question.state);
    Question earlier = question;
    if (held) earlier.now = std::min(held->tat, question.now);
    return right.ask(gcra, earlier);
  }
};

struct OneMoreGcra : AroundFormulas {
  using AroundFormulas::AroundFormulas;
  using AroundFormulas::ask;
  StateRead<Answer> ask(const Gcra& gcra, const Question& question) const override {
    return right.ask(Gcra{gcra.burst + 1, gcra.rate}, question);
  }
};

}  // namespace

Bugs strategy_bugs() {
  return {
      {.id = "bucket.starts-empty",
       .breaks = "a token bucket starts without tokens",
       .violates = {{"ratelimit-state", {"token-bucket.burst"}}},
       .code = formulas<StartsEmpty>()},
      {.id = "bucket.no-most",
       .breaks = "tokens flow in beyond the burst",
       .violates = {{"ratelimit-state", {"silence.token-bucket"}}},
       .code = formulas<NoMost>()},
      {.id = "bucket.takes-fractions",
       .breaks = "a request is allowed while there is any part of a token",
       .violates = {{"ratelimit-state", {"silence.token-bucket"}}},
       .code = formulas<TakesFractions>()},
      {.id = "bucket.whole-seconds",
       .breaks = "tokens flow in once a second",
       .violates = {{"ratelimit-state", {"silence.token-bucket"}}},
       .code = formulas<OtherTokenFlow<in_whole_seconds>>(),
       .settles = "how tokens flow in"},
      {.id = "bucket.per-minute",
       .breaks = "the rate of a token bucket is per minute",
       .violates = {{"ratelimit-state", {"silence.token-bucket"}}},
       .code = formulas<OtherTokenFlow<per_minute>>(),
       .settles = "how tokens flow in"},
      {.id = "remaining.before",
       .breaks = "remaining is told as it was before the request",
       .violates = {{"ratelimit-state", {"silence.token-bucket"}}},
       .code = formulas<RemainingBefore>()},
      {.id = "leaky.never-leaks",
       .breaks = "a leaky bucket does not leak",
       .violates = {{"ratelimit-state", {"silence.leaky-bucket"}}},
       .code = formulas<NeverLeaks>(),
       .settles = "how requests leak"},
      {.id = "leaky.below-zero",
       .breaks = "a leaky bucket leaks below empty",
       .violates = {{"ratelimit-state", {"silence.leaky-bucket"}}},
       .code = formulas<BelowZero>(),
       .settles = "how requests leak"},
      {.id = "leaky.one-more",
       .breaks = "a leaky bucket holds one request more than its capacity",
       .violates = {{"ratelimit-state", {"leaky-bucket.burst"}}},
       .code = formulas<OneMoreLeaky>()},
      {.id = "gcra.past-credit",
       .breaks = "a TAT in the past is credit",
       .violates = {{"ratelimit-state", {"silence.gcra"}}},
       .code = formulas<PastCredit>()},
      {.id = "gcra.one-more",
       .breaks = "a burst is one request more than configured",
       .violates = {{"ratelimit-state", {"silence.gcra"}}},
       .code = formulas<OneMoreGcra>()},
  };
}

}  // namespace hallmark::faults
