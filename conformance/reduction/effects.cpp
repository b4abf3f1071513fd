#include "conformance/reduction/effects.hpp"

#include <algorithm>
#include <span>

namespace hallmark::conformance {
namespace {

constexpr protocol::MessageName tells_only[] = {"QUERY",  "GET",        "LIST",       "INFO",
                                                "STAT",   "STATS",      "CHANNEL",    "CHANNELS",
                                                "WHOAMI", "CONNECTION", "CONNECTIONS"};
constexpr protocol::MessageName of_records[] = {"STAT", "STATS"};
constexpr protocol::MessageName of_connections[] = {"INFO", "CONNECTION", "CONNECTIONS"};

bool is_one_of(std::span<const protocol::MessageName> names, protocol::MessageName name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

bool does_nothing_but_tell(protocol::MessageName operation) {
  return is_one_of(tells_only, operation);
}

bool counts_requests(protocol::MessageName operation) {
  return is_one_of(of_records, operation) || counts_connections(operation);
}

bool counts_connections(protocol::MessageName operation) {
  return is_one_of(of_connections, operation);
}

}  // namespace hallmark::conformance
