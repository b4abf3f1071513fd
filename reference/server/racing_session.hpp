#pragma once

#include <memory>

#include "reference/server/session.hpp"

namespace hallmark::server {

/// A session that goes wrong with those of other connections, as the mutant that is switched on
/// says (reference/mutants/race_mutants.hpp). Real races need luck; here requests of several
/// connections that come within some milliseconds always meet. Mutants of another kind, and none,
/// leave the session as it is. `inner` is of that width, of the readings and of that connection.
std::unique_ptr<Session> racing(std::unique_ptr<Session> inner, protocol::Width width,
                                const SessionContext& context, const model::Connection& connection);

}  // namespace hallmark::server
