#include "loadgen/workload/operations.hpp"

namespace hallmark::loadgen {
namespace {

using protocol::Change;

constexpr LoadOperation known[] = {
    {"insert", "INSERT", KeySpace::inserted, false},
    {"query", "QUERY", KeySpace::counters, true},
    {"update", "UPDATE", KeySpace::counters, true},
    // Refused at the ends of the range of quotas.
    {"increase", "UPDATE", KeySpace::counters, false, Change::increase},
    {"decrease", "UPDATE", KeySpace::counters, false, Change::decrease},
    {"purge", "PURGE", KeySpace::inserted, false},
    {"set", "SET", KeySpace::buffers, true},
    {"get", "GET", KeySpace::buffers, true},
    {"list", "LIST", KeySpace::none, true},
    {"info", "INFO", KeySpace::none, true},
    {"stat", "STAT", KeySpace::counters, true},
    {"stats", "STATS", KeySpace::none, true},
    {"subscribe", "SUBSCRIBE", KeySpace::none, false},
    {"unsubscribe", "UNSUBSCRIBE", KeySpace::none, false},
    {"publish", "PUBLISH", KeySpace::none, false},
    {"connections", "CONNECTIONS", KeySpace::none, true},
    // Asks for an id that no connection has: a valid request whose answer is a failure.
    {"connection", "CONNECTION", KeySpace::none, false},
    {"channels", "CHANNELS", KeySpace::none, true},
    {"channel", "CHANNEL", KeySpace::none, false},
    {"whoami", "WHOAMI", KeySpace::none, true},
};

}  // namespace

char letter_of(KeySpace space) {
  switch (space) {
    case KeySpace::none: return '-';
    case KeySpace::counters: return 'c';
    case KeySpace::buffers: return 'b';
    case KeySpace::inserted: return 'i';
  }
  return '-';
}

std::vector<LoadOperation> load_operations(const protocol::Dialect& dialect) {
  std::vector<LoadOperation> found;
  for (const LoadOperation& operation : known) {
    if (protocol::find_operation(dialect, operation.operation) != nullptr)
      found.push_back(operation);
  }
  return found;
}

std::vector<std::string_view> mix_names(std::span<const LoadOperation> operations) {
  std::vector<std::string_view> names;
  for (const LoadOperation& operation : operations) names.push_back(operation.name);
  return names;
}

}  // namespace hallmark::loadgen
