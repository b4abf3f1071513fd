#include "conformance/drivers/stream/supervised_network.hpp"

#include "conformance/engine/clock.hpp"

namespace hallmark::conformance {
namespace {

std::unique_ptr<SocketNetwork> network_to(std::uint16_t port) {
  return *SocketNetwork::to(base::TcpEndpoint{"127.0.0.1", port});
}

/// Tells the supervisor what is sent.
class SupervisedLink : public Link {
 public:
  SupervisedLink(ProcessSupervisor& supervisor, unsigned generation, std::unique_ptr<Link> link)
      : supervisor_(supervisor), number_(supervisor.opened(generation)), link_(std::move(link)) {}
  ~SupervisedLink() override { supervisor_.closed(number_); }

  Dispatch send(base::ByteView bytes, Time until) override {
    supervisor_.sent(number_, bytes);
    return link_->send(bytes, until);
  }
  std::size_t offer(base::ByteView bytes) override {
    supervisor_.sent(number_, bytes);
    return link_->offer(bytes);
  }
  Arrival receive(base::Bytes& into, Time until) override {
    const Arrival arrival = link_->receive(into, until);
    if (arrival == Arrival::bytes) supervisor_.heard();
    return arrival;
  }
  void finish_sending() override { link_->finish_sending(); }
  void reset() override { link_->reset(); }

 private:
  ProcessSupervisor& supervisor_;
  std::uint64_t number_;
  std::unique_ptr<Link> link_;
};

}  // namespace

base::Expected<std::unique_ptr<SupervisedNetwork>, std::string> SupervisedNetwork::start(
    const base::ExecEndpoint& target, Time deadline) {
  ProcessSupervisor::Transport transport;
  transport.await = [](Process& process, Time until) {
    return wait_until_it_listens(process, *network_to(process.port()), until);
  };
  transport.refuses = [](std::uint16_t port) {
    // One whose queue is full does not answer at all.
    constexpr Time moment = 50'000'000;
    const Time until = monotonic_now() + moment;
    return !network_to(port)->connect(until) && monotonic_now() < until;
  };
  auto supervisor = ProcessSupervisor::start(target, deadline, std::move(transport));
  if (!supervisor) return supervisor.error();
  return std::unique_ptr<SupervisedNetwork>(new SupervisedNetwork(std::move(*supervisor)));
}

LinkResult SupervisedNetwork::connect(Time until) {
  const auto serving = supervisor_->serving();
  if (!serving) return serving.error();
  LinkResult link = network_to(serving->port)->connect(until);
  if (!link) return link.error();
  return std::unique_ptr<Link>(
      std::make_unique<SupervisedLink>(*supervisor_, serving->generation, std::move(*link)));
}

Time SupervisedNetwork::now() const { return monotonic_now(); }

void SupervisedNetwork::wait_until(Time until) { sleep_until(until); }

}  // namespace hallmark::conformance
