#include "audit/checker.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "audit/fast_check.hpp"
#include "audit/fast_legacy.hpp"
#include "audit/json_state.hpp"
#include "audit/walk.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::audit {
namespace {

using model::NotMigrated;
using model::Obstacle;
using protocol::FieldValue;
using protocol::Malformed;
using protocol::state::Parsed;
using protocol::state::Taken;

std::string shown(const Taken& taken) {
  std::string text(taken.strategy);
  if (!taken.primary.empty() || !taken.secondary.empty())
    text += fmt::format(" of {} and {}", taken.primary.empty() ? "any" : taken.primary,
                        taken.secondary.empty() ? "any" : taken.secondary);
  return text;
}

void leave(Checked& checked, Obstacle obstacle, Malformed where) {
  checked.plan = Plan::left;
  checked.obstacle = NotMigrated{obstacle, std::move(where)};
}

void no_state(std::string_view text, Malformed error, Checked& checked) {
  const std::string_view strategy = strategy_of_json(text);
  if (strategy.empty()) {
    const std::size_t length = error.offset < text.size() ? text.size() - error.offset : 0;
    checked.findings.push_back({Kind::malformed, error.offset, length, error.field, error.reason});
  } else {
    checked.findings.push_back(
        {Kind::json, 0, text.size(), "", fmt::format("a {} from before version 1", strategy)});
  }
  leave(checked, Obstacle::malformed, std::move(error));
}

bool names_no_quota(const Parsed& parsed) {
  return parsed.others.empty() && parsed.format->strategy == "fixed-window" &&
         parsed.view().find("quotas") == nullptr;
}

void plan(const Parsed& parsed, const Expectation& expected, Checked& checked) {
  if (expected.is_part && names_no_quota(parsed)) {
    checked.plan = Plan::merge;
    return;
  }
  auto migrated = model::migrate(parsed, expected.hints);
  if (!migrated)
    return leave(checked, migrated.error().obstacle, std::move(migrated.error().where));
  checked.plan = *migrated == parsed.text ? Plan::current : Plan::rewrite;
  if (checked.plan == Plan::rewrite) checked.rewritten = *std::move(migrated);
}

}  // namespace

void Checked::clear() {
  formats = {};
  evidence = {};
  findings.clear();
  plan = Plan::left;
  rewritten.clear();
  obstacle.reset();
}

Checker::Checker(const Limits& limits, Rewriting rewriting)
    : limits_(limits), rewriting_(rewriting == Rewriting::yes) {}

void Checker::check(std::string_view text, const Expectation& expected, Checked& checked) const {
  checked.clear();
  FieldChecks checks(limits_, text, checked.findings);
  if (check_fast(text, expected.hints.taken, checks, checked.formats)) {
    checked.plan = Plan::current;
    return;
  }
  checked.clear();
  if (check_fast_legacy(text, expected, limits_, checked)) {
    if (rewriting_ && checked.plan == Plan::rewrite)
      checked.rewritten = model::migrate(text, expected.hints).value();
    return;
  }
  check_by_tables(text, expected, checked);
}

void Checker::check_by_tables(std::string_view text, const Expectation& expected,
                              Checked& checked) const {
  checked.clear();
  const Taken& taken = expected.hints.taken;
  auto parsed = model::parse_stored(text, taken);
  const bool is_expected = parsed.has_value();
  if (!parsed && !taken.strategy.empty()) {
    if (auto any = model::parse_stored(text)) parsed = std::move(any);
  }
  if (!parsed) return no_state(text, parsed.error(), checked);
  checked.formats = FormatSet::of(*parsed);
  checked.evidence = model::evidence_in(*parsed);
  Walk walk(limits_, text, checked.findings);
  walk.state(*parsed, "");
  if (is_expected && walk.is_as_written()) {
    checked.plan = Plan::current;
    return;
  }
  if (is_expected) return plan(*parsed, expected, checked);
  const std::string reason = fmt::format("is not the configured {}", shown(taken));
  checked.findings.push_back(
      {Kind::unexpected, 0, parsed->format->header.size(), "header", reason});
  leave(checked, Obstacle::malformed, {"header", 0, reason});
}

}  // namespace hallmark::audit
