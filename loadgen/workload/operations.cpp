#include "loadgen/workload/operations.hpp"

namespace hallmark::loadgen {
namespace {

using protocol::Change;

constexpr LoadOperation known[] = {
    {"insert", "insert", KeySpace::inserted, false},
    {"query", "query", KeySpace::counters, true},
    {"update", "update", KeySpace::counters, true},
    // Refused at the ends of the range of quotas.
    {"increase", "update", KeySpace::counters, false, Change::increase},
    {"decrease", "update", KeySpace::counters, false, Change::decrease},
    {"purge", "purge", KeySpace::inserted, false},
    {"set", "set", KeySpace::buffers, true},
    {"get", "get", KeySpace::buffers, true},
    {"list", "list", KeySpace::none, true},
    {"info", "info", KeySpace::none, true},
    {"stat", "stat", KeySpace::counters, true},
    {"stats", "stats", KeySpace::none, true},
    {"subscribe", "subscribe", KeySpace::none, false},
    {"unsubscribe", "unsubscribe", KeySpace::none, false},
    {"publish", "publish", KeySpace::none, false},
    {"connections", "connections", KeySpace::none, true},
    // Asks for an id that no connection has: a valid request whose answer is a failure.
    {"connection", "connection", KeySpace::none, false},
    {"channels", "channels", KeySpace::none, true},
    {"channel", "channel", KeySpace::none, false},
    {"whoami", "whoami", KeySpace::none, true},
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
