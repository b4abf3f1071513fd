#include "loadgen/operations.hpp"

namespace hallmark::loadgen {
namespace {

constexpr LoadOperation known[] = {
    {"insert", KeySpace::inserted, false},
    {"query", KeySpace::counters, true},
    {"update", KeySpace::counters, true},
    {"purge", KeySpace::inserted, false},
    {"set", KeySpace::set, false},
    {"get", KeySpace::buffers, true},
    {"list", KeySpace::none, true},
    {"info", KeySpace::none, true},
    {"stat", KeySpace::counters, true},
    {"stats", KeySpace::none, true},
    {"subscribe", KeySpace::none, false},
    {"unsubscribe", KeySpace::none, false},
    {"publish", KeySpace::none, false},
    {"connections", KeySpace::none, true},
    // Asks for an id that no connection has: a valid request whose answer is a failure.
    {"connection", KeySpace::none, false},
    {"channels", KeySpace::none, true},
    {"channel", KeySpace::none, false},
    {"whoami", KeySpace::none, true},
};

}  // namespace

char letter_of(KeySpace space) {
  switch (space) {
    case KeySpace::none: return '-';
    case KeySpace::counters: return 'c';
    case KeySpace::buffers: return 'b';
    case KeySpace::inserted: return 'i';
    case KeySpace::set: return 's';
  }
  return '-';
}

std::vector<LoadOperation> load_operations(const protocol::Dialect& dialect) {
  std::vector<LoadOperation> found;
  for (const LoadOperation& operation : known) {
    if (protocol::find_operation(dialect, operation.name) != nullptr) found.push_back(operation);
  }
  return found;
}

std::vector<std::string_view> mix_names(std::span<const LoadOperation> operations) {
  std::vector<std::string_view> names;
  for (const LoadOperation& operation : operations) names.push_back(operation.name);
  return names;
}

}  // namespace hallmark::loadgen
