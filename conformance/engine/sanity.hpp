#pragma once

#include "conformance/drivers/stream/player.hpp"

namespace hallmark::conformance {

/// The first and the last case of a run: INSERT, QUERY and PURGE of one key on a new connection. If
/// the first fails, the run trusts no fence and waits less. Every failure then names what seems to
/// be wrong with the target as a whole, such as another width.
reports::CaseResult sanity_before(RunContext& context, const std::string& prefix);
reports::CaseResult sanity_after(RunContext& context, const std::string& prefix);

/// A record stored at the width that is served, asked for as if it were that of the format: fails,
/// and shows the difference.
reports::CaseResult sanity_in_width(RunContext& context, const std::string& id,
                                    protocol::Width served);

/// The width at which the target answers as it should; nothing when it does at none.
std::optional<protocol::Width> served_width(RunContext& context);

}  // namespace hallmark::conformance
