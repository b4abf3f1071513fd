#pragma once
#include <memory>

#include "reference/server/session.hpp"

namespace hallmark::server {

/// A session whose value width is known at compile time. Instantiated once per width, each in a
/// source file of its own.
template <protocol::Width W>
std::unique_ptr<Session> make_typed_session(const SessionContext& context,
                                            model::Connection& connection);

}  // namespace hallmark::server
