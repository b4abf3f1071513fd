#include "loadgen/drivers/datagram/limit_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hallmark::loadgen::datagram {
namespace {

using oracle::UseVerdict;

constexpr std::ptrdiff_t most_findings = 3;  ///< of each kind

std::string_view kind_of(UseVerdict verdict) {
  switch (verdict) {
    case UseVerdict::over_admitted: return "over-admission";
    case UseVerdict::under_admitted: return "under-admission";
    default: return "rate";
  }
}

std::uint64_t& count_of(reports::LimitChecks& checks, UseVerdict verdict) {
  switch (verdict) {
    case UseVerdict::over_admitted: return checks.over_admissions;
    case UseVerdict::under_admitted: return checks.under_admissions;
    default: return checks.wrong_rates;
  }
}

std::string reason_of(const KeyGroup& group, const oracle::Finding& finding) {
  const bool windowed =
      finding.admitted > finding.allowed + 1 ||
      (finding.verdict == UseVerdict::over_admitted && finding.rate.low < group.limit.uses);
  if (windowed) {
    return fmt::format("the limit of {} in {} s allows no more, whatever was before",
                       group.limit.uses, group.limit.period_seconds);
  }
  return fmt::format("the rate of the last use was {:.3f} to {:.3f}; the limit is {} in {} s",
                     finding.rate.low, finding.rate.high, group.limit.uses,
                     group.limit.period_seconds);
}

std::uint64_t after_start(std::int64_t ns) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, ns));
}

reports::LimitFinding shown(const KeyGroup& group, const oracle::Finding& finding) {
  reports::LimitFinding made{.kind = std::string{kind_of(finding.verdict)},
                             .key = group.counted,
                             .from_ns = after_start(finding.from_ns),
                             .to_ns = after_start(finding.to_ns),
                             .admitted = finding.admitted,
                             .allowed = finding.allowed,
                             .reason = reason_of(group, finding)};
  for (const oracle::SeenUse& use : finding.uses) {
    made.uses.push_back(
        {after_start(use.sent_ns), after_start(use.received_ns), use.over, use.rate});
  }
  return made;
}

bool enough(const std::vector<reports::LimitFinding>& findings, std::string_view kind) {
  return std::count_if(findings.begin(), findings.end(),
                       [&](const auto& kept) { return kept.kind == kind; }) >= most_findings;
}

void keep(std::vector<reports::LimitFinding>& findings, reports::LimitFinding finding) {
  if (!enough(findings, finding.kind)) findings.push_back(std::move(finding));
}

}  // namespace

LimitWatch::LimitWatch(const Keys& keys, oracle::OverWhen over_when)
    : keys_(keys), over_when_(over_when), watched_(keys.groups().size()) {}

LimitWatch::Watched& LimitWatch::watched(std::uint32_t key) {
  auto& of_group = watched_[keys_.group_of(key)];
  if (!of_group) {
    const KeyGroup& group = keys_.groups()[keys_.group_of(key)];
    of_group = std::make_unique<Watched>(
        group.limit, oracle::Assumptions{.over_when = over_when_, .fresh_key = group.fresh});
  }
  return *of_group;
}

std::uint64_t LimitWatch::sent(std::uint32_t key, std::int64_t at_ns) {
  Watched& of = watched(key);
  ++of.uses.sent;
  return of.oracle.sent(at_ns);
}

void LimitWatch::answered(std::uint32_t key, std::uint64_t use, std::int64_t sent_ns,
                          std::int64_t received_ns, const UseSaid& said) {
  const KeyGroup& group = keys_.groups()[keys_.group_of(key)];
  Watched& of = watched(key);
  ++of.uses.answered;
  of.uses.over += said.over ? 1 : 0;
  if (!group.limited) {
    ++checks_.unlimited;
    of.oracle.unanswered(use);
    return;
  }
  ++checks_.uses;
  check_limit(group, said, sent_ns, received_ns);
  const auto seen = of.oracle.answered(use, sent_ns, received_ns, {said.over, said.rate});
  checks_.decided += seen.judgement.decided ? 1 : 0;
  if (seen.finding) note(group, *seen.finding);
}

void LimitWatch::note(const KeyGroup& group, const oracle::Finding& finding) {
  const bool sure = finding.explained_by > static_cast<double>(finding.uses_before);
  reports::LimitChecks& checks = sure ? checks_ : explicable_;
  ++count_of(checks, finding.verdict);
  if (enough(checks.findings, kind_of(finding.verdict))) return;
  checks.findings.push_back(shown(group, finding));
}

void LimitWatch::check_limit(const KeyGroup& group, const UseSaid& said, std::int64_t sent_ns,
                             std::int64_t received_ns) {
  const auto tenths = static_cast<std::uint64_t>(std::llround(group.limit.uses * 10));
  if (said.limit == tenths && said.period == group.limit.period_seconds) return;
  ++checks_.wrong_limits;
  if (enough(checks_.findings, "limit")) return;
  checks_.findings.push_back(
      {.kind = "limit",
       .key = group.counted,
       .from_ns = after_start(sent_ns),
       .to_ns = after_start(received_ns),
       .reason = fmt::format("the reply says {:.1f} in {} s, the rules {:.1f} in {} s",
                             static_cast<double>(said.limit) / 10, said.period, group.limit.uses,
                             group.limit.period_seconds)});
}

void LimitWatch::unanswered(std::uint32_t key, std::uint64_t use) {
  watched(key).oracle.unanswered(use);
}

// This says that it may have been counted, which is more than is true, and does no harm.
void LimitWatch::not_sent(std::uint32_t key, std::uint64_t use) {
  Watched& of = watched(key);
  --of.uses.sent;
  of.oracle.unanswered(use);
}

void LimitWatch::unreadable(std::uint32_t key, std::uint64_t use) {
  Watched& of = watched(key);
  ++of.uses.answered;
  of.oracle.unanswered(use);
}

void LimitWatch::late(std::uint32_t key, const std::optional<UseSaid>& said) {
  Watched& of = watched(key);
  ++of.uses.answered;
  of.uses.over += said && said->over ? 1U : 0U;
}

void LimitWatch::repeated(std::uint32_t key) { watched(key).oracle.repeated(); }

reports::LimitChecks LimitWatch::checks(bool doubled) const {
  reports::LimitChecks all = checks_;
  if (!doubled) {
    add(all, explicable_);
  } else {
    all.undecided +=
        explicable_.over_admissions + explicable_.under_admissions + explicable_.wrong_rates;
  }
  return all;
}

void add(reports::LimitChecks& sum, const reports::LimitChecks& more) {
  sum.uses += more.uses;
  sum.decided += more.decided;
  sum.unlimited += more.unlimited;
  sum.over_admissions += more.over_admissions;
  sum.under_admissions += more.under_admissions;
  sum.wrong_rates += more.wrong_rates;
  sum.wrong_limits += more.wrong_limits;
  sum.undecided += more.undecided;
  for (const auto& finding : more.findings) keep(sum.findings, finding);
}

}  // namespace hallmark::loadgen::datagram
