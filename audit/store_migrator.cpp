#include "audit/store_migrator.hpp"

#include <algorithm>

namespace hallmark::audit {
namespace {

using stores::Held;
using stores::Outcome;
using stores::Presence;

/// So often a key that others write to is tried.
constexpr int most_rounds = 10;
constexpr std::string_view contended = "was written by others each time; run again";

}  // namespace

void StoreMigrator::take(const stores::Entry& entry, const Checked& checked) {
  take(entry.key, entry.value, checked);
}

void StoreMigrator::take(std::string_view key, std::string_view text, const Checked& checked) {
  if (checked.plan == Plan::rewrite) {
    rewrites_.push_back({{.key = std::string(key),
                          .expected = std::string(text),
                          .desired = checked.rewritten,
                          .expiry = stores::Expiry::keep()},
                         checked.formats});
  } else if (checked.plan == Plan::merge) {
    const auto known = tally_.known(key);
    auto [at, added] = groups_.try_emplace(std::string(known.part->key));
    if (added) at->second = {.key = at->first, .rule = known.rule};
    at->second.taken.emplace_back(key);
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
    std::vector<std::string> again;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      auto& change = changes[i];
      if (outcomes[i] == Outcome::done) {
        log_.rewritten(some[i].formats,
                       {change.key, *change.expected, "", std::move(change.desired)});
      } else {
        again.push_back(std::move(change.key));
      }
    }
    if (auto looked = look_again(again); !looked) return looked;
  }
  for (const Rewrite& one : std::exchange(rewrites_, {})) log_.not_done(one.change.key, contended);
  return {};
}

stores::Result<void> StoreMigrator::look_again(const std::vector<std::string>& keys) {
  if (keys.empty()) return {};
  const auto held = connection_.get(keys, stores::Connection::WithExpiry::no);
  if (!held) return held.error();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Held& one = (*held)[i];
    const bool is_text = one.presence == Presence::text;
    const Checked* const checked = is_text ? &tally_.check(keys[i], one.value) : nullptr;
    if (checked == nullptr || checked->plan == Plan::current) {
      log_.overtaken();
    } else if (checked->plan == Plan::left) {
      log_.not_done(keys[i], checked->obstacle->where.reason);
    } else {
      take(keys[i], one.value, *checked);
    }
  }
  return {};
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
    const std::size_t count = group.rule->merge->quotas().size() + 1;
    MergeStep step = plan_merge(group, rest.first(count));
    rest = rest.subspan(count);
    if (!step.obstacle.empty()) {
      for (const std::string& key : group.taken) log_.not_done(key, step.obstacle);
    } else if (log_.result().dry_run) {
      plan_dry(group, step);
    } else if (!step.removals.empty()) {
      tally_parts(step);
      merges.push_back({&group, std::move(step)});
    }
  }
  std::vector<MergeGroup> again;
  if (auto set = set_all(merges, again); !set) return set.error();
  if (auto removed = remove_all(merges, again); !removed) return removed.error();
  return again;
}

/// Clears what only looks like a part: by the rules, its key can be something else.
void StoreMigrator::hide_others(const std::vector<MergeGroup>& groups,
                                const std::vector<std::string>& keys, std::vector<Held>& held) {
  std::size_t at = 0;
  for (const MergeGroup& group : groups) {
    const std::size_t parts = group.rule->merge->quotas().size();
    ++at;  // the key that they become
    for (std::size_t i = 0; i < parts; ++i, ++at) {
      const Tally::Known known = tally_.known(keys[at]);
      if (known.rule != group.rule || !known.part) held[at] = {};
    }
  }
}

/// Parts that are deleted may never be given by the scan, and what they become may be given once
/// more; each counts once, as it was found.
void StoreMigrator::tally_parts(const MergeStep& step) {
  if (!scan_repeats_) return;
  for (const stores::Removal& part : step.removals) {
    tally_.add_early({.key = part.key, .value = part.expected});
  }
  if (step.change && !step.change->expected) tally_.ignore(step.change->key);
}

/// Plans the parts of a group without deleting them. The group therefore comes back with each of
/// its parts, and the first one stands for all.
void StoreMigrator::plan_dry(const MergeGroup& group, const MergeStep& step) {
  for (std::size_t i = 0; i < step.removals.size(); ++i) {
    const auto& [key, before] = step.removals[i];
    if (std::ranges::find(group.taken, key) == group.taken.end()) continue;
    log_.merged_part(step.formats[i], {key, before, group.key, step.after});
    if (i == 0) log_.merged_key();
  }
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
    if (removed < merge.step.removals.size()) again.push_back(std::move(*merge.group));
  }
  return {};
}

}  // namespace hallmark::audit
