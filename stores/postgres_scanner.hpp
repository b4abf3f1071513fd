#pragma once
#include "stores/address.hpp"
#include "stores/store.hpp"

namespace hallmark::stores {

/// See `open_scanner`.
Result<std::unique_ptr<Scanner>> open_postgres_scanner(const base::PostgresEndpoint& address,
                                                       const ScanOptions& options,
                                                       const Access& access);

}  // namespace hallmark::stores
