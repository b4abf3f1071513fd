#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "conformance/suites/ratelimit_udp/rule_subject.hpp"

namespace hallmark::conformance {
namespace {

using base::to_bytes;
using protocol::Level;
using protocol::Record;
using protocol::ratelimit::Limit;
using protocol::ratelimit::Rule;
using protocol::ratelimit::Rules;

/// A climb of more uses than this takes too long, and too many datagrams to get all through.
constexpr double most_climbed = 500;
constexpr std::uint64_t uses_beyond = 8;
constexpr std::uint64_t few_uses = 5;
constexpr std::uint32_t longest_wait_s = 2;

/// The uses of one key in the order they were made, each judged when its reply has come.
class Uses {
 public:
  Uses(Attempt& attempt, const Subject& subject, std::string key)
      : attempt_(attempt),
        subject_(subject),
        key_(std::move(key)),
        bounds_(subject.rule->limit, {.over_when = subject.known.over_when}) {}

  /// One use; nothing where its reply got lost.
  std::optional<Message> use() {
    const std::size_t repeated = attempt_.mail().repeated();
    const auto id = bounds_.sent(at(attempt_.now()));
    auto reply = attempt_.try_once("over_limit", {{"key", to_bytes(key_)}});
    ++sent_;
    for (std::size_t i = repeated; i < attempt_.mail().repeated(); ++i) bounds_.repeated();
    if (!reply) {
      bounds_.unanswered(id);
      return std::nullopt;
    }
    ++answered_;
    const bool over = reply->number("over") == 'Y';
    if (over) ++over_;
    judge_use(attempt_, subject_, sent_, *reply,
              bounds_.answered(id, at(reply->window().latest),
                               {.over = over, .rate_tenths = reply->number("rate")}));
    return reply;
  }

  std::uint64_t sent() const { return sent_; }
  std::uint64_t answered() const { return answered_; }
  std::uint64_t over() const { return over_; }

 private:
  Attempt& attempt_;
  const Subject& subject_;
  std::string key_;
  oracle::RateBounds bounds_;
  std::uint64_t sent_ = 0;
  std::uint64_t answered_ = 0;
  std::uint64_t over_ = 0;
};

void first_use(Attempt& attempt, const Subject& subject) {
  Uses uses(attempt, subject, subject.key(attempt.own_key()));
  if (!uses.use()) throw Unanswered{"over_limit", false};
}

/// Uses as fast as they come, until the key is over its limit and some time beyond.
void climb(Attempt& attempt, const Subject& subject) {
  Uses uses(attempt, subject, subject.key(attempt.own_key()));
  const auto most = static_cast<std::uint64_t>(subject.rule->limit.uses) * 2 + uses_beyond;
  std::uint64_t beyond = 0;
  while (uses.sent() < most && beyond < uses_beyond) {
    uses.use();
    if (uses.over() > 0) ++beyond;
  }
}

/// What a burst left decays while nothing is used.
void falls(Attempt& attempt, const Subject& subject) {
  Uses uses(attempt, subject, subject.key(attempt.own_key()));
  const double limit = subject.rule->limit.uses;
  const auto burst = static_cast<std::uint64_t>(std::min(limit + 2, most_climbed));
  for (std::uint64_t i = 0; i < burst; ++i) uses.use();
  const std::uint32_t seconds = std::min(subject.rule->limit.period_seconds, longest_wait_s);
  attempt.wait_until(attempt.now() + Time{seconds} * 1'000'000'000);
  for (std::uint64_t i = 0; i < few_uses; ++i) uses.use();
}

void keys_apart(Attempt& attempt, const Subject& subject) {
  Uses first(attempt, subject, subject.key(attempt.own_key("a")));
  Uses second(attempt, subject, subject.key(attempt.own_key("b")));
  for (std::uint64_t i = 0; i < few_uses; ++i) first.use();
  for (std::uint64_t i = 0; i < few_uses; ++i) {
    second.use();
    first.use();
  }
}

Message statistics(Attempt& attempt, const std::string& key) {
  return attempt.ask("get_stats", {{"key", to_bytes(key)}});
}

void judge_count(Attempt& attempt, const Message& reply, protocol::FieldName field,
                 std::uint64_t least, std::uint64_t most) {
  const std::uint64_t count = reply.number(field);
  if (count >= least && count <= most) return;
  const std::string expected =
      least == most ? std::to_string(least) : fmt::format("{} to {}", least, most);
  attempt.refuse(reply, field, expected,
                 fmt::format("{} is {} after {} uses, expected {}", field, count, most, expected));
}

/// Uses that were answered count; those that were not, may.
void counts(Attempt& attempt, const Subject& subject) {
  const std::string key = subject.key(attempt.own_key());
  const std::string counted = subject.counted_under(key);
  Uses uses(attempt, subject, key);
  const auto burst =
      static_cast<std::uint64_t>(std::min(subject.rule->limit.uses, most_climbed)) + few_uses;
  for (std::uint64_t i = 0; i < burst; ++i) uses.use();
  const Message reply = statistics(attempt, counted);
  attempt.judge(reply, {any("n_req"), any("n_over"), any("last_max_rate"), is("key", counted)});
  const std::uint64_t unknown = uses.sent() - uses.answered() + attempt.mail().repeated();
  judge_count(attempt, reply, "n_req", uses.answered(), uses.answered() + unknown);
  judge_count(attempt, reply, "n_over", uses.over(), uses.over() + unknown);
}

void statistics_change_nothing(Attempt& attempt, const Subject& subject) {
  const std::string key = subject.key(attempt.own_key());
  Uses uses(attempt, subject, key);
  for (std::uint64_t i = 0; i < few_uses; ++i) {
    uses.use();
    statistics(attempt, subject.counted_under(key));
  }
  const Message reply = statistics(attempt, subject.counted_under(key));
  const std::uint64_t unknown = uses.sent() - uses.answered() + attempt.mail().repeated();
  judge_count(attempt, reply, "n_req", uses.answered(), uses.answered() + unknown);
}

class Writer {
 public:
  Writer(const std::string& prefix, Subject subject) : prefix_(prefix), subject_(subject) {}

  DatagramCases write() {
    add("first-use", "the first use of a key", {"over_limit.use", "over_limit.describes"},
        first_use);
    add("keys-apart", "two keys of one rule by turns",
        {"over_limit.use", "over_limit.describes", "transaction.independent"}, keys_apart);
    add("at-a-time", "uses of a key from several sockets at a time",
        {"over_limit.use", "over_limit.verdict", "transaction.independent", "transaction.one-reply",
         "silence.estimator"},
        uses_at_a_time);
    if (subject_.rule->limit.uses <= most_climbed) {
      add("climb", "uses of a key until it is over its limit, and beyond",
          {"over_limit.verdict", "over_limit.use", "silence.estimator", "silence.over-when"},
          climb);
      add("falls", "a key is left alone after a burst",
          {"over_limit.describes", "silence.estimator"}, falls);
    }
    if (subject_.rule->limit.statistics) {
      add("counted", "the statistics of a key count its uses",
          {"silence.statistics", "get_stats.key"}, counts);
      add("statistics-change-nothing", "statistics between the uses of a key",
          {"silence.statistics", "get_stats.key"}, statistics_change_nothing);
    }
    return std::move(cases_);
  }

 private:
  void add(std::string_view name, std::string_view title, std::vector<std::string> clauses,
           void (*run)(Attempt&, const Subject&)) {
    const Limit& limit = subject_.rule->limit;
    cases_.push_back(
        {{fmt::format("{}/rules/{}/{}", prefix_, name_of(subject_), name),
          fmt::format("{} ({:.1f} in {} s, {})", title, limit.uses, limit.period_seconds,
                      protocol::ratelimit::name_of(limit.discipline)),
          "over_limit", Level::must, std::move(clauses), Delivery::whole},
         [run, subject = subject_](Attempt& attempt) { run(attempt, subject); }});
  }

  const std::string& prefix_;
  Subject subject_;
  DatagramCases cases_;
};

/// What one key counts, the others that are rewritten to it count too.
void together(Attempt& attempt, const Subject& subject) {
  const std::string first = subject.key(attempt.own_key("a"));
  const std::string second = subject.key(attempt.own_key("b"));
  std::uint64_t answered = 0;
  for (std::uint64_t i = 0; i < few_uses; ++i) {
    for (const std::string& key : {first, second}) {
      const auto reply = attempt.try_once("over_limit", {{"key", to_bytes(key)}});
      if (!reply) continue;
      ++answered;
      attempt.judge(*reply,
                    {any("over"), any("rate"), is("limit", tenths(subject.rule->limit.uses)),
                     is("period", subject.rule->limit.period_seconds)});
      const double rate = static_cast<double>(reply->number("rate")) / 10;
      attempt.require(!subject.known.exponential || answered < 3 || rate > 0,
                      "a key that is rewritten to another one does not count with it");
    }
  }
}

/// A key that no rule is for.
void no_rule(Attempt& attempt, const Rules& rules) {
  const std::string key = attempt.own_key();
  if (rules.match(key).limit != nullptr) attempt.skip("a rule is for every key");
  for (std::uint64_t i = 0; i < few_uses * few_uses; ++i) {
    const auto reply = attempt.try_once("over_limit", {{"key", to_bytes(key)}});
    if (reply && reply->number("over") == 'Y' && attempt.reads({"default-key", "never-over"}))
      attempt.refuse(*reply, "over", "N", "a key that no rule is for is over a limit");
  }
}

}  // namespace

DatagramCases rule_cases(const std::string& prefix, const KnownRules& known) {
  DatagramCases cases;
  if (known.rules == nullptr) return cases;
  for (const Rule& rule : known.rules->rules()) {
    const Subject subject{known.rules, &rule, known};
    if (has_keys_of_its_own(*known.rules, rule)) {
      for (DatagramCase& one : Writer(prefix, subject).write()) cases.push_back(std::move(one));
    } else if (rule.rewrites && rule.pattern.stars() > 0 &&
               known.rules->match(subject.key("hallmark:0")).limit == &rule.limit) {
      cases.push_back({{fmt::format("{}/rules/{}/together", prefix, name_of(subject)),
                        "two keys that are rewritten to one",
                        "over_limit",
                        Level::must,
                        {"over_limit.use", "over_limit.describes"},
                        Delivery::whole},
                       [subject](Attempt& attempt) { together(attempt, subject); }});
    }
  }
  cases.push_back({{prefix + "/rules/none",
                    "a key that no rule is for",
                    "over_limit",
                    Level::may,
                    {"silence.default-key"},
                    Delivery::whole},
                   [rules = known.rules](Attempt& attempt) { no_rule(attempt, *rules); }});
  return cases;
}

}  // namespace hallmark::conformance
