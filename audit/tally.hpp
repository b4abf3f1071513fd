#pragma once
#include <functional>

#include "audit/key_set.hpp"
#include "audit/result.hpp"
#include "audit/rules.hpp"
#include "stores/store.hpp"

namespace hallmark::audit {

struct TallyOptions {
  Limits limits{};
  std::size_t most_examples = 5;  ///< of each kind
  Rewriting rewriting = Rewriting::yes;
  /// The number of keys that are remembered so that each is counted once. 0 remembers none: no key
  /// is given twice.
  std::size_t remembered = 0;
};

/// Receives each finding, as long as it lasts.
using FindingSink =
    std::function<void(std::string_view key, std::string_view text, const Finding& finding)>;

/// Checks entries one after another and counts what it finds. Memory: what is remembered of keys,
/// and a bounded number of groups and examples.
class Tally {
 public:
  /// `rules` outlives this.
  Tally(const TallyOptions& options, Rules& rules, FindingSink sink = {});

  /// Room for about so many keys.
  void expect(std::uint64_t entries) { seen_.expect(entries); }

  /// Counts an entry. Returns its findings, or null if its key was given before, or if it holds no
  /// text or is expired. The result is valid until the next call.
  const Checked* add(const stores::Entry& entry);

  /// An entry that the scan may or may not come to; counted unless it was. Only where keys are
  /// remembered. Returns true if it was counted now, and has a finding.
  bool add_early(const stores::Entry& entry);
  /// A key that is not to be counted when the scan gives it; only where keys are remembered.
  void ignore(std::string_view key) { seen_.insert(key); }

  /// Checks without counting.
  const Checked& check(std::string_view key, std::string_view text);
  /// True if the text has no finding under that key.
  bool is_sound(std::string_view key, std::string_view text) {
    return check(key, text).findings.empty();
  }

  /// The rule for a key, and the part that it is by that rule; no part of a key that has to hold
  /// something else.
  struct Known {
    const Rule* rule = nullptr;
    std::optional<MergePattern::Part> part{};
  };
  Known known(std::string_view key) const;

  /// The counts until now, without duration and end.
  AuditResult result() const;
  std::uint64_t entries() const { return result_.entries; }
  std::uint64_t faulty() const { return result_.faulty; }

 private:
  const Checked* count(const stores::Entry& entry);
  void no_text(const stores::Entry& entry);
  void count_format();
  void count_evidence();
  void count_left(std::string_view key);
  void count_findings(std::string_view key, std::string_view text);
  void count_group(KindResult& kind, const Finding& finding);

  TallyOptions options_;
  Rules& rules_;
  FindingSink sink_;
  Checker checker_;
  KeySet seen_;
  Checked checked_;
  AuditResult result_;
  std::array<FormatResult, 32>
      by_format_{};  ///< of strings of one format: the usual case, without a search
  std::array<std::uint64_t, 6> evidence_{};
};

}  // namespace hallmark::audit
