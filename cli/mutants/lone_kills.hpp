#pragma once

#include <compare>
#include <functional>
#include <future>
#include <map>
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

/// The cases that fail when the reference has one bug alone. Each bug is played once, when it is
/// first asked for. For several threads.
class LoneKills {
 public:
  /// Plays a bug alone. Nothing: it was interrupted.
  using Play = std::function<std::optional<CaseIds>()>;

  /// Takes the kills of a file: of what `mutants run --json` or `mutants localize --json` writes.
  /// A later file overrides an earlier one. Must not be called while others ask.
  /// Error: the text is not such a file.
  base::Result<void> read(std::string_view text);

  /// The cases that kill the bug. If nobody has asked before, `play` finds out; who asks meanwhile
  /// waits for it. Nothing: it was interrupted.
  std::optional<CaseIds> of(const BugPlace& place, const Play& play);

  /// True if the kills of the bug are known. Not while others ask.
  bool knows(const BugPlace& place) const { return answers_.contains(place); }

  /// All kills that are known, as the list `mutants` of those files. Not while others ask.
  base::Json json() const;

 private:
  using Answer = std::shared_future<std::optional<CaseIds>>;

  std::mutex mutex_;
  std::map<BugPlace, Answer> answers_;
};

}  // namespace hallmark::cli
