#pragma once
#include <map>
#include <optional>

#include "audit/migration_log.hpp"
#include "audit/tally.hpp"
#include "base/glob.hpp"
#include "stores/file_edit.hpp"

namespace hallmark::audit {

/// The most keys that merges of one run over a file make; further merges wait for the next run.
inline constexpr std::size_t most_merged_keys_of_file = 1'000'000;

/// Migrates a file of states into a new one that takes its place: once while it is audited, to see
/// which keys are merged, then again to write.
class FileMigrator {
 public:
  /// Opens the file for editing unless `dry_run`. `tally` knows the rules and outlives this.
  static stores::Result<FileMigrator> open(const base::FileEndpoint& address,
                                           const stores::ScanOptions& options, Tally& tally,
                                           bool dry_run);

  /// Takes an entry of the first reading.
  void take(const stores::Entry& entry, const Checked& checked);

  /// Reads the file again and puts the new one in its place; not when nothing has changed. `stop`:
  /// asked now and then; when it says so, the file stays as it is, and the result is false. So it
  /// does after an error; what was done is nothing then.
  stores::Result<bool> finish(const std::function<bool()>& stop);

  const MigrationResult& result() const { return log_.result(); }

 private:
  struct Merged {
    const Rule* rule = nullptr;
    model::FixedWindowState state{};
    std::uint64_t parts = 0;
    bool has_line = false;  ///< the key that it becomes has a line already
    std::string text{};     ///< the new text of that key
    bool is_sound = false;  ///< that has no finding
    std::string obstacle{};
  };

  FileMigrator(const base::FileEndpoint& address, const stores::ScanOptions& options, Tally& tally,
               bool dry_run)
      : address_(address), options_(options), chosen_(options.match), tally_(tally), log_(dry_run) {
    options_.match = "*";  // what a merge makes can be a key that was not asked for
  }

  template <class Visit>
  stores::Result<bool> for_each(const std::function<bool()>& stop, const Visit& visit);
  void take_part(const stores::Entry& entry);
  void take_whole(const stores::Entry& entry);
  void decide();
  stores::Result<bool> rewrite(const std::function<bool()>& stop);
  stores::Result<void> edit(const stores::Entry& entry);
  stores::Result<void> edit_part(const stores::Entry& entry, const Checked& checked);

  base::FileEndpoint address_;
  stores::ScanOptions options_;
  base::Glob chosen_;
  Tally& tally_;
  MigrationLog log_;
  std::optional<stores::FileEdit> edit_{};
  std::map<std::string, Merged, std::less<>> merged_{};
  bool anything_ = false;
};

}  // namespace hallmark::audit
