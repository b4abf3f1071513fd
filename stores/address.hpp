#pragma once
#include "base/endpoint.hpp"

namespace hallmark::stores {

/// The place of a store: Redis, PostgreSQL or a file. `base::parse_endpoint<Address>` reads it.
using Address = std::variant<base::RedisEndpoint, base::PostgresEndpoint, base::FileEndpoint>;

}  // namespace hallmark::stores
