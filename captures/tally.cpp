#include "captures/tally.hpp"

namespace hallmark::captures {

void Tally::add(const Event& event) {
  if (std::holds_alternative<Opened>(event.what)) ++connections;
  if (std::holds_alternative<Request>(event.what)) ++requests;
  if (std::holds_alternative<Reply>(event.what)) ++replies;
  if (std::holds_alternative<Push>(event.what)) ++pushes;
  if (const auto* finding = std::get_if<Finding>(&event.what)) ++findings[finding->kind];
}

std::uint64_t Tally::faults() const {
  std::uint64_t faults = 0;
  for (const auto& [kind, count] : findings) {
    if (is_fault(kind)) faults += count;
  }
  return faults;
}

}  // namespace hallmark::captures
