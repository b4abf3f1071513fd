#include "loadgen/client/client_meter.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/quantity.hpp"

namespace hallmark::loadgen {
namespace {

/// The number of requests that may leave later than the bound.
constexpr double most_late = 0.01;
/// A thread that is busier than this has no time left in which to be on time.
constexpr double most_busy = 0.95;
/// The part of its life that a thread may wait for a processor: a reply that comes then is read
/// late.
constexpr double most_waited = 0.1;
/// The share of the processors that the host may take away while the run lasts.
constexpr double most_stolen = 0.05;

double share(double of, double all) { return all > 0 ? of / all : 0; }

/// A share that is more than is allowed, when both may be printed as the same figure.
std::string percent_above(double measured, double allowed) {
  const std::string told = base::percent(measured);
  return told == base::percent(allowed) ? "just over " + told : told;
}

void add_schedule_taints(const reports::ScheduleCertificate& schedule,
                         std::vector<std::string>& taints) {
  if (schedule.late_share > most_late) {
    taints.push_back(fmt::format(
        "{} of the requests left more than {} behind their plan; allowed: {} (--lag-bound)",
        percent_above(schedule.late_share, most_late),
        base::human_duration(
            std::chrono::nanoseconds(static_cast<std::int64_t>(schedule.lag_bound_ns))),
        base::percent(most_late)));
  }
  if (schedule.test && schedule.test->as_asked == reports::Met::no) {
    taints.push_back(
        fmt::format("requests did not leave as Poisson arrivals would: A² {:.1f} over {} spans of "
                    "{} arrivals, p {:.2g}",
                    schedule.test->statistic, schedule.test->spans, schedule.test->span,
                    schedule.test->p_value));
  }
}

}  // namespace

reports::LoadClient ClientMeter::told() const {
  reports::LoadClient client;
  for (const ThreadUse& use : threads_) {
    const auto lived = static_cast<double>(use.lived_ns);
    client.threads.push_back({share(static_cast<double>(use.cpu_ns), lived),
                              share(static_cast<double>(use.waited_ns), lived)});
  }
  const MachineUse now = machine_use();
  const std::chrono::duration<double> lasted = std::chrono::steady_clock::now() - begun_;
  client.stolen_share =
      std::max(0.0, share(now.stolen_s - before_.stolen_s, lasted.count() * processors()));
  client.throttled_s = std::max(0.0, now.throttled_s - before_.throttled_s);
  return client;
}

reports::ScheduleCertificate certificate_of(const SchedulePlan& plan, std::int64_t lag_bound_ns,
                                            const Tally& total,
                                            std::span<const DepartureLog* const> logs) {
  reports::ScheduleCertificate certificate;
  certificate.arrivals = name_of(plan.arrivals);
  certificate.lag_bound_ns = static_cast<std::uint64_t>(lag_bound_ns);
  certificate.late_share =
      share(static_cast<double>(total.client_late), static_cast<double>(total.send_lag.count()));
  if (plan.arrivals == Arrivals::poisson) certificate.test = test_of(logs);
  return certificate;
}

std::vector<std::string> taints_of(const reports::LoadClient& client, bool spinning) {
  std::vector<std::string> taints;
  if (client.schedule) add_schedule_taints(*client.schedule, taints);
  const auto most = [&](double reports::ThreadShares::*which) {
    double highest = 0;
    for (const auto& thread : client.threads) highest = std::max(highest, thread.*which);
    return highest;
  };
  if (const double busy = most(&reports::ThreadShares::busy); busy > most_busy && !spinning)
    taints.push_back(
        fmt::format("a thread of the client, of which --threads makes more, was busy {} of the "
                    "time; allowed: {}",
                    percent_above(busy, most_busy), base::percent(most_busy)));
  if (const double waited = most(&reports::ThreadShares::waited); waited > most_waited)
    taints.push_back(
        fmt::format("a thread of the client waited for a processor {} of the time; allowed: {}",
                    percent_above(waited, most_waited), base::percent(most_waited)));
  if (client.throttled_s > 0)
    taints.push_back(
        fmt::format("the system throttled the client for {:.3f} s: the quota of its "
                    "cgroup was used up",
                    client.throttled_s));
  if (client.stolen_share > most_stolen)
    taints.push_back(fmt::format("the host took {} of this machine's processors away; allowed: {}",
                                 percent_above(client.stolen_share, most_stolen),
                                 base::percent(most_stolen)));
  return taints;
}

}  // namespace hallmark::loadgen
