#pragma once
#include "stores/address.hpp"
#include "stores/store.hpp"

namespace hallmark::stores {

/// See `connect`.
Result<std::unique_ptr<Connection>> connect_postgres(const base::PostgresEndpoint& address,
                                                     const Access& access);

}  // namespace hallmark::stores
