#include "conformance/suites/ratelimit_udp/rule_subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"

namespace hallmark::conformance {
namespace {

using oracle::UseVerdict;
using protocol::ratelimit::Limit;
using protocol::ratelimit::Rule;
using protocol::ratelimit::RuleKeys;

std::string digits(double uses) {
  std::string text = fmt::format("{:.1f}", uses);
  std::ranges::replace(text, '.', '-');
  return text;
}

/// A rate of a key with an unknown history has no upper bound.
std::string in_words(const oracle::Bounds& rate) {
  if (std::isinf(rate.high)) return fmt::format("at least {:.1f}", rate.low);
  return fmt::format("{:.1f} to {:.1f}", rate.low, rate.high);
}

void judge_rate(Attempt& attempt, const Limit& limit, std::uint64_t use, const Message& reply,
                const oracle::Judgement& judged) {
  const std::string rate = in_words(judged.rate);
  switch (judged.verdict) {
    case UseVerdict::ok: return;
    case UseVerdict::over_admitted:
      attempt.refuse(reply, "over", "Y",
                     fmt::format("use {} of the key was admitted though its rate is {} and its "
                                 "limit {}",
                                 use, rate, to_string(limit)));
    case UseVerdict::under_admitted:
      attempt.refuse(reply, "over", "N",
                     fmt::format("use {} of the key was refused though its rate is {} and its "
                                 "limit {}",
                                 use, rate, to_string(limit)));
    case UseVerdict::rate_wrong:
      attempt.refuse(reply, "rate", rate,
                     fmt::format("use {} of the key has the rate {:.1f}, expected {}", use,
                                 static_cast<double>(reply.number("rate")) / 10, rate));
  }
}

/// The limit that a reply to a use describes, as a rule file writes it.
std::string limit_in(const Message& reply) {
  return protocol::ratelimit::limit_text(reply.number("limit"), reply.number("period"));
}

/// Released servers answer so where no rule is for the key.
bool is_unruled(const Message& reply) {
  return reply.number("over") == 'N' && reply.number("rate") == 0 && limit_in(reply) == "1/1";
}

RuleKeys keys_of(const KnownRules& known, const Rule& rule) {
  const auto given = known.given_keys.find(&rule);
  return {*known.rules, rule, given == known.given_keys.end() ? nullptr : &given->second};
}

reports::UntestedRule untested(const Rule& rule, std::string part, std::string reason) {
  return {rule.line, to_string(rule), std::move(part), std::move(reason)};
}

}  // namespace

std::uint64_t number_of_run(const DatagramContext& context) { return base::fnv1a(context.nonce); }

std::string Subject::key(Attempt& attempt) const {
  DatagramContext& context = attempt.context();
  auto key = keys.key(number_of_run(context), context.rule_keys);
  if (!key) attempt.skip("no key was found that the rule decides on; --key-pattern names some");
  return *std::move(key);
}

std::vector<Subject> subjects_of(const KnownRules& known) {
  std::vector<Subject> subjects;
  std::size_t place = 0;
  for (const Rule& rule : known.rules->rules()) {
    Subject subject{keys_of(known, rule), ++place, known.exponential, known.over_when};
    if (subject.keys.any()) subjects.push_back(std::move(subject));
  }
  return subjects;
}

std::vector<reports::UntestedRule> untested_rules(const KnownRules& known, bool exclusive) {
  std::vector<reports::UntestedRule> all;
  if (known.rules == nullptr) return all;
  for (const Rule& rule : known.rules->rules()) {
    const RuleKeys keys = keys_of(known, rule);
    const bool shared = keys.users() == RuleKeys::Users::everybody;
    if (!keys.any()) {
      all.push_back(untested(rule, "rule", keys.why() + "; --key-pattern names others"));
    } else if (shared && !exclusive) {
      all.push_back(untested(rule, "rule", keys.why() + "; --exclusive tests it"));
    } else if (rule.limit.uses > most_climbed) {
      all.push_back(untested(rule, "limit",
                             fmt::format("a case makes at most {} uses in a row", most_climbed)));
    }
  }
  return all;
}

std::string name_of(const Subject& subject) {
  const Limit& limit = subject.limit();
  return fmt::format("{}-in-{}-{}-{}", digits(limit.uses), limit.period_seconds,
                     protocol::ratelimit::name_of(limit.discipline), subject.place);
}

void judge_limit(Attempt& attempt, const Subject& subject, const Message& reply) {
  const Limit& limit = subject.limit();
  const bool uses_agree = reply.number("limit") == tenths_of(limit);
  if (uses_agree && reply.number("period") == limit.period_seconds) return;
  std::string reason =
      fmt::format("the limit is {}, expected {} as in line {} of the rules: {}", limit_in(reply),
                  to_string(limit), subject.rule().line, to_string(subject.rule()));
  std::string cause = is_unruled(reply) ? "the target has no rule for this key; --key-pattern "
                                          "names keys that it accepts"
                                        : "";
  if (uses_agree)
    attempt.refuse(reply, "period", std::to_string(limit.period_seconds), std::move(reason),
                   std::move(cause));
  attempt.refuse(reply, "limit", fmt::format("{:.1f}", limit.uses), std::move(reason),
                 std::move(cause));
}

void judge_use(Attempt& attempt, const Subject& subject, std::uint64_t use, const Message& reply,
               const oracle::Judgement& judged) {
  judge_limit(attempt, subject, reply);
  if (subject.exponential) judge_rate(attempt, subject.limit(), use, reply, judged);
}

}  // namespace hallmark::conformance
