#pragma once
#include <memory>

#include "reference/session/session.hpp"

namespace hallmark::server {

/// A session whose dialect and value width are known at compile time; null for a width that the
/// dialect does not have. Instantiated once per dialect, each in a source file of its own.
template <const protocol::Dialect& D>
std::unique_ptr<Session> make_typed_session(protocol::Width width, const SessionContext& context,
                                            model::Connection& connection);

}  // namespace hallmark::server
