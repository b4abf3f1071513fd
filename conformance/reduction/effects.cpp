#include "conformance/reduction/effects.hpp"

#include <algorithm>
#include <span>

namespace hallmark::conformance {
namespace {

constexpr std::string_view tells_only[] = {"QUERY",  "GET",        "LIST",       "INFO",
                                           "STAT",   "STATS",      "CHANNEL",    "CHANNELS",
                                           "WHOAMI", "CONNECTION", "CONNECTIONS"};
constexpr std::string_view of_records[] = {"STAT", "STATS"};
constexpr std::string_view of_connections[] = {"INFO", "CONNECTION", "CONNECTIONS"};

bool is_one_of(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

bool does_nothing_but_tell(std::string_view operation) { return is_one_of(tells_only, operation); }

bool counts_requests(std::string_view operation) {
  return is_one_of(of_records, operation) || counts_connections(operation);
}

bool counts_connections(std::string_view operation) { return is_one_of(of_connections, operation); }

}  // namespace hallmark::conformance
