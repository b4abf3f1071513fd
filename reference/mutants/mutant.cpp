#include "reference/mutants/mutant.hpp"

namespace hallmark::mutants {

const Mutant* find(std::string_view id) {
  for (const Mutant& mutant : table) {
    if (mutant.id == id) return &mutant;
  }
  return nullptr;
}

void switch_on(const Mutant* mutant) {
  detail::active =
      mutant == nullptr ? detail::none : static_cast<std::size_t>(mutant - std::data(table));
}

}  // namespace hallmark::mutants
