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

/// Pings a process until it answers: it may take datagrams long before it serves. `answers`: one
/// that was started before has answered; without that, silence is for cases to judge, as it is from
/// then on where this one stays silent.
base::Expected<void, std::string> await(Process& process, Time until, std::atomic<bool>& answers) {
  constexpr Time pause = 5'000'000;
  constexpr Time longest = 400'000'000;
  auto link = datagrams_to(process.port())->open();
  for (Time wait = 10 * pause;; wait = std::min(2 * wait, longest)) {
    if (!link) return link.error();
    (*link)->send(as_bytes("0 ping"));
    base::Bytes reply;
    const Time begun = monotonic_now();
    const auto arrival = (*link)->receive(reply, std::min(until, begun + wait));
    if (arrival == DatagramArrival::datagram) return {};
    if (arrival == DatagramArrival::timed_out && !answers && begun + wait < until) return {};
    if (const std::string how = process.how_it_died(); !how.empty())
      return "the target ended before it listened: " + how;
    if (monotonic_now() >= until) {
      answers = false;
      if (arrival == DatagramArrival::timed_out) return {};
      return std::string("the target does not listen");
    }
    if (arrival == DatagramArrival::timed_out) continue;
    wait = 10 * pause;
    sleep_until(monotonic_now() + pause);
    link = datagrams_to(process.port())->open();
  }
}

/// Tells the supervisor what is sent.
class SupervisedDatagramLink : public DatagramLink {
 public:
  SupervisedDatagramLink(ProcessSupervisor& supervisor, std::atomic<bool>& answers,
                         unsigned generation, std::unique_ptr<DatagramLink> link)
      : supervisor_(supervisor),
        answers_(answers),
        number_(supervisor.opened(generation)),
        link_(std::move(link)) {}
  ~SupervisedDatagramLink() override { supervisor_.closed(number_); }

  Dispatch send(base::ByteView datagram) override {
    supervisor_.sent(number_, datagram);
    return link_->send(datagram);
  }
  DatagramArrival receive(base::Bytes& into, Time until) override {
    const DatagramArrival arrival = link_->receive(into, until);
    if (arrival == DatagramArrival::datagram) {
      answers_ = true;
      supervisor_.heard();
    }
    return arrival;
  }

 private:
  ProcessSupervisor& supervisor_;
  std::atomic<bool>& answers_;
  std::uint64_t number_;
  std::unique_ptr<DatagramLink> link_;
};

}  // namespace

base::Expected<std::unique_ptr<SupervisedDatagrams>, std::string> SupervisedDatagrams::start(
    const base::ExecEndpoint& target, Time deadline) {
  std::unique_ptr<SupervisedDatagrams> made(new SupervisedDatagrams);
  const auto serves = [&answers = made->answers_](Process& process, Time until) {
    return await(process, until, answers);
  };
  auto supervisor = ProcessSupervisor::start(target, deadline, {serves, refuses});
  if (!supervisor) return supervisor.error();
  made->supervisor_ = std::move(*supervisor);
  return made;
}

DatagramLinkResult SupervisedDatagrams::open() {
  const auto serving = supervisor_->serving();
  if (!serving) return serving.error();
  DatagramLinkResult link = datagrams_to(serving->port)->open();
  if (!link) return link.error();
  return std::unique_ptr<DatagramLink>(std::make_unique<SupervisedDatagramLink>(
      *supervisor_, answers_, serving->generation, std::move(*link)));
}

Time SupervisedDatagrams::now() const { return monotonic_now(); }

void SupervisedDatagrams::wait_until(Time until) { sleep_until(until); }

}  // namespace hallmark::conformance
