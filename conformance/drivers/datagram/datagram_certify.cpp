#include "conformance/drivers/datagram/datagram_certify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <list>

#include "conformance/drivers/datagram/datagram_player.hpp"
#include "conformance/drivers/datagram/socket_datagrams.hpp"
#include "conformance/drivers/datagram/supervised_datagrams.hpp"
#include "conformance/drivers/stream/player.hpp"
#include "conformance/engine/run_header.hpp"
#include "conformance/record/recording_network.hpp"
#include "conformance/suites/ratelimit_udp/datagram_readings.hpp"
#include "conformance/supervisor/post_mortem.hpp"

namespace hallmark::conformance {
namespace {

using protocol::Profile;
using protocol::Readings;
using reports::CertifyResult;
using reports::Verdict;

/// How many pings show what the path does to datagrams, before anything is judged.
constexpr std::size_t pings = 100;
/// Beside a quarter of a deadline for each case, a target that dies is started afresh for so long.
constexpr Time longest_starting = 60'000'000'000;

DatagramCase sanity(const std::string& prefix, std::string_view when) {
  return {{fmt::format("{}/sanity/{}", prefix, when),
           fmt::format("the target answers a ping {} all other cases", when),
           "ping",
           protocol::Level::must,
           {"ping.pong", "id.repeated"},
           Delivery::whole},
          [](Attempt& attempt) { attempt.ask("ping"); }};
}

class Run {
 public:
  Run(DatagramNetwork& network, const CertifyOptions& options)
      : network_(network),
        options_(options),
        started_(network.now()),
        patience_(options.deadline),
        prefix_(options.asked.dialect->name) {
    context_.nonce = nonce_of(options);
    context_.exclusive = options.exclusive;
    context_.stop = options.schedule.stop;
    hold_to(Readings(*options.asked.dialect, options.asked.profile.value_or(Profile::deployed)));
    fill_header(result_, options);
    fill_format(result_, options.asked);
    result_.header.width.clear();
  }

  boost::system::result<void, std::string> play(const DatagramCaseMaker& make_cases, bool awaited) {
    result_.run_error = reach(awaited);
    if (!result_.run_error.empty()) return {};
    take(play_attended(sanity(prefix_, "before")));
    sane_ = result_.cases.back().verdict == Verdict::pass;
    if (sane_) survey_path();
    if (sane_ && !stopped()) ask();
    return play_cases(make_cases);
  }

  CertifyResult finish() {
    look_into_deaths({});
    network_.begin_part("end");
    result_.header.duration = std::chrono::nanoseconds(network_.now() - started_);
    return std::move(result_);
  }

 private:
  /// From here on the target is held to those readings.
  void hold_to(const Readings& readings) {
    context_.format = &formats_.emplace_back(protocol::Width::none, readings);
  }

  /// Pings until one is answered with anything. What is wrong; empty: nothing.
  std::string reach(bool awaited) {
    const Time until = network_.now() + options_.deadline;
    std::size_t sent = 0;
    for (Time wait = 10'000'000; network_.now() < until && !stopped(); wait *= 2) {
      auto link = network_.open();
      if (!link) return link.error();
      ++sent;
      (*link)->send(base::as_bytes("1 ping"));
      base::Bytes reply;
      const Time begun = network_.now();
      switch ((*link)->receive(reply, std::min(until, begun + wait))) {
        case DatagramArrival::datagram:
          network_.judged("datagram", reply);
          context_.round_trip = network_.now() - begun;
          return {};
        case DatagramArrival::timed_out: break;
        case DatagramArrival::refused:
          if (!awaited)
            return fmt::format("cannot reach {}: nobody listens there", options_.target_text);
          network_.wait_until(std::min(until, begun + wait));
      }
    }
    return fmt::format("no answer from {} to {} pings in {} s", options_.target_text, sent,
                       static_cast<double>(options_.deadline) / 1e9);
  }

  void survey_path() {
    Attempt attempt(context_, "path", 0, false);
    for (std::size_t i = 0; i < pings && !stopped(); ++i) {
      try {
        attempt.try_once("ping", {});
      } catch (const Unanswered&) {
      } catch (const CaseEnded&) {
        return;  // what a ping is answered with is for cases to judge
      }
    }
  }

  void ask() {
    Readings told = context_.format->readings();
    const auto pins = pins_of(options_.asked, told.dialect());
    answers_ = ask_readings(context_, told, pins, prefix_);
    for (const Pin& pin : pins) static_cast<void>(told.set(pin.reading, pin.answer));
    hold_to(told);
    for (const DatagramAnswer& answer : answers_) {
      result_.header.answers.push_back(
          {std::string(answer.reading), std::string(told.answer(answer.reading)), answer.told});
    }
  }

  boost::system::result<void, std::string> play_cases(const DatagramCaseMaker& make_cases) {
    fill_format(result_, *context_.format, options_.asked.profile.value_or(Profile::deployed));
    auto cases = make_cases(*context_.format);
    if (!cases) return cases.error();
    take_asked(*cases);
    const std::size_t total = result_.cases.size() + cases->size();
    if (Supervisor* const supervisor = network_.supervisor())
      supervisor->end_by(network_.now() + longest_starting + options_.deadline * cases->size() / 4);
    for (const DatagramCase& one : *cases) {
      if (stopped()) break;
      play_one(one);
      tell_progress(total);
    }
    result_.interrupted = stopped();
    look_into_deaths(*cases);
    if (sane_ && !stopped()) play_one(sanity(prefix_, "after"));
    judge_what_came_late();
    tell_of_path(context_.path);
    return {};
  }

  /// A target that fell silent may be one that is started again.
  void play_one(const DatagramCase& one) {
    if (!sane_) {
      result_.cases.push_back(not_played(one.entry, Verdict::skipped, silent_since_));
      return;
    }
    const bool was_clean = context_.path.clean();
    PlayedCase played = play_attended(one);
    const bool fell_silent = played.fell_silent;
    const bool is_gone = fell_silent && !reach(true).empty();
    if (fell_silent && !is_gone && !was_clean) {
      played.result.verdict = Verdict::indeterminate;
      played.result.reason += "; later it answers again";
    }
    take(std::move(played));
    if (!is_gone) return;
    sane_ = false;
    silent_since_ =
        fmt::format("not played: the target answers nothing since the case {}", one.entry.id);
  }

  /// As `play`, of a target that may die of it: what it then says is not the last word.
  PlayedCase play_attended(const DatagramCase& one) {
    Supervisor* const supervisor = network_.supervisor();
    if (supervisor == nullptr) return conformance::play(context_, one);
    supervisor->begin_case(one.entry.id);
    if (const std::string why = supervisor->given_up(); !why.empty()) {
      supervisor->end_case(true);
      return {not_played(one.entry, Verdict::skipped, "not played: " + why), {}, false};
    }
    PlayedCase played = conformance::play(context_, one);
    if (supervisor->end_case(played.result.verdict == Verdict::pass)) played.fell_silent = false;
    return played;
  }

  void look_into_deaths(const DatagramCases& cases) {
    Supervisor* const supervisor = network_.supervisor();
    if (supervisor == nullptr) return;
    const auto play_alone = [&](const std::string& id) {
      const auto found =
          std::ranges::find_if(cases, [&](const DatagramCase& one) { return one.entry.id == id; });
      if (found == cases.end()) return std::optional<reports::CaseResult>();
      return std::optional(play_attended(*found).result);
    };
    hold_post_mortem(*supervisor, play_alone, nullptr, result_);
  }

  /// The readings that were chosen take their places; they are not asked for again.
  void take_asked(DatagramCases& cases) {
    for (DatagramAnswer& answer : answers_) {
      const std::string& id = answer.played.result.id;
      if (std::erase_if(cases, [&](const DatagramCase& one) { return one.entry.id == id; }) > 0)
        take(std::move(answer.played));
    }
  }

  bool stopped() const { return context_.stopped(); }

  void take(PlayedCase played) {
    result_.cases.push_back(played.result);
    open_.push_back({result_.cases.size() - 1, std::move(played)});
    while (open_.size() > most_open) open_.erase(open_.begin());
  }

  void tell_progress(std::size_t total) const {
    if (!options_.schedule.on_progress) return;
    Progress progress;
    progress.done = result_.cases.size();
    progress.total = std::max(total, progress.done);
    progress.failed = static_cast<std::size_t>(std::ranges::count_if(
        result_.cases, [](const auto& one) { return one.verdict == Verdict::fail; }));
    options_.schedule.on_progress(progress);
  }

  void judge_what_came_late() {
    for (auto& [index, played] : open_) {
      const Verdict before = played.result.verdict;
      judge_late(played);
      // Else what the case came to since, played alone, stands.
      if (played.result.verdict != before) result_.cases[index] = played.result;
    }
    open_.clear();
  }

  void tell_of_path(const PathRecord& path) {
    if (path.clean()) return;
    result_.header.notes.push_back(
        fmt::format("path: {} sent, {} lost, {} doubled, {} late; failures were confirmed",
                    path.sent, path.unanswered, path.duplicates, path.late));
  }

  /// Of the cases whose sockets are kept open: descriptors are not without end.
  static constexpr std::size_t most_open = 400;

  struct Open {
    std::size_t index;
    PlayedCase played;
  };

  DatagramNetwork& network_;
  const CertifyOptions& options_;
  Time started_;
  Patience patience_;
  std::string prefix_;
  CertifyResult result_;
  std::list<WireFormat> formats_;
  DatagramContext context_{.network = network_, .format = nullptr, .patience = patience_};
  bool sane_ = false;
  std::string silent_since_ = "not played: the target does not answer a ping";
  std::vector<DatagramAnswer> answers_;
  std::vector<Open> open_;
};

CertifyOutcome failed(const CertifyOptions& options, std::string error) {
  CertifyResult result;
  fill_header(result, options);
  fill_format(result, options.asked);
  result.run_error = std::move(error);
  return result;
}

CertifyOutcome over_process(const base::ExecEndpoint& target, const DatagramCaseMaker& make_cases,
                            CertifyOptions options) {
  auto network = SupervisedDatagrams::start(target, options.deadline);
  if (!network) return failed(options, network.error());
  options.exclusive = true;
  return certify_datagrams_over(**network, make_cases, options, true);
}

}  // namespace

CertifyOutcome certify_datagrams_over(DatagramNetwork& network, const DatagramCaseMaker& make_cases,
                                      const CertifyOptions& options, bool awaited) {
  if (options.recorder != nullptr) {
    RecordingDatagrams recording(network, *options.recorder);
    CertifyOptions recorded = options;
    recorded.recorder = nullptr;
    auto outcome = certify_datagrams_over(recording, make_cases, recorded, awaited);
    options.recorder->finish();
    return outcome;
  }
  Run run(network, options);
  const auto played = run.play(make_cases, awaited);
  if (!played) return played.error();
  return run.finish();
}

CertifyOutcome certify_datagrams(const DatagramCaseMaker& make_cases,
                                 const CertifyOptions& options) {
  if (const auto* exec = std::get_if<base::ExecEndpoint>(&options.target))
    return over_process(*exec, make_cases, options);
  const auto* const target = std::get_if<base::UdpEndpoint>(&options.target);
  if (target == nullptr) {
    return fmt::format("{} is spoken over UDP; allowed: udp://HOST:PORT, or exec:COMMAND",
                       options.asked.dialect->name);
  }
  auto network = SocketDatagrams::to(*target);
  if (!network) return failed(options, network.error());
  return certify_datagrams_over(**network, make_cases, options);
}

}  // namespace hallmark::conformance
