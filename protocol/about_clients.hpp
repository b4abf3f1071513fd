#pragma once

#include "protocol/dialect.hpp"

namespace hallmark::protocol {

/// True if the clause obliges those who ask a server, and not the server: no case of `certify` can
/// test it, `certify-client` does.
constexpr bool about_clients(const Clause& clause) { return clause.id.starts_with("client."); }

}  // namespace hallmark::protocol
