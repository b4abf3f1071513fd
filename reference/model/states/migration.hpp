#pragma once

#include "reference/model/states/stored_state.hpp"

/// Old strings to current ones. Nothing is lost but what today's configuration says: capacities,
/// rates, durations, intervals and limits of version 1.
namespace hallmark::model {

/// The facts that the strings themselves do not tell; empty if unknown.
struct MigrationHints {
  protocol::state::Taken taken = {};
  /// Names of the quotas that versions 1 and 2 of a fixed window are about.
  std::string_view quota = {};
  std::string_view primary_quota = {};
  std::string_view secondary_quota = {};
};

/// Why a string is left as it is.
enum class Obstacle : std::uint8_t {
  malformed,   ///< no state, or none of the strategy that was given
  ambiguous,   ///< fits several strategies; the configuration has to say which
  quota,       ///< a fixed window that does not say of which quota
  unwritable,  ///< today's format cannot hold it: no quotas or too many, a part with a `$`
};

struct NotMigrated {
  Obstacle obstacle = Obstacle::malformed;
  protocol::Malformed where{};
};

[[noreturn]] inline void throw_error(const NotMigrated& error) { throw_error(error.where); }

template <class T>
using MigrationResult = base::Expected<T, NotMigrated>;

/// The canonical text in the current format of the strategy; of a current and canonical string the
/// same text.
MigrationResult<std::string> migrate(std::string_view text, const MigrationHints& hints = {});

/// Like `migrate` above, for a string that `parse_stored` has read with `hints.taken`.
MigrationResult<std::string> migrate(const protocol::state::Parsed& parsed,
                                     const MigrationHints& hints);

/// A fixed window of any version. `quota`: the name of the quota, which versions before 3 do not
/// tell.
MigrationResult<FixedWindowState> fixed_window_of(const protocol::state::Parsed& parsed,
                                                  std::string_view quota);

/// Takes one state into another. Of a quota that both have, the one that started later stands; of
/// two that started at once, the larger count: merging again what was merged changes nothing. The
/// quotas of `order` come first, in that order.
void merge(FixedWindowState& into, const FixedWindowState& from,
           std::span<const std::string> order);

/// `text_of`, for a state that may have too few or too many quotas.
MigrationResult<std::string> checked_text_of(const FixedWindowState& state);

}  // namespace hallmark::model
