#include "clients/run/certify_client.hpp"

#include <algorithm>
#include <mutex>
#include <thread>

#include "base/glob.hpp"
#include "base/random.hpp"
#include "clients/judge/judge.hpp"
#include "clients/run/command.hpp"
#include "clients/run/packets.hpp"
#include "clients/serve/host.hpp"
#include "reference/server/server.hpp"

namespace hallmark::clients {
namespace {

using std::chrono::nanoseconds;
using std::chrono::seconds;
using Clock = std::chrono::steady_clock;

constexpr seconds shortest_timeout{5};
constexpr seconds baseline_timeout{60};
constexpr int times_the_baseline = 10;

/// One run of the command against one server.
struct Played {
  std::uint16_t port = 0;
  CommandEnd end{};
  Observed observed{};
};

class Run {
 public:
  explicit Run(const RunOptions& options) : options_(options) {}

  ClientResult run() {
    const auto began = Clock::now();
    describe();
    play_baseline();
    const std::vector<Perturbation> perturbations = chosen(options_.format, options_.filters);
    for (const Perturbation& one : perturbations) result_.perturbations.push_back(unplayed(one));
    if (result_.baseline.passed) play_all(perturbations);
    result_.interrupted = is_stopped();
    result_.clauses =
        judge_clauses(options_.format, result_.coverage, breaches_, result_.perturbations);
    result_.duration = Clock::now() - began;
    return std::move(result_);
  }

 private:
  bool is_stopped() const { return options_.stop != nullptr && *options_.stop; }

  void describe() {
    const Format& format = options_.format;
    result_.version = std::string(server::version());
    result_.dialect = std::string(format.dialect().name);
    if (format.width != protocol::Width::none)
      result_.width = std::string(protocol::name_of(format.width));
    result_.profile = std::string(protocol::name_of(options_.profile));
    const protocol::Readings usual(format.dialect(), options_.profile);
    for (const protocol::Reading& reading : format.dialect().readings) {
      const auto answer = format.readings.answer(reading);
      if (answer != usual.answer(reading))
        result_.readings.push_back(std::string(reading.id) + "=" + std::string(answer));
    }
    result_.command = options_.command;
    result_.seed = options_.seed;
    result_.jobs = options_.jobs;
    result_.started =
        std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    for (const auto& operation : format.dialect().operations) {
      result_.operations.emplace_back(operation.name);
      for (const std::string& choice : possible_choices(format, operation.name))
        result_.possible.push_back(std::string(operation.name) + " " + choice);
    }
    for (const auto& push : format.dialect().pushes) result_.operations.emplace_back(push.name);
  }

  PerturbationResult unplayed(const Perturbation& one) const {
    PerturbationResult result;
    result.id = one.id;
    result.kind = one.kind;
    result.subject = one.subject;
    result.title = one.title;
    result.legal = one.legal;
    result.demand = one.demand;
    result.clause = one.clause;
    return result;
  }

  Played play(const Perturbation* perturbation, nanoseconds timeout) const {
    Played played;
    HostOptions host_options{options_.format, options_.format};
    // Connection ids and the draws of a perturbation are the same in every run with this seed.
    host_options.seed = options_.seed;
    host_options.keeps_traffic = options_.packets != nullptr;
    if (perturbation != nullptr) {
      const std::uint64_t seed = base::mix64(options_.seed ^ base::fnv1a(perturbation->id));
      host_options.disturbance = perturbation->make(options_.format, seed);
      if (perturbation->readings) {
        host_options.served.readings = *perturbation->readings;
        host_options.compares = true;
      }
    }
    auto host = start_host(std::move(host_options));
    if (!host) {
      played.observed.error = host.error().message;
      return played;
    }
    played.port = (*host)->port();
    played.end = run_command({options_.command, loopback, played.port, timeout, options_.stop});
    played.observed = (*host)->stop();
    return played;
  }

  void play_baseline() {
    const nanoseconds longest = options_.timeout.value_or(baseline_timeout);
    Played played = play(nullptr, longest);
    Baseline& baseline = result_.baseline;
    baseline.reason = played.end.interrupted
                          ? "the run was stopped"
                          : why_no_baseline(played.end, played.observed, options_.command, longest);
    baseline.passed = baseline.reason.empty();
    baseline.ended = in_words(played.end, longest);
    baseline.duration = played.end.duration;
    baseline.connections = played.observed.connections;
    baseline.requests = played.observed.requests;
    baseline.left_behind = played.end.left_behind;
    if (!baseline.passed) baseline.output = played.end.last_lines;
    keep_breaches(played.observed, "baseline");
    keep_packets(title_of(baseline), played, true);
    result_.coverage = std::move(played.observed.coverage);
    result_.timeout = options_.timeout.value_or(
        std::max<nanoseconds>(shortest_timeout, times_the_baseline * baseline.duration));
  }

  void keep_breaches(const Observed& observed, const std::string& shown_by) {
    for (const Breach& breach : observed.breaches) breaches_.push_back({breach, shown_by});
  }

  void keep_packets(std::string title, const Played& played, bool judges_client) {
    if (options_.packets == nullptr) return;
    const CapturedRun run{std::move(title), played.port, options_.format.over_datagrams(),
                          judges_client};
    write_packets(*options_.packets, run, played.observed.traffic);
  }

  void play_all(const std::vector<Perturbation>& perturbations) {
    const std::size_t jobs = std::max<std::size_t>(1, options_.jobs);
    std::vector<std::jthread> workers;
    for (std::size_t i = 0; i < std::min(jobs, perturbations.size()); ++i)
      workers.emplace_back([this, &perturbations] { work(perturbations); });
  }

  void work(const std::vector<Perturbation>& perturbations) {
    for (std::size_t i = next_++; i < perturbations.size() && !is_stopped(); i = next_++) {
      PerturbationResult result = play_one(perturbations[i]);
      const std::lock_guard lock(mutex_);
      result_.perturbations[i] = std::move(result);
      ++done_;
      if (options_.judged) options_.judged(result_.perturbations[i], done_, perturbations.size());
    }
  }

  /// True if the client's tests never met what the perturbation is done to: it need not be played.
  bool is_out_of_reach(const Perturbation& one) const {
    return !one.subject.empty() && !one.readings && !result_.coverage.contains(one.subject);
  }

  PerturbationResult play_one(const Perturbation& perturbation) {
    PerturbationResult result = unplayed(perturbation);
    if (is_out_of_reach(perturbation)) {
      result.verdict = Verdict::not_met;
      result.reason = "the client's tests never met " + perturbation.subject;
      return result;
    }
    Played played = play(&perturbation, result_.timeout);
    const Judgement judged = judge(perturbation, played.end, played.observed, result_.timeout);
    result.verdict = judged.verdict;
    result.reason = judged.reason;
    result.ended = in_words(played.end, result_.timeout);
    result.met = played.observed.met;
    result.differed = std::move(played.observed.first);
    result.duration = played.end.duration;
    result.left_behind = played.end.left_behind;
    if (result.verdict != Verdict::passed) result.output = std::move(played.end.last_lines);
    const bool judges_client = perturbation.demand == Demand::passes && played.end.exit_code == 0;
    const std::lock_guard lock(mutex_);
    keep_packets(title_of(result), played, judges_client);
    // Requests that a client sends after a wrong reply, to a server that it was not made for, or
    // when it gives up, are not held against it.
    if (judges_client) keep_breaches(played.observed, perturbation.id);
    return result;
  }

  const RunOptions& options_;
  ClientResult result_;
  std::vector<SeenBreach> breaches_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::size_t done_ = 0;
};

}  // namespace

std::vector<Perturbation> chosen(const Format& format, const std::vector<std::string>& filters) {
  std::vector<Perturbation> all = catalogue(format);
  std::erase_if(all, [&](const Perturbation& one) {
    return !filters.empty() && std::ranges::none_of(filters, [&](const std::string& filter) {
      return base::glob_matches(filter, one.id);
    });
  });
  return all;
}

ClientResult certify_client(const RunOptions& options) { return Run(options).run(); }

}  // namespace hallmark::clients
