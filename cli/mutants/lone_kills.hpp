#pragma once

#include <compare>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/json.hpp"

namespace hallmark::cli {

/// A bug in a dialect at a width, by their names.
struct BugPlace {
  std::string bug;
  std::string dialect;
  std::string width;  ///< "none" where the dialect has no widths
  auto operator<=>(const BugPlace&) const = default;
};

/// Ids of cases.
using CaseIds = std::set<std::string>;

/// Keeps what is known of the cases that fail with a bug alone.
struct Kills {
  CaseIds killed_by;
  /// The cases that were played with it alone. Nothing: all of them.
  std::optional<CaseIds> tried = CaseIds();
};

/// Plays a bug alone. What it returns was found out now; nothing: it was interrupted.
class LonePlayer {
 public:
  virtual ~LonePlayer() = default;
  /// A few cases, those that most likely find the bug.
  virtual std::optional<Kills> play_likely() = 0;
  /// These cases. Ids that are of no case count as tried.
  virtual std::optional<Kills> play(const CaseIds& ids) = 0;
  virtual std::optional<Kills> play_all() = 0;
};

/// The cases that fail when the reference has one bug alone. No more is played than is asked for,
/// and nothing twice. For several threads.
class LoneKills {
 public:
  /// Takes the kills of a file: of what `mutants run --json` or `mutants localize --json` writes.
  /// A later file overrides an earlier one. Must not be called while others ask.
  /// Error: the text is not such a file.
  base::Result<void> read(std::string_view text);

  /// Tells whether a case finds the bug. Nothing, here and below: it was interrupted.
  std::optional<bool> is_found(const BugPlace& place, LonePlayer& player);
  /// Those of the cases that kill the bug.
  std::optional<CaseIds> among(const BugPlace& place, const CaseIds& ids, LonePlayer& player);
  /// All cases that kill the bug.
  std::optional<CaseIds> all(const BugPlace& place, LonePlayer& player);

  /// True if something is known of the bug. Not while others ask.
  bool knows(const BugPlace& place) const { return known_.contains(place); }

  /// All that is known, as the list `mutants` of those files. Not while others ask.
  base::Json json() const;

 private:
  struct Entry {
    std::mutex mutex;  ///< is held while the bug is played
    Kills kills;
  };

  Entry& entry_of(const BugPlace& place);

  std::mutex mutex_;
  std::map<BugPlace, std::unique_ptr<Entry>> known_;
};

}  // namespace hallmark::cli
