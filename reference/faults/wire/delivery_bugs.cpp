#include <algorithm>

#include "reference/faults/bugs.hpp"
#include "reference/faults/wire/spoiling.hpp"

namespace hallmark::faults {

Bugs delivery_bugs() {
  return {
      {.id = "delivery.twice",
       .breaks = "every publication is delivered twice",
       .violates = {{"throttr-7.1", {"publish.delivers"}}},
       .code = wire({.deliveries =
                         [](std::vector<Delivery>& deliveries, std::size_t earlier) {
                           const std::vector<Delivery> again(
                               deliveries.begin() + static_cast<std::ptrdiff_t>(earlier),
                               deliveries.end());
                           deliveries.insert(deliveries.end(), again.begin(), again.end());
                         }}),
       .settles = "who receives a publication, and how often"},
      {.id = "delivery.cut",
       .breaks = "a delivery loses the last byte of its payload",
       .violates = {{"throttr-7.1", {"publish.delivers"}}, {"throttr-7.3", {"event.layout"}}},
       .code = wire({.deliveries =
                         [](std::vector<Delivery>& deliveries, std::size_t earlier) {
                           for (std::size_t i = earlier; i < deliveries.size(); ++i) {
                             auto cut = std::make_shared<protocol::ByteBuffer>();
                             const base::ByteView whole = deliveries[i].frame->view();
                             cut->append(whole.first(whole.size() - 1));
                             deliveries[i].frame = std::move(cut);
                           }
                         }})},
      {.id = "delivery.first-only",
       .breaks = "of several subscribers only the first receives a publication",
       .violates = {{"throttr-7.1", {"publish.delivers"}}},
       .code = wire({.deliveries =
                         [](std::vector<Delivery>& deliveries, std::size_t earlier) {
                           if (deliveries.size() > earlier + 1)
                             deliveries.erase(
                                 deliveries.begin() + static_cast<std::ptrdiff_t>(earlier) + 1,
                                 deliveries.end());
                         }}),
       .settles = "who receives a publication, and how often"},
      {.id = "delivery.lost",
       .breaks = "publications are not delivered",
       .violates = {{"throttr-7.1", {"publish.delivers"}}},
       .code = wire({.deliveries =
                         [](std::vector<Delivery>& deliveries, std::size_t earlier) {
                           deliveries.erase(
                               deliveries.begin() + static_cast<std::ptrdiff_t>(earlier),
                               deliveries.end());
                         }}),
       .settles = "who receives a publication, and how often"},
  };
}

}  // namespace hallmark::faults
