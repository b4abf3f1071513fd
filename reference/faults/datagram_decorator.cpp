#include <thread>

#include "reference/faults/decorators.hpp"
#include "reference/faults/faults.hpp"

namespace hallmark::faults {
namespace {

using server::DatagramHandler;

class DatagramDecorator final : public server::DatagramDecorator {
 public:
  explicit DatagramDecorator(Faults faults) : faults_(std::move(faults)) {}

  void around_limiter(model::RateLimiter& limiter) override {
    for (const auto& around : faults_.uses) limiter.wrap_uses(around);
  }

  std::unique_ptr<DatagramHandler> around_handler(DatagramHandler& inner) override {
    std::unique_ptr<DatagramHandler> outermost;
    for (const DatagramFault& fault : faults_.datagrams) {
      DatagramHandler& right = outermost ? *outermost : inner;
      if (outermost) within_.push_back(std::move(outermost));
      outermost = faulty(right, fault);
    }
    return outermost;
  }

  void before_receiving() override {
    if (faults_.transport.pause.count() > 0) std::this_thread::sleep_for(faults_.transport.pause);
  }
  std::size_t recipient(std::size_t datagram, std::size_t received) override {
    return faults_.transport.to_last_sender ? received - 1 : datagram;
  }
  unsigned copies(std::size_t received) override {
    const unsigned most = received == 1 ? 2 : 1;
    return std::min(faults_.transport.copies, most);
  }

 private:
  Faults faults_;
  std::vector<std::unique_ptr<DatagramHandler>> within_;  ///< those that the outermost one asks
};

}  // namespace

std::shared_ptr<server::DatagramDecorator> datagram_decorator(const ChosenBugs& bugs) {
  if (bugs.empty()) return std::make_shared<server::DatagramDecorator>();
  return std::make_shared<DatagramDecorator>(faults_of(bugs));
}

}  // namespace hallmark::faults
