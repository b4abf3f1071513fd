#include "conformance/suites/ratelimit_udp/rule_subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hallmark::conformance {
namespace {

using oracle::UseVerdict;
using protocol::ratelimit::Limit;
using protocol::ratelimit::Rule;
using protocol::ratelimit::Rules;

std::string digits(double uses) {
  std::string text = fmt::format("{:.1f}", uses);
  std::ranges::replace(text, '.', '-');
  return text;
}

void judge_rate(Attempt& attempt, const Limit& limit, std::uint64_t use, const Message& reply,
                const oracle::Judgement& judged) {
  const std::string rate = fmt::format("{:.1f} to {:.1f}", judged.rate.low, judged.rate.high);
  switch (judged.verdict) {
    case UseVerdict::ok: return;
    case UseVerdict::over_admitted:
      attempt.refuse(reply, "over", "Y",
                     fmt::format("use {} of the key was admitted though its rate is {} and its "
                                 "limit {:.1f}",
                                 use, rate, limit.uses));
    case UseVerdict::under_admitted:
      attempt.refuse(reply, "over", "N",
                     fmt::format("use {} of the key was refused though its rate is {} and its "
                                 "limit {:.1f}",
                                 use, rate, limit.uses));
    case UseVerdict::rate_wrong:
      attempt.refuse(reply, "rate", rate,
                     fmt::format("use {} of the key has the rate {:.1f}, expected {}", use,
                                 static_cast<double>(reply.number("rate")) / 10, rate));
  }
}

}  // namespace

bool has_keys_of_its_own(const Rules& rules, const Rule& rule) {
  if (rule.pattern.stars() == 0) return false;
  const std::string key = rule.pattern.example("hallmark:0:a");
  const auto match = rules.match(key);
  return match.limit == &rule.limit &&
         rules.match(rule.pattern.example("hallmark:0:b")).key != match.key;
}

std::string name_of(const Subject& subject) {
  const Limit& limit = subject.rule->limit;
  return fmt::format("{}-in-{}-{}-{}", digits(limit.uses), limit.period_seconds,
                     protocol::ratelimit::name_of(limit.discipline),
                     1 + (subject.rule - subject.rules->rules().data()));
}

std::uint64_t tenths(double uses) { return static_cast<std::uint64_t>(std::llround(uses * 10)); }

void judge_use(Attempt& attempt, const Subject& subject, std::uint64_t use, const Message& reply,
               const oracle::Judgement& judged) {
  const Limit& limit = subject.rule->limit;
  attempt.judge(reply, {any("over"), any("rate"), is("limit", tenths(limit.uses)),
                        is("period", limit.period_seconds)});
  if (subject.known.exponential) judge_rate(attempt, limit, use, reply, judged);
}

}  // namespace hallmark::conformance
