#pragma once
#include "base/endpoint.hpp"

namespace hallmark::base {

/// Read what follows the scheme. Error: what is wrong, without the text.
Result<Endpoint> parse_redis(std::string_view rest, Ports ports);
Result<Endpoint> parse_redis_unix(std::string_view rest, Ports ports);
Result<Endpoint> parse_postgres(std::string_view rest, Ports ports);
Result<Endpoint> parse_postgresql(std::string_view rest, Ports ports);

}  // namespace hallmark::base
