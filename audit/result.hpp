#pragma once
#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "audit/checker.hpp"

namespace hallmark::audit {

/// A finding with the entry that it is about.
struct Example {
  std::string key{};
  std::string text{};     ///< at most `longest_shown` bytes of it, as `excerpt_of` cuts them
  std::size_t begin = 0;  ///< their offset in the whole text
  Finding finding{};
};

/// Findings that say the same.
struct FindingGroup {
  std::string field{};
  std::string reason{};
  std::uint64_t count = 0;
};

/// All findings of one kind.
struct KindResult {
  std::uint64_t count = 0;
  std::vector<FindingGroup> groups{};
  std::uint64_t ungrouped = 0;  ///< beyond the most groups that are kept
  std::vector<Example> examples{};
};

/// Entries of one format, by what a migration makes of them.
struct FormatResult {
  std::uint64_t count = 0;
  std::uint64_t rewrite = 0;
  std::uint64_t merge = 0;
  std::uint64_t left = 0;
};

/// The number of strings that only this answer to this reading could have written.
struct ReadingResult {
  std::string reading{};
  std::string answer{};
  std::uint64_t count = 0;
};

/// Why entries that hold a state cannot be migrated.
struct LeftResult {
  std::uint64_t count = 0;
  std::string example_key{};
  std::string example_reason{};
};

/// The outcome of an audit.
struct AuditResult {
  std::uint64_t entries = 0;  ///< that were checked, each once
  std::uint64_t states = 0;   ///< of these, states
  std::uint64_t expired = 0;  ///< rows whose time is over, not checked
  std::uint64_t seen_again =
      0;              ///< given by the scan though they had been counted, or were made by a merge
  bool exact = true;  ///< false: a key given twice may have been counted twice
  std::uint64_t faulty = 0;  ///< entries with a finding
  std::map<FormatSet, FormatResult> formats{};
  std::array<KindResult, kinds> found{};
  std::vector<ReadingResult> readings{};
  std::map<model::Obstacle, LeftResult> left{};
  std::vector<std::string> unused_rules{};  ///< patterns of the configuration that no key matched
  std::chrono::nanoseconds duration{0};
  bool interrupted = false;
  std::string error{};  ///< why the scan ended early; empty: it did not
  bool lost = false;    ///< of `error`: the connection to the store broke

  const KindResult& of(Kind kind) const { return found[static_cast<std::size_t>(kind)]; }
};

/// "malformed", "ambiguous", "no-quota", "unwritable".
std::string_view name_of(model::Obstacle obstacle);

}  // namespace hallmark::audit
