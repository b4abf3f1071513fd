#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "conformance/suites/ratelimit_udp/rule_subject.hpp"

namespace hallmark::conformance {
namespace {

using base::to_bytes;
using protocol::Level;
using protocol::ratelimit::Limit;
using protocol::ratelimit::Rules;

constexpr std::uint64_t uses_beyond = 8;
constexpr std::uint64_t few_uses = 5;
constexpr std::uint32_t longest_wait_s = 2;

Message statistics(Attempt& attempt, const std::string& key) {
  return attempt.ask("get_stats", {{"key", to_bytes(key)}});
}

/// The uses of keys that are counted as one, by turns and in the order they were made, each judged
/// when its reply has come.
class Uses {
 public:
  Uses(Attempt& attempt, const Subject& subject, std::vector<std::string> keys)
      : attempt_(attempt),
        subject_(subject),
        keys_(std::move(keys)),
        bounds_(subject.limit(), subject.assumptions()) {}
  Uses(Attempt& attempt, const Subject& subject) : Uses(attempt, subject, {subject.key(attempt)}) {}

  /// One use; nothing where its reply got lost.
  std::optional<Message> use() {
    const std::size_t repeated = attempt_.mail().repeated();
    const auto id = bounds_.sent(at(attempt_.now()));
    const std::string& key = keys_[sent_ % keys_.size()];
    auto reply = attempt_.try_once("over_limit", {{"key", to_bytes(key)}});
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

  /// The key that they are counted under.
  std::string counted_under() const { return subject_.keys.counted_under(keys_.front()); }
  std::uint64_t sent() const { return sent_; }
  std::uint64_t answered() const { return answered_; }
  std::uint64_t over() const { return over_; }
  /// Uses that may have counted or not: unanswered ones, and requests that came twice.
  std::uint64_t unknown() const { return sent_ - answered_ + attempt_.mail().repeated(); }

 private:
  Attempt& attempt_;
  const Subject& subject_;
  std::vector<std::string> keys_;
  oracle::RateBounds bounds_;
  std::uint64_t sent_ = 0;
  std::uint64_t answered_ = 0;
  std::uint64_t over_ = 0;
};

void first_use(Attempt& attempt, const Subject& subject) {
  Uses uses(attempt, subject);
  if (!uses.use()) throw Unanswered{"over_limit", false};
}

/// Uses as fast as they come, until the key is over its limit and some time beyond.
void climb(Attempt& attempt, const Subject& subject) {
  Uses uses(attempt, subject);
  const auto most = static_cast<std::uint64_t>(subject.limit().uses) * 2 + uses_beyond;
  std::uint64_t beyond = 0;
  while (uses.sent() < most && beyond < uses_beyond) {
    uses.use();
    if (uses.over() > 0) ++beyond;
  }
}

/// The rate that a burst left decays while nothing is used.
void falls(Attempt& attempt, const Subject& subject) {
  Uses uses(attempt, subject);
  const auto burst = static_cast<std::uint64_t>(std::min(subject.limit().uses + 2, most_climbed));
  for (std::uint64_t i = 0; i < burst; ++i) uses.use();
  const std::uint32_t seconds = std::min(subject.limit().period_seconds, longest_wait_s);
  attempt.wait_until(attempt.now() + Time{seconds} * 1'000'000'000);
  for (std::uint64_t i = 0; i < few_uses; ++i) uses.use();
}

void keys_of_rule_apart(Attempt& attempt, const Subject& subject) {
  Uses first(attempt, subject);
  Uses second(attempt, subject);
  for (std::uint64_t i = 0; i < few_uses; ++i) first.use();
  for (std::uint64_t i = 0; i < few_uses; ++i) {
    second.use();
    first.use();
  }
}

/// A use of one key counts for the others that are rewritten to the same key.
void together(Attempt& attempt, const Subject& subject) {
  const std::string first = subject.key(attempt);
  Uses uses(attempt, subject, {first, subject.key(attempt)});
  for (std::uint64_t i = 0; i < 2 * few_uses; ++i) uses.use();
}

/// The numbers that get_stats has for a key before a case uses it.
struct CountedRule {
  std::uint64_t n_req = 0;
  std::uint64_t n_over = 0;
};

CountedRule counted_before(Attempt& attempt, const Subject& subject, const Uses& uses) {
  if (subject.is_fresh()) return {};
  const Message reply = statistics(attempt, uses.counted_under());
  return {reply.number("n_req"), reply.number("n_over")};
}

/// Uses that were answered count; those that are not known to have come may.
void judge_count(Attempt& attempt, const Message& reply, protocol::FieldName field,
                 std::uint64_t least, std::uint64_t unknown) {
  const std::uint64_t count = reply.number(field);
  if (count >= least && count <= least + unknown) return;
  const std::string expected =
      unknown == 0 ? std::to_string(least) : fmt::format("{} to {}", least, least + unknown);
  attempt.refuse(
      reply, field, expected,
      fmt::format("{} is {} after the uses of the case, expected {}", field, count, expected));
}

void counts(Attempt& attempt, const Subject& subject) {
  Uses uses(attempt, subject);
  const CountedRule before = counted_before(attempt, subject, uses);
  const auto burst =
      static_cast<std::uint64_t>(std::min(subject.limit().uses, most_climbed)) + few_uses;
  for (std::uint64_t i = 0; i < burst; ++i) uses.use();
  const Message reply = statistics(attempt, uses.counted_under());
  attempt.judge(
      reply, {any("n_req"), any("n_over"), any("last_max_rate"), is("key", uses.counted_under())});
  judge_count(attempt, reply, "n_req", before.n_req + uses.answered(), uses.unknown());
  judge_count(attempt, reply, "n_over", before.n_over + uses.over(), uses.unknown());
}

void statistics_change_nothing(Attempt& attempt, const Subject& subject) {
  Uses uses(attempt, subject);
  const CountedRule before = counted_before(attempt, subject, uses);
  for (std::uint64_t i = 0; i < few_uses; ++i) {
    uses.use();
    statistics(attempt, uses.counted_under());
  }
  const Message reply = statistics(attempt, uses.counted_under());
  judge_count(attempt, reply, "n_req", before.n_req + uses.answered(), uses.unknown());
}

class Writer {
 public:
  Writer(const std::string& prefix, Subject subject)
      : prefix_(prefix), subject_(std::make_shared<const Subject>(std::move(subject))) {}

  DatagramCases write() {
    add_uses();
    if (limit().uses <= most_climbed) add_climbs();
    if (limit().statistics) add_statistics();
    return std::move(cases_);
  }

 private:
  const Limit& limit() const { return subject_->limit(); }

  void add_uses() {
    if (subject_->is_fresh()) {
      add("first-use", "the first use of a key", {"over_limit.use", "over_limit.describes"},
          first_use);
    } else {
      add("use", "a use of a key", {"over_limit.use", "over_limit.describes"}, first_use);
    }
    if (subject_->keys.several()) {
      add("keys-apart", "two keys of one rule by turns",
          {"over_limit.use", "over_limit.describes", "transaction.independent"},
          keys_of_rule_apart);
    } else if (subject_->rule().rewrites) {
      add("together", "two keys that are rewritten to one",
          {"over_limit.use", "over_limit.describes"}, together);
    }
    add("at-a-time", "uses of a key from several sockets at a time",
        {"over_limit.use", "over_limit.verdict", "transaction.independent", "transaction.one-reply",
         "silence.estimator"},
        uses_at_a_time);
  }

  void add_climbs() {
    add("climb", "uses of a key until it is over its limit, and beyond",
        {"over_limit.verdict", "over_limit.use", "silence.estimator", "silence.over-when"}, climb);
    add("falls", "a key is left alone after a burst", {"over_limit.describes", "silence.estimator"},
        falls);
  }

  void add_statistics() {
    add("counted", "the statistics of a key count its uses",
        {"silence.statistics", "get_stats.key"}, counts);
    add("statistics-change-nothing", "statistics between the uses of a key",
        {"silence.statistics", "get_stats.key"}, statistics_change_nothing);
  }

  void add(std::string_view name, std::string_view title, std::vector<std::string> clauses,
           void (*run)(Attempt&, const Subject&)) {
    cases_.push_back({{fmt::format("{}/rules/{}/{}", prefix_, name_of(*subject_), name),
                       fmt::format("{} ({} {})", title, to_string(limit()),
                                   protocol::ratelimit::name_of(limit().discipline)),
                       "over_limit", Level::must, std::move(clauses), Delivery::whole},
                      [run, subject = subject_](Attempt& attempt) {
                        leave_to_real_users(attempt, *subject);
                        run(attempt, *subject);
                      }});
  }

  static void leave_to_real_users(Attempt& attempt, const Subject& subject) {
    if (!subject.is_shared() || attempt.context().exclusive) return;
    attempt.skip(
        fmt::format("needs a target that nobody else uses: {}; runs with --exclusive, or "
                    "against an exec: target",
                    subject.keys.why()));
  }

  const std::string& prefix_;
  std::shared_ptr<const Subject> subject_;
  DatagramCases cases_;
};

/// A key that no rule is for.
void no_rule(Attempt& attempt, const Rules& rules) {
  DatagramContext& context = attempt.context();
  const auto key =
      protocol::ratelimit::unruled_key(rules, number_of_run(context), context.rule_keys);
  if (!key) attempt.skip("no key was found that no rule is for");
  for (std::uint64_t i = 0; i < few_uses * few_uses; ++i) {
    const auto reply = attempt.try_once("over_limit", {{"key", to_bytes(*key)}});
    if (reply && reply->number("over") == 'Y' && attempt.reads({"default-key", "never-over"}))
      attempt.refuse(*reply, "over", "N", "a key that no rule is for is over a limit");
  }
}

}  // namespace

DatagramCases rule_cases(const std::string& prefix, const KnownRules& known) {
  DatagramCases cases;
  if (known.rules == nullptr) return cases;
  for (Subject& subject : subjects_of(known)) {
    for (DatagramCase& one : Writer(prefix, std::move(subject)).write())
      cases.push_back(std::move(one));
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
