#include "loadgen/drivers/datagram/run_driver.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>

#include "base/descriptor.hpp"
#include "base/nanoseconds.hpp"
#include "base/quantity.hpp"
#include "loadgen/drivers/datagram/driver.hpp"
#include "loadgen/drivers/datagram/server_counts.hpp"
#include "loadgen/results/run_record.hpp"

namespace hallmark::loadgen::datagram {
namespace {

using base::Error;
using base::Result;
using std::chrono::system_clock;

constexpr double most_places = 1 << 22;
constexpr std::size_t least_places = 4096;
/// The least number of places of a closed loop, whose rate nobody knows in advance: what a fast one
/// sends in a second or so.
constexpr std::size_t closed_places = std::size_t{1} << 17;

/// The number of ids that a worker keeps: in the open loop those of two timeouts, in the closed
/// loop several times those in flight.
std::size_t places_for(const LoadOptions& options) {
  const double workers = worker_count(options);
  const double timeout = static_cast<double>(options.timeout.count()) / base::ns_per_second;
  double wanted = 2 * highest_rate(options) * timeout / workers + static_cast<double>(least_places);
  if (options.closed) {
    const double in_flight = static_cast<double>(options.depth) * options.connections / workers;
    wanted = std::max(static_cast<double>(closed_places), 4 * in_flight);
  }
  return std::bit_ceil(static_cast<std::size_t>(std::min(wanted, most_places)));
}

/// Digits that no run at another time, nor another run at this time, has: of a nanosecond.
std::string make_nonce(const LoadOptions& options) {
  const auto ns = static_cast<std::uint64_t>(system_clock::now().time_since_epoch().count());
  const std::uint64_t own = ns ^ static_cast<std::uint64_t>(getpid()) << 48;
  return fmt::format("{:010}",
                     base::mix64(options.share ? options.share->nonce : own) % 10'000'000'000);
}

/// The numbers of the loops of all processes are below this.
std::uint32_t workers_of_all(const LoadOptions& options) {
  if (!options.share) return worker_count(options);
  LoadOptions first = options;  // none has more connections than the first
  first.share->number = 0;
  return options.share->of * worker_count(first);
}

KeyPlan key_plan(const LoadOptions& options) {
  return {.keys = options.workload.keys,
          .prefix = options.workload.key_prefix,
          .patterns = options.datagram.key_patterns,
          .rules = options.datagram.rules,
          .workers = workers_of_all(options),
          .seed = options.workload.seed,
          .choice = options.workload.key_choice,
          .nonce = make_nonce(options)};
}

oracle::OverWhen over_when(const LoadOptions& options) {
  if (!options.datagram.over_when_known) return oracle::OverWhen::unknown;
  const bool above = options.workload.readings.reads({"over-when", "above"});
  return above ? oracle::OverWhen::above : oracle::OverWhen::at_limit;
}

/// Finds out if anybody answers, and compares the counts of both sides.
class DatagramRun final : public RunDriver {
 public:
  DatagramRun(const LoadOptions& options, Requests requests)
      : options_(options), requests_(std::move(requests)) {}

  std::vector<std::string> parts() const override { return requests_.names(); }
  std::uint32_t threads() const override { return worker_count(options_); }
  void describe(reports::RunHeader& header) const override;
  Result<void> prepare(RunControl& run) override;
  void begin(RunControl& run, const LoopPlan& plan) override;
  LoopDriver& drive(EventLoop& loop, std::uint32_t own) override;
  void conclude(RunControl& run, const Tally& total, reports::LoadResult& result) override;
  void tidy_up(RunControl& /*run*/, reports::LoadResult& /*result*/) override {}

 private:
  Result<void> target_answers(RunControl& run) const;
  Result<void> open_sockets();
  void compare_counts(RunControl& run, reports::DatagramLoad& datagram) const;

  const LoadOptions& options_;
  Requests requests_;
  Address address_;
  std::vector<Socket> sockets_;
  std::uint64_t receive_buffer_ = 0;  ///< of each, bytes
  BookPlan plan_;
  std::vector<std::unique_ptr<Driver>> drivers_;
};

Error failed(std::string_view what, std::string_view why) {
  return {fmt::format("{}: {}", what, why)};
}

void DatagramRun::describe(reports::RunHeader& header) const {
  const auto add = [&](std::string name, const auto& value) {
    header.options.push_back({std::move(name), fmt::format("{}", value)});
  };
  add("keys", requests_.keys().size());
  add("key", requests_.keys().text_of(0));
  add("timeout", base::human_duration(options_.timeout));
  add("seed", options_.workload.seed);
  if (options_.datagram.rules) add("rules", options_.datagram.rules_name);
}

Result<void> DatagramRun::prepare(RunControl& run) {
  const auto address = resolve(std::get<base::UdpEndpoint>(options_.target));
  if (!address) return failed("cannot resolve", address.error().message);
  address_ = *address;
  if (const auto answered = target_answers(run); !answered) return answered;
  return open_sockets();
}

// A socket of datagrams connects to anything: only a reply shows that somebody is there.
Result<void> DatagramRun::target_answers(RunControl& run) const {
  auto socket = connect(address_, options_.datagram.receive_buffer);
  if (!socket) return failed("cannot connect", socket.error().message);
  Asker asker{std::move(*socket), options_.timeout};
  bool answered = false;
  const int error = asker.ask(
      1, [&](std::size_t, std::uint64_t id) { return requests_.ping(id); },
      [&](std::size_t, base::ByteView) { answered = true; },
      [&] { return run.interruptions() != 0; });
  if (answered || run.interruptions() != 0) return {};
  return failed("no reply to ping", error != 0
                                        ? base::errno_text(error)
                                        : fmt::format("asked {} times, {} apart", Asker::tries,
                                                      base::human_duration(options_.timeout)));
}

Result<void> DatagramRun::open_sockets() {
  sockets_.resize(options_.connections);
  const std::uint32_t shares = options_.share ? options_.share->of : 1;
  for (std::uint32_t i = options_.share ? options_.share->number : 0; i < options_.connections;
       i += shares) {
    const auto& sources = options_.sources;
    auto socket = connect(address_, options_.datagram.receive_buffer,
                          sources.empty() ? std::string() : sources[i % sources.size()]);
    if (!socket) return failed("cannot connect", socket.error().message);
    receive_buffer_ = socket->receive_buffer;
    sockets_[i] = std::move(*socket);
  }
  return {};
}

void DatagramRun::begin(RunControl& /*run*/, const LoopPlan& plan) {
  plan_ = {.requests = &requests_,
           .open_loop = plan.open_loop,
           .timeout_ns = options_.timeout.count(),
           .lag_bound_ns = options_.lag_bound.count(),
           .most_in_flight = options_.most_in_flight,
           .places = places_for(options_),
           .watch_limits = options_.datagram.rules != nullptr,
           .over_when = over_when(options_)};
}

LoopDriver& DatagramRun::drive(EventLoop& loop, std::uint32_t /*own*/) {
  std::vector<Socket> sockets;
  for (std::uint32_t c = loop.number(); c < options_.connections; c += loop.plan().loops)
    sockets.push_back(std::move(sockets_[c]));
  BookPlan plan = plan_;
  plan.worker = loop.number();
  return *drivers_.emplace_back(
      std::make_unique<Driver>(loop, plan, options_.depth, std::move(sockets)));
}

void DatagramRun::conclude(RunControl& run, const Tally& /*total*/, reports::LoadResult& result) {
  reports::DatagramLoad& datagram = result.datagram.emplace();
  datagram.receive_buffer = receive_buffer_;
  for (const auto& driver : drivers_) {
    add(datagram.counts, driver->book().counts());
    add(datagram.trouble, driver->trouble());
  }
  datagram.accounting_error = reports::imbalance(datagram.counts);
  if (options_.datagram.rules) compare_counts(run, datagram);
}

void DatagramRun::compare_counts(RunControl& run, reports::DatagramLoad& datagram) const {
  const bool doubled = datagram.counts.duplicate != 0;
  std::vector<const LimitWatch*> watches;
  reports::LimitChecks& checks = datagram.limits.emplace();
  for (const auto& driver : drivers_) {
    watches.push_back(&*driver->book().limits());
    add(checks, watches.back()->checks(doubled));
  }
  auto socket = connect(address_, options_.datagram.receive_buffer);
  const unsigned before = run.interruptions();
  if (!socket || before > 1) return;
  Asker asker{std::move(*socket), options_.timeout};
  datagram.server = compare_with_server(asker, requests_, watches, doubled,
                                        [&] { return run.interruptions() > before; });
}

}  // namespace

Result<std::unique_ptr<RunDriver>> run_driver(const LoadOptions& options) {
  auto keys = Keys::make(key_plan(options));
  if (!keys) return keys.error();
  auto requests = Requests::make(options.workload.readings, options.workload.mix,
                                 options.workload.seed, std::move(*keys));
  if (!requests) return requests.error();
  return std::unique_ptr<RunDriver>(std::make_unique<DatagramRun>(options, std::move(*requests)));
}

}  // namespace hallmark::loadgen::datagram
