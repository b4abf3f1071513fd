#include "clients/perturb/perturbation.hpp"
#include "protocol/dialect.hpp"

namespace hallmark::clients {

std::vector<Perturbation> catalogue(const Format& format) {
  std::vector<Perturbation> all;
  for (const auto part :
       {timing_perturbations, listing_perturbations, delivery_perturbations, value_perturbations,
        ending_perturbations, datagram_perturbations, reading_perturbations,
        wrong_reply_perturbations, wrong_delivery_perturbations}) {
    for (Perturbation& one : part(format)) {
      // Older dialects have no such sentence: then it is not held to one.
      if (protocol::find_clause(format.dialect(), one.clause) == nullptr) one.clause.clear();
      all.push_back(std::move(one));
    }
  }
  return all;
}

}  // namespace hallmark::clients
