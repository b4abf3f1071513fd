#include "reference/faults/faults.hpp"

namespace hallmark::faults {

Faults faults_of(const ChosenBugs& bugs) {
  Faults faults;
  for (const Bug* const bug : bugs) bug->code(faults);
  return faults;
}

Code decides(DecideFault fault) {
  return [fault](Faults& faults) { faults.decisions.push_back(fault); };
}

}  // namespace hallmark::faults
