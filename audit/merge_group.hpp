#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "audit/migration_result.hpp"
#include "audit/rules.hpp"
#include "stores/store.hpp"

namespace hallmark::audit {

/// The keys that a fixed window had for its quotas, on their way into one.
struct MergeGroup {
  std::string key{};  ///< that they become
  const Rule* rule = nullptr;
  std::vector<std::string> taken{};  ///< keys of parts that the scan gave
  /// Counts the parts, and the key that they become, that had a finding.
  std::uint64_t faulty = 0;
  bool whole_counted = false;  ///< in `faulty`
  bool counted = false;        ///< as merged

  /// The key that they become, then those of all parts that there could be.
  std::vector<std::string> keys() const;
};

/// The work for a group, in this order: the change, then the removals. Whatever comes between, each
/// count is in the merged key or in its part, and repeating all of it is safe.
struct MergeStep {
  std::optional<stores::Change> change{};
  std::vector<stores::Removal> removals{};
  std::vector<FormatSet> formats{};  ///< of what is removed
  std::string after{};               ///< the merged state; empty: there is none
  std::string obstacle{};            ///< why nothing is done; empty: nothing is in the way
};

/// `held`: what the keys of `group.keys()` hold, with expiry.
MergeStep plan_merge(const MergeGroup& group, std::span<const stores::Held> held);

}  // namespace hallmark::audit
