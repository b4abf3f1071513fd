#include "stores/tests/collect.hpp"

namespace hallmark::stores {

std::vector<Kept> collect(const Address& address, const ScanOptions& options,
                          const Access& access) {
  std::vector<Kept> kept;
  const auto scanner = open_scanner(address, options, access);
  if (!scanner) {
    ADD_FAILURE() << scanner.error().message;
    return kept;
  }
  while (true) {
    const auto batch = (*scanner)->next();
    if (!batch) ADD_FAILURE() << batch.error().message;
    if (!batch || batch->empty()) return kept;
    for (const auto& entry : *batch) {
      kept.push_back({entry.kind, std::string(entry.key), std::string(entry.value),
                      entry.expires_in, entry.line});
    }
  }
}

std::map<std::string, std::string> texts_of(const std::vector<Kept>& entries) {
  std::map<std::string, std::string> texts;
  for (const auto& entry : entries) {
    if (entry.kind == EntryKind::text) texts[entry.key] = entry.value;
  }
  return texts;
}

}  // namespace hallmark::stores
