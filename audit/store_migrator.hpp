#pragma once
#include <unordered_map>

#include "audit/merge_group.hpp"
#include "audit/migration_log.hpp"
#include "audit/tally.hpp"
#include "base/glob.hpp"

namespace hallmark::audit {

/// Migrates entries of Redis and PostgreSQL, a batch at a time, each key by one compare-and-set.
/// Changes that somebody else wrote in the meantime are read again, and stay if they are current.
class StoreMigrator {
 public:
  /// `tally` knows the rules. All outlive this. `chosen`: keys that match are migrated.
  /// `scan_repeats`: parts that go before the scan came to them are counted by `tally` here.
  StoreMigrator(stores::Connection& connection, Tally& tally, base::Glob chosen, bool dry_run,
                bool scan_repeats)
      : connection_(connection),
        tally_(tally),
        chosen_(std::move(chosen)),
        log_(dry_run),
        scan_repeats_(scan_repeats) {}

  /// An entry that was checked; what is to be done with it waits for `flush`.
  void take(const stores::Entry& entry, const Checked& checked);

  /// Does what was taken. After an error, what was done is not known of the last batch: running
  /// again is safe.
  stores::Result<void> flush();

  const MigrationResult& result() const { return log_.result(); }

 private:
  struct Rewrite {
    stores::Change change;
    FormatSet formats;
    bool faulty;  ///< it was counted with a finding
  };
  struct Merge {
    MergeGroup* group;
    MergeStep step;
  };

  void take(std::string_view key, std::string_view text, const Checked& checked, bool faulty);
  stores::Result<void> rewrite_all();
  stores::Result<void> look_again(std::span<const Rewrite> overtaken);
  void take_again(const Rewrite& overtaken, const stores::Held& held);
  stores::Result<void> merge_all();
  stores::Result<std::vector<MergeGroup>> merge_once(std::vector<MergeGroup> groups);
  void hide_others(const std::vector<MergeGroup>& groups, const std::vector<std::string>& keys,
                   std::vector<stores::Held>& held);
  bool is_part(const MergeGroup& group, const std::string& key);
  void tally_parts(MergeGroup& group, const MergeStep& step);
  void count_whole(MergeGroup& group, const stores::Held& whole);
  void plan_dry(const MergeGroup& group, const MergeStep& step);
  void count_repaired(const MergeGroup& group, const MergeStep& step);
  stores::Result<void> set_all(std::vector<Merge>& merges, std::vector<MergeGroup>& again);
  stores::Result<void> remove_all(std::vector<Merge>& merges, std::vector<MergeGroup>& again);

  stores::Connection& connection_;
  Tally& tally_;
  base::Glob chosen_;
  MigrationLog log_;
  bool scan_repeats_;
  std::vector<Rewrite> rewrites_;
  std::unordered_map<std::string, MergeGroup> groups_;
};

}  // namespace hallmark::audit
