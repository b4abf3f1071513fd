#pragma once
#include "stores/address.hpp"
#include "stores/store.hpp"

namespace hallmark::stores {

/// See `connect`.
Result<std::unique_ptr<Connection>> connect_redis(const base::RedisEndpoint& address,
                                                  std::chrono::milliseconds timeout);

}  // namespace hallmark::stores
