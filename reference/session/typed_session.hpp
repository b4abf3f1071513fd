#pragma once
#include <memory>

#include "reference/session/session.hpp"

namespace hallmark::server {

/// A session whose dialect and value width are known at compile time; null for a width that the
/// dialect does not have, and for a dialect that is not spoken over streams. Instantiated once per
/// dialect, each in a source of its own (session_of_dialect.cpp.in).
template <const protocol::Dialect& D>
std::unique_ptr<Session> make_typed_session(protocol::Width width, const SessionContext& context,
                                            model::Connection& connection);

}  // namespace hallmark::server
