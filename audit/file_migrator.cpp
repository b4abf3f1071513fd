#include "audit/file_migrator.hpp"

#include <fmt/format.h>

namespace hallmark::audit {
namespace {

using stores::Entry;
using stores::EntryKind;

model::StateRead<protocol::state::Parsed> parse_window(std::string_view text) {
  return model::parse_stored(text, {.strategy = "fixed-window"});
}

}  // namespace

stores::Result<FileMigrator> FileMigrator::open(const base::FileEndpoint& address,
                                                const stores::ScanOptions& options, Tally& tally,
                                                bool dry_run) {
  FileMigrator made(address, options, tally, dry_run);
  if (!dry_run) {
    // Before the first reading: what others change from then on is found out in the end.
    auto edit = stores::FileEdit::open(address.path);
    if (!edit) return edit.error();
    made.edit_ = *std::move(edit);
  }
  return made;
}

void FileMigrator::take(const Entry& entry, const Checked& checked) {
  anything_ |= checked.plan == Plan::rewrite;
  if (checked.plan == Plan::merge) take_part(entry);
}

void FileMigrator::take_part(const Entry& entry) {
  const auto known = tally_.known(entry.key);
  auto found = merged_.find(known.part->key);
  if (found == merged_.end()) {
    if (merged_.size() == most_merged_keys_of_file) return;
    found = merged_.emplace(std::string(known.part->key), Merged{.rule = known.rule}).first;
  }
  const auto parsed = parse_window(entry.value);
  merge(found->second.state, *model::fixed_window_of(*parsed, known.part->quota),
        known.rule->merge->quotas());
  ++found->second.parts;
}

void FileMigrator::take_whole(const Entry& entry) {
  const auto found = merged_.find(entry.key);
  if (found == merged_.end()) return;
  Merged& merged = found->second;
  if (entry.kind != EntryKind::text) {
    merged.obstacle = "is a line that is too long";
    return;
  }
  if (std::exchange(merged.has_line, true)) {
    merged.obstacle = "has several lines";
    return;
  }
  const auto parsed = parse_window(entry.value);
  if (!parsed) {
    merged.obstacle = fmt::format("is no fixed window: {}", parsed.error().reason);
    return;
  }
  const auto state = model::fixed_window_of(*parsed, merged.rule->whole.quota);
  if (!state) {
    merged.obstacle = state.error().where.reason;
    return;
  }
  merge(merged.state, *state, merged.rule->merge->quotas());
}

void FileMigrator::decide() {
  for (auto& [key, merged] : merged_) {
    auto text = model::checked_text_of(merged.state);
    if (text) {
      merged.text = *std::move(text);
    } else if (merged.obstacle.empty()) {
      merged.obstacle = fmt::format("would have {}", text.error().where.reason);
    }
    if (!merged.obstacle.empty()) {
      merged.obstacle = fmt::format("what it becomes, {}, {}", key, merged.obstacle);
      continue;
    }
    merged.is_sound = tally_.is_sound(key, merged.text);
    anything_ = true;
    log_.merged_key();
  }
}

template <class Visit>
stores::Result<bool> FileMigrator::for_each(const std::function<bool()>& stop, const Visit& visit) {
  auto scanner = stores::open_scanner(address_, options_);
  if (!scanner) return scanner.error();
  while (true) {
    const auto entries = (*scanner)->next();
    if (!entries) return entries.error();
    if (entries->empty()) return true;
    if (stop && stop()) return false;
    for (const Entry& entry : *entries) {
      if (stores::Result<void> visited = visit(entry); !visited) return visited.error();
    }
  }
}

stores::Result<void> FileMigrator::edit_part(const Entry& entry, const Checked& checked) {
  const auto found = merged_.find(tally_.known(entry.key).part->key);
  if (found == merged_.end()) {
    log_.not_done(entry.key, "too many keys become of merges in one run; run again");
    return {};
  }
  const Merged& merged = found->second;
  if (!merged.obstacle.empty()) {
    log_.not_done(entry.key, merged.obstacle);
    return {};
  }
  log_.merged_part(checked.formats,
                   {std::string(entry.key), std::string(entry.value), found->first, merged.text});
  if (!checked.findings.empty() && merged.is_sound) log_.repaired();
  return edit_ ? edit_->drop(entry) : stores::Result<void>();
}

stores::Result<void> FileMigrator::edit(const Entry& entry) {
  if (entry.kind != EntryKind::text) return {};
  const auto found = merged_.find(entry.key);
  const bool takes_parts = found != merged_.end() && found->second.obstacle.empty();
  const bool chosen = chosen_.matches(entry.key);
  if (!takes_parts && !chosen) return {};
  const Checked& checked = tally_.check(entry.key, entry.value);
  if (checked.plan == Plan::merge) return edit_part(entry, checked);
  if (checked.plan != Plan::rewrite && !takes_parts) return {};
  const std::string text = takes_parts ? found->second.text : checked.rewritten;
  if (text == entry.value) return {};
  if (checked.plan == Plan::rewrite)
    log_.rewritten(checked.formats, {std::string(entry.key), std::string(entry.value), "", text});
  const bool was_counted_faulty = chosen && !checked.findings.empty();
  if (was_counted_faulty && tally_.is_sound(entry.key, text)) log_.repaired();
  return edit_ ? edit_->replace(entry, text) : stores::Result<void>();
}

stores::Result<bool> FileMigrator::finish(const std::function<bool()>& stop) {
  const auto done = rewrite(stop);
  if ((!done || !*done) && edit_) log_ = MigrationLog(false);
  return done;
}

stores::Result<bool> FileMigrator::rewrite(const std::function<bool()>& stop) {
  if (!merged_.empty()) {
    const auto whole = for_each(stop, [&](const Entry& entry) {
      take_whole(entry);
      return stores::Result<void>();
    });
    if (!whole || !*whole) return whole;
    decide();
  }
  const auto done = for_each(stop, [&](const Entry& entry) { return edit(entry); });
  if (!done || !*done || !edit_ || !anything_) return done;
  for (const auto& [key, merged] : merged_) {
    if (merged.has_line || !merged.obstacle.empty()) continue;
    if (auto appended = edit_->append(key, merged.text); !appended) return appended.error();
  }
  if (auto committed = edit_->commit(); !committed) return committed.error();
  return true;
}

}  // namespace hallmark::audit
