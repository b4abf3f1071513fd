#include "conformance/drivers/datagram/supervised_datagrams.hpp"

#include "conformance/drivers/datagram/socket_datagrams.hpp"
#include "conformance/engine/clock.hpp"

namespace hallmark::conformance {
namespace {

using base::as_bytes;

std::unique_ptr<SocketDatagrams> datagrams_to(std::uint16_t port) {
  return *SocketDatagrams::to(base::UdpEndpoint{"127.0.0.1", port});
}

/// Returns true if nobody listens at that port: a datagram to it comes back as refused.
bool refuses(std::uint16_t port) {
  constexpr Time moment = 20'000'000;
  auto link = datagrams_to(port)->open();
  if (!link) return false;
  (*link)->send(as_bytes("0 ping"));
  base::Bytes reply;
  return (*link)->receive(reply, monotonic_now() + moment) == DatagramArrival::refused;
}

/// Pings until one is answered.
boost::system::result<void, std::string> await(Process& process, Time until) {
  constexpr Time pause = 5'000'000;
  for (;;) {
    auto link = datagrams_to(process.port())->open();
    if (!link) return link.error();
    (*link)->send(as_bytes("0 ping"));
    base::Bytes reply;
    const Time begun = monotonic_now();
    const auto arrival = (*link)->receive(reply, std::min(until, begun + 10 * pause));
    if (arrival == DatagramArrival::datagram) return {};
    // Nobody listens yet, or it does not answer pings: that is for cases to judge.
    if (arrival == DatagramArrival::timed_out && begun + 10 * pause < until) return {};
    if (const std::string how = process.how_it_died(); !how.empty())
      return "the target ended before it listened: " + how;
    if (monotonic_now() >= until) return std::string("the target does not listen");
    sleep_until(monotonic_now() + pause);
  }
}

/// Tells the supervisor what is sent.
class SupervisedDatagramLink : public DatagramLink {
 public:
  SupervisedDatagramLink(ProcessSupervisor& supervisor, unsigned generation,
                         std::unique_ptr<DatagramLink> link)
      : supervisor_(supervisor), number_(supervisor.opened(generation)), link_(std::move(link)) {}
  ~SupervisedDatagramLink() override { supervisor_.closed(number_); }

  Dispatch send(base::ByteView datagram) override {
    supervisor_.sent(number_, datagram);
    return link_->send(datagram);
  }
  DatagramArrival receive(base::Bytes& into, Time until) override {
    const DatagramArrival arrival = link_->receive(into, until);
    if (arrival == DatagramArrival::datagram) supervisor_.heard();
    return arrival;
  }

 private:
  ProcessSupervisor& supervisor_;
  std::uint64_t number_;
  std::unique_ptr<DatagramLink> link_;
};

}  // namespace

boost::system::result<std::unique_ptr<SupervisedDatagrams>, std::string> SupervisedDatagrams::start(
    const base::ExecEndpoint& target, Time deadline) {
  auto supervisor = ProcessSupervisor::start(target, deadline, {await, refuses});
  if (!supervisor) return supervisor.error();
  return std::unique_ptr<SupervisedDatagrams>(new SupervisedDatagrams(std::move(*supervisor)));
}

DatagramLinkResult SupervisedDatagrams::open() {
  const auto serving = supervisor_->serving();
  if (!serving) return serving.error();
  DatagramLinkResult link = datagrams_to(serving->port)->open();
  if (!link) return link.error();
  return std::unique_ptr<DatagramLink>(std::make_unique<SupervisedDatagramLink>(
      *supervisor_, serving->generation, std::move(*link)));
}

Time SupervisedDatagrams::now() const { return monotonic_now(); }

void SupervisedDatagrams::wait_until(Time until) { sleep_until(until); }

}  // namespace hallmark::conformance
