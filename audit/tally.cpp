#include "audit/tally.hpp"

#include <algorithm>

namespace hallmark::audit {
namespace {

/// Groups of one kind that are told apart; reasons can quote what a store holds.
constexpr std::size_t most_groups = 50;

struct EvidenceName {
  bool model::Evidence::*seen;
  const char* reading;
  const char* answer;
};

constexpr EvidenceName evidence_names[] = {
    {&model::Evidence::legacy_tail_bar, "legacy-tail", "bar"},
    {&model::Evidence::legacy_tail_none, "legacy-tail", "none"},
    {&model::Evidence::header_history_v3, "header-history", "v3"},
    {&model::Evidence::quota_count_any, "quota-count", "any"},
    {&model::Evidence::nested_split_first, "nested-split", "first"},
    {&model::Evidence::nested_split_last, "nested-split", "last"}};

void count_plan(FormatResult& format, Plan plan) {
  ++format.count;
  if (plan == Plan::rewrite) ++format.rewrite;
  if (plan == Plan::merge) ++format.merge;
  if (plan == Plan::left) ++format.left;
}

std::size_t index_of(FormatSet single) {
  return static_cast<std::size_t>(std::countr_zero(single.bits()));
}

Expectation expectation(const Tally::Known& known) {
  Expectation expected;
  if (known.rule == nullptr) return expected;
  expected.hints = known.rule->hints();
  if (known.part) {
    expected.hints.quota = known.part->quota;
    expected.is_part = true;
  }
  return expected;
}

}  // namespace

std::string_view name_of(model::Obstacle obstacle) {
  switch (obstacle) {
    case model::Obstacle::malformed: return "malformed";
    case model::Obstacle::ambiguous: return "ambiguous";
    case model::Obstacle::quota: return "no-quota";
    case model::Obstacle::unwritable: return "unwritable";
  }
  return "";
}

Tally::Tally(const TallyOptions& options, Rules& rules, FindingSink sink)
    : options_(options),
      rules_(rules),
      sink_(std::move(sink)),
      checker_(options.limits, options.rewriting),
      seen_(options.remembered) {}

Tally::Known Tally::known(std::string_view key) const {
  if (rules_.empty()) return {};
  Known known{.rule = rules_.rule_for(key)};
  if (known.rule == nullptr || !known.rule->merge) return known;
  known.part = known.rule->merge->part_of(key);
  if (!known.part) return known;
  const Rule* const whole = rules_.rule_for(known.part->key);
  if (whole != nullptr && whole->whole.strategy != known.rule->whole.strategy) known.part.reset();
  return known;
}

const Checked& Tally::check(std::string_view key, std::string_view text) {
  checker_.check(text, expectation(known(key)), checked_);
  return checked_;
}

const Checked* Tally::add(const stores::Entry& entry) {
  if (options_.remembered > 0 && !seen_.insert(entry.key)) {
    ++result_.seen_again;
    return nullptr;
  }
  return count(entry);
}

bool Tally::add_early(const stores::Entry& entry) {
  const Checked* const checked = seen_.insert(entry.key) ? count(entry) : nullptr;
  return checked != nullptr && !checked->findings.empty();
}

const Checked* Tally::count(const stores::Entry& entry) {
  if (entry.kind == stores::EntryKind::expired) {
    ++result_.expired;
    return nullptr;
  }
  ++result_.entries;
  if (entry.kind != stores::EntryKind::text) {
    no_text(entry);
    return nullptr;
  }
  check(entry.key, entry.value);
  if (!checked_.formats.empty()) {
    ++result_.states;
    count_format();
    count_evidence();
    if (checked_.plan == Plan::left) count_left(entry.key);
  }
  count_findings(entry.key, entry.value);
  return &checked_;
}

void Tally::no_text(const stores::Entry& entry) {
  checked_.clear();
  const bool typed = entry.kind == stores::EntryKind::other_type;
  checked_.findings.push_back(
      {typed ? Kind::other_type : Kind::overlong, 0, entry.value.size(), "",
       typed ? "a " + std::string(entry.value) : "a line that is too long"});
  count_findings(entry.key, entry.value);
}

void Tally::count_format() {
  const FormatSet formats = checked_.formats;
  count_plan(formats.size() == 1 ? by_format_[index_of(formats)] : result_.formats[formats],
             checked_.plan);
}

void Tally::count_evidence() {
  for (std::size_t i = 0; i < evidence_.size(); ++i)
    evidence_[i] += checked_.evidence.*evidence_names[i].seen ? 1 : 0;
}

void Tally::count_left(std::string_view key) {
  LeftResult& left = result_.left[checked_.obstacle->obstacle];
  if (left.count++ > 0) return;
  left.example_key = key;
  left.example_reason = checked_.obstacle->where.reason;
}

void Tally::count_findings(std::string_view key, std::string_view text) {
  if (checked_.findings.empty()) return;
  ++result_.faulty;
  for (const Finding& finding : checked_.findings) {
    KindResult& kind = result_.found[static_cast<std::size_t>(finding.kind)];
    ++kind.count;
    count_group(kind, finding);
    if (kind.examples.size() < options_.most_examples) {
      const Excerpt excerpt = excerpt_of(text, finding);
      kind.examples.push_back({std::string(key.substr(0, longest_shown)), std::string(excerpt.text),
                               excerpt.begin, finding});
    }
    if (sink_) sink_(key, text, finding);
  }
}

void Tally::count_group(KindResult& kind, const Finding& finding) {
  const auto found = std::ranges::find_if(kind.groups, [&](const FindingGroup& group) {
    return group.field == finding.field && group.reason == finding.reason;
  });
  if (found != kind.groups.end()) {
    ++found->count;
  } else if (kind.groups.size() < most_groups) {
    kind.groups.push_back({finding.field, finding.reason, 1});
  } else {
    ++kind.ungrouped;
  }
}

AuditResult Tally::result() const {
  AuditResult all = result_;
  all.exact = !seen_.overflowed();
  for (std::size_t i = 0; i < by_format_.size(); ++i) {
    if (by_format_[i].count > 0) all.formats[FormatSet::at(i)] = by_format_[i];
  }
  for (std::size_t i = 0; i < evidence_.size(); ++i) {
    if (evidence_[i] > 0)
      all.readings.push_back({evidence_names[i].reading, evidence_names[i].answer, evidence_[i]});
  }
  return all;
}

}  // namespace hallmark::audit
