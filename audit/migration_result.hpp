#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "audit/format_set.hpp"

namespace hallmark::audit {

/// One string before and after; of a merge the text of one part and of what it became.
struct Rewritten {
  std::string key{};
  std::string before{};
  std::string after_key{};  ///< of a merge: where it went; else empty
  std::string after{};
};

/// An entry that was not migrated though it should have been.
struct NotDone {
  std::string key{};
  std::string reason{};
};

/// The effects of a migration, done or planned.
struct MigrationResult {
  bool dry_run = false;
  std::map<FormatSet, std::uint64_t> rewritten{};  ///< by the format before; parts of merges too
  std::uint64_t merged_keys = 0;                   ///< keys that parts were put into
  std::uint64_t merged_parts = 0;                  ///< keys of parts that went
  /// Somebody else had written in the meantime: already current, or gone.
  std::uint64_t overtaken = 0;
  /// Entries with findings that were rewritten, merged or overtaken, and have none any more.
  std::uint64_t repaired = 0;
  std::uint64_t not_done = 0;
  std::vector<Rewritten> examples{};      ///< the first of each format
  std::vector<NotDone> not_done_first{};  ///< the first few
};

}  // namespace hallmark::audit
