#include "audit/store_migrator.hpp"

#include <algorithm>

namespace hallmark::audit {
namespace {

using stores::Held;
using stores::Outcome;
using stores::Presence;

/// How often a key that others write to is tried.
constexpr int most_rounds = 10;
constexpr std::string_view contended = "was written by others each time; run again";

/// A dry run may meet the same group several times, each time with other parts of it. Returns true
/// for the time that brings the first part.
bool stands_for_all(const MergeGroup& group, const MergeStep& step) {
  return !step.removals.empty() &&
         std::ranges::find(group.taken, step.removals.front().key) != group.taken.end();
}

bool is_absent(const Held& held) { return held.presence == Presence::absent; }

}  // namespace

void StoreMigrator::take(const stores::Entry& entry, const Checked& checked) {
  take(entry.key, entry.value, checked, !checked.findings.empty());
}

void StoreMigrator::take(std::string_view key, std::string_view text, const Checked& checked,
                         bool faulty) {
  if (checked.plan == Plan::rewrite) {
    rewrites_.push_back({{.key = std::string(key),
                          .expected = std::string(text),
                          .desired = checked.rewritten,
                          .expiry = stores::Expiry::keep()},
                         checked.formats,
                         faulty});
  } else if (checked.plan == Plan::merge) {
    const auto known = tally_.known(key);
    auto [at, added] = groups_.try_emplace(std::string(known.part->key));
    if (added) at->second = {.key = at->first, .rule = known.rule};
    at->second.taken.emplace_back(key);
    if (faulty) ++at->second.faulty;
  }
}

stores::Result<void> StoreMigrator::flush() {
  if (auto done = rewrite_all(); !done) return done;
  return merge_all();
}

stores::Result<void> StoreMigrator::rewrite_all() {
  for (int round = 0; !rewrites_.empty() && round < most_rounds; ++round) {
    const auto some = std::exchange(rewrites_, {});
    std::vector<stores::Change> changes;
    for (const Rewrite& one : some) changes.push_back(one.change);
    std::vector<Outcome> outcomes(changes.size(), Outcome::done);
    if (!log_.result().dry_run) {
      auto written = connection_.compare_and_set(changes);
      if (!written) return written.error();
      outcomes = *std::move(written);
    }
    std::vector<Rewrite> overtaken;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      const auto& [change, formats, faulty] = some[i];
      if (outcomes[i] == Outcome::done) {
        log_.rewritten(formats, {change.key, *change.expected, "", change.desired});
        if (faulty && tally_.is_sound(change.key, change.desired)) log_.repaired();
      } else {
        overtaken.push_back(some[i]);
      }
    }
    if (auto looked = look_again(overtaken); !looked) return looked;
  }
  for (const Rewrite& one : std::exchange(rewrites_, {})) log_.not_done(one.change.key, contended);
  return {};
}

stores::Result<void> StoreMigrator::look_again(std::span<const Rewrite> overtaken) {
  if (overtaken.empty()) return {};
  std::vector<std::string> keys;
  for (const Rewrite& one : overtaken) keys.push_back(one.change.key);
  const auto held = connection_.get(keys, stores::Connection::WithExpiry::no);
  if (!held) return held.error();
  for (std::size_t i = 0; i < keys.size(); ++i) take_again(overtaken[i], (*held)[i]);
  return {};
}

void StoreMigrator::take_again(const Rewrite& overtaken, const Held& held) {
  const std::string& key = overtaken.change.key;
  const bool is_text = held.presence == Presence::text;
  const Checked* const checked = is_text ? &tally_.check(key, held.value) : nullptr;
  if (checked == nullptr || checked->plan == Plan::current) {
    const bool sound = is_text ? checked->findings.empty() : held.presence == Presence::absent;
    log_.overtaken();
    if (overtaken.faulty && sound) log_.repaired();
  } else if (checked->plan == Plan::left) {
    log_.not_done(key, checked->obstacle->where.reason);
  } else {
    take(key, held.value, *checked, overtaken.faulty);
  }
}

stores::Result<void> StoreMigrator::merge_all() {
  std::vector<MergeGroup> groups;
  for (auto& [key, group] : groups_) groups.push_back(std::move(group));
  groups_.clear();
  for (int round = 0; !groups.empty() && round < most_rounds; ++round) {
    auto again = merge_once(std::move(groups));
    if (!again) return again.error();
    groups = *std::move(again);
  }
  for (const MergeGroup& group : groups) log_.not_done(group.key, contended);
  return {};
}

/// Result: the groups that somebody else wrote to in the meantime.
stores::Result<std::vector<MergeGroup>> StoreMigrator::merge_once(std::vector<MergeGroup> groups) {
  std::vector<std::string> keys;
  for (const MergeGroup& group : groups) {
    auto of_group = group.keys();
    std::ranges::move(of_group, std::back_inserter(keys));
  }
  auto held = connection_.get(keys, stores::Connection::WithExpiry::yes);
  if (!held) return held.error();
  hide_others(groups, keys, *held);
  std::span<const Held> rest(*held);
  std::vector<Merge> merges;
  for (MergeGroup& group : groups) {
    const auto of_group = rest.first(group.rule->merge->quotas().size() + 1);
    rest = rest.subspan(of_group.size());
    MergeStep step = plan_merge(group, of_group);
    if (!step.obstacle.empty()) {
      for (const std::string& key : group.taken) log_.not_done(key, step.obstacle);
    } else if (log_.result().dry_run) {
      if (stands_for_all(group, step)) count_whole(group, of_group.front());
      plan_dry(group, step);
      count_repaired(group, step);
    } else if (!step.removals.empty()) {
      tally_parts(group, step);
      count_whole(group, of_group.front());
      merges.push_back({&group, std::move(step)});
    } else if (std::ranges::all_of(of_group.subspan(1), is_absent)) {
      count_repaired(group, step);
    }
  }
  std::vector<MergeGroup> again;
  if (auto set = set_all(merges, again); !set) return set.error();
  if (auto removed = remove_all(merges, again); !removed) return removed.error();
  return again;
}

/// False for what only looks like a part: by the rules, its key can be something else; and for one
/// that was not chosen.
bool StoreMigrator::is_part(const MergeGroup& group, const std::string& key) {
  const Tally::Known known = tally_.known(key);
  if (known.rule != group.rule || !known.part) return false;
  return std::ranges::find(group.taken, key) != group.taken.end() || chosen_.matches(key);
}

/// Clears what is no part of a group.
void StoreMigrator::hide_others(const std::vector<MergeGroup>& groups,
                                const std::vector<std::string>& keys, std::vector<Held>& held) {
  std::size_t at = 0;
  for (const MergeGroup& group : groups) {
    const std::size_t parts = group.rule->merge->quotas().size();
    ++at;  // the key that they become
    for (std::size_t i = 0; i < parts; ++i, ++at) {
      if (!is_part(group, keys[at])) held[at] = {};
    }
  }
}

/// Parts that are deleted may never be given by the scan, and what they become may be given once
/// more; each counts once, as it was found.
void StoreMigrator::tally_parts(MergeGroup& group, const MergeStep& step) {
  if (!scan_repeats_) return;
  for (const stores::Removal& part : step.removals) {
    if (tally_.add_early({.key = part.key, .value = part.expected})) ++group.faulty;
  }
  if (step.change && !step.change->expected) tally_.ignore(step.change->key);
}

/// The key that parts become can lose its findings to them. The scan may give it before or after
/// the merge; it counts once, as it was found.
void StoreMigrator::count_whole(MergeGroup& group, const Held& whole) {
  if (whole.presence != Presence::text || !chosen_.matches(group.key)) return;
  if (std::exchange(group.whole_counted, true)) return;
  if (scan_repeats_ && !log_.result().dry_run)
    tally_.add_early({.key = group.key, .value = whole.value});
  if (!tally_.is_sound(group.key, whole.value)) ++group.faulty;
}

/// Plans the parts of a group without deleting them.
void StoreMigrator::plan_dry(const MergeGroup& group, const MergeStep& step) {
  for (std::size_t i = 0; i < step.removals.size(); ++i) {
    const auto& [key, before] = step.removals[i];
    if (std::ranges::find(group.taken, key) == group.taken.end()) continue;
    log_.merged_part(step.formats[i], {key, before, group.key, step.after});
  }
  if (stands_for_all(group, step)) log_.merged_key();
}

/// The parts are gone: their findings went with them, unless the merged state has some.
void StoreMigrator::count_repaired(const MergeGroup& group, const MergeStep& step) {
  if (group.faulty == 0) return;
  if (step.after.empty() || tally_.is_sound(group.key, step.after)) log_.repaired(group.faulty);
}

/// Leaves in `merges` those whose merged key is as it should be.
stores::Result<void> StoreMigrator::set_all(std::vector<Merge>& merges,
                                            std::vector<MergeGroup>& again) {
  std::vector<stores::Change> changes;
  for (const Merge& merge : merges) {
    if (merge.step.change) changes.push_back(*merge.step.change);
  }
  if (changes.empty()) return {};
  const auto outcomes = connection_.compare_and_set(changes);
  if (!outcomes) return outcomes.error();
  auto outcome = outcomes->begin();
  std::erase_if(merges, [&](const Merge& merge) {
    if (!merge.step.change || *outcome++ == Outcome::done) return false;
    again.push_back(std::move(*merge.group));
    return true;
  });
  return {};
}

stores::Result<void> StoreMigrator::remove_all(std::vector<Merge>& merges,
                                               std::vector<MergeGroup>& again) {
  std::vector<stores::Removal> removals;
  for (const Merge& merge : merges)
    removals.insert(removals.end(), merge.step.removals.begin(), merge.step.removals.end());
  if (removals.empty()) return {};
  const auto outcomes = connection_.compare_and_delete(removals);
  if (!outcomes) return outcomes.error();
  auto outcome = outcomes->begin();
  for (Merge& merge : merges) {
    std::size_t removed = 0;
    for (std::size_t i = 0; i < merge.step.removals.size(); ++i) {
      if (*outcome++ != Outcome::done) continue;
      ++removed;
      auto& [key, before] = merge.step.removals[i];
      log_.merged_part(merge.step.formats[i], {key, before, merge.group->key, merge.step.after});
    }
    if (removed > 0 && !std::exchange(merge.group->counted, true)) log_.merged_key();
    if (removed < merge.step.removals.size()) {
      again.push_back(std::move(*merge.group));
    } else {
      count_repaired(*merge.group, merge.step);
    }
  }
  return {};
}

}  // namespace hallmark::audit
