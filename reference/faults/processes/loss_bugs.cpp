#include "reference/faults/bugs.hpp"
#include "reference/faults/wire/wire_fault.hpp"

namespace hallmark::faults {
namespace {

/// Is true for every n-th time that it is asked, by all connections together.
class EveryNth {
 public:
  explicit EveryNth(std::uint64_t n) : n_(n), times_(std::make_shared<std::uint64_t>(0)) {}
  bool operator()() const { return ++*times_ % n_ == 0; }

 private:
  std::uint64_t n_;
  std::shared_ptr<std::uint64_t> times_;
};

}  // namespace

Bugs loss_bugs() {
  return {
      {.id = "loss.every-20th-reply",
       .breaks = "every twentieth reply of a connection is lost",
       .violates = {{"throttr-7.1", {"stream.framing"}}, {"throttr-2.0", {"stream.framing"}}},
       .code = of_bytes({},
                        [](Bytes& bytes, const Decoder&, const WireContext& context) {
                          if (context.number % 20 == 0) bytes.clear();
                        })},
      {.id = "loss.every-50th-of-all",
       .breaks = "every fiftieth reply is lost, whichever connection it is for",
       .violates = {{"throttr-7.1", {"stream.framing"}}},
       .code = wire({.bytes =
                         [lost = EveryNth(50)](Bytes& bytes, const Decoder&, const WireContext&) {
                           if (lost()) bytes.clear();
                         }})},
      {.id = "loss.every-7th-delivery",
       .breaks = "every seventh delivery is lost",
       .violates = {{"throttr-7.1", {"publish.delivers"}}, {"throttr-7.3", {"publish.delivers"}}},
       .code = wire(
           {.deliveries =
                [lost = EveryNth(7)](std::vector<Delivery>& deliveries, std::size_t earlier) {
                  for (std::size_t i = deliveries.size(); i > earlier; --i) {
                    if (lost())
                      deliveries.erase(deliveries.begin() + static_cast<std::ptrdiff_t>(i) - 1);
                  }
                }})},
  };
}

}  // namespace hallmark::faults
