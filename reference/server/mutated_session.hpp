#pragma once

#include "reference/server/session.hpp"

namespace hallmark::server {

/// A session whose requests or replies go wrong as the mutant that is switched on says
/// (reference/mutants): it takes requests apart, hands them on one by one, and spoils what they or
/// their replies hold. Mutants of another kind, and none, leave everything as it is.
/// `inner` is of that width and of the readings.
std::unique_ptr<Session> mutated(std::unique_ptr<Session> inner, protocol::Width width,
                                 const SessionContext& context);

}  // namespace hallmark::server
