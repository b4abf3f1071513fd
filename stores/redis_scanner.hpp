#pragma once
#include "stores/address.hpp"
#include "stores/store.hpp"

namespace hallmark::stores {

/// See `open_scanner`.
Result<std::unique_ptr<Scanner>> open_redis_scanner(const base::RedisEndpoint& address,
                                                    const ScanOptions& options,
                                                    std::chrono::milliseconds timeout);

}  // namespace hallmark::stores
