#include "conformance/drivers/datagram/datagram_certify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <list>

#include "conformance/drivers/datagram/datagram_canary.hpp"
#include "conformance/drivers/datagram/datagram_player.hpp"
#include "conformance/drivers/datagram/socket_datagrams.hpp"
#include "conformance/drivers/datagram/supervised_datagrams.hpp"
#include "conformance/engine/run_header.hpp"
#include "conformance/engine/run_over.hpp"
#include "conformance/record/recording_network.hpp"
#include "conformance/suites/ratelimit_udp/datagram_readings.hpp"
#include "conformance/suites/throttr/readings/survey.hpp"
#include "conformance/supervisor/process_supervisor.hpp"

namespace hallmark::conformance {
namespace {

using protocol::Profile;
using protocol::Readings;
using reports::CaseResult;
using reports::CertifyResult;
using reports::Verdict;

/// The number of pings that are sent before anything is judged, to show what the path does to
/// datagrams.
constexpr std::size_t pings = 100;

DatagramCase sanity(const std::string& prefix, std::string_view when) {
  return {{fmt::format("{}/sanity/{}", prefix, when),
           fmt::format("the target answers a ping {} all other cases", when),
           "ping",
           protocol::Level::must,
           {"ping.pong", "id.repeated"},
           Delivery::whole},
          [](Attempt& attempt) { attempt.ask("ping"); }};
}

class DatagramRun final : public RunDriver {
 public:
  DatagramRun(DatagramNetwork& network, Patience& patience, const CertifyOptions& options,
              const DatagramCaseMaker& make_cases, bool awaited)
      : network_(network),
        options_(options),
        make_cases_(make_cases),
        awaited_(awaited),
        prefix_(options.asked.dialect->name),
        context_{.network = network, .format = nullptr, .patience = patience} {
    context_.nonce = nonce_of(options);
    context_.exclusive = options.exclusive && !options.schedule.polite;
    context_.stop = options.schedule.stop;
    hold_to(Readings(*options.asked.dialect, options.asked.profile.value_or(Profile::deployed)));
    if (options.readings_needed) wanted_ = options.readings_needed(*context_.format);
  }

  Seam& seam() override { return network_; }
  Attendant* attendant() override { return network_.supervisor(); }
  bool exclusive() const override { return options_.exclusive && !options_.schedule.polite; }
  bool stopped() override { return context_.stopped(); }

  base::Expected<Opening, std::string> open(CertifyResult& result) override {
    fill_format(result, options_.asked);
    result.header.width.clear();
    if (std::string error = reach(); !error.empty()) {
      if (!stopped()) result.run_error = std::move(error);
      return Opening();
    }
    const bool sane = ping_before(result);
    const auto& code = result.cases.back().code;
    const bool silent = code && code->kind == reports::Code::Kind::silent;
    if (sane) survey_path();
    if (sane && !stopped()) ask(Danger::documented, result);
    if (auto made = make(result); !made) return made.error();
    Opening opening{.suite = suite()};
    // A wrong answer to a ping is no reason to ask nothing else.
    if (silent) opening.mismatch = "not played: the target does not answer a ping";
    return opening;
  }

  base::Expected<std::optional<Suite>, std::string> learn(Danger danger,
                                                          CertifyResult& result) override {
    if (danger == Danger::documented || !lost_.empty()) return std::optional<Suite>();
    ask(danger, result);
    if (auto made = make(result); !made) return made.error();
    return std::optional(suite());
  }

  void begin(Time until, CertifyResult&) override { context_.until = until; }

  std::vector<CaseResult> play(const Unit& unit) override {
    const CaseEntry& entry = unit.cases.front();
    const auto found = std::ranges::find_if(
        cases_, [&](const DatagramCase& one) { return one.entry.id == entry.id; });
    return {play_one(*found)};
  }

  std::string why_no_more() override {
    if (!lost_.empty()) return fmt::format("not played: {}", lost_);
    return context_.overdue() ? std::string(run_takes_too_long) : std::string();
  }

  void close(CertifyResult& result) override {
    if (lost_.empty() && !stopped()) result.cases.push_back(ping_after());
    if (!lost_.empty() && result.run_error.empty())
      result.run_error = fmt::format("{}; being played then: {}", lost_, suspect_);
    judge_what_came_late(result);
    tell_of_path(context_.path, result);
  }

 private:
  /// The target is held to those readings from here on.
  void hold_to(const Readings& readings) {
    context_.format = &formats_.emplace_back(protocol::Width::none, readings);
  }

  /// Pings until one is answered with anything. What is wrong; empty: nothing. A target that was
  /// started may listen before all that it needs does: it is pinged in rounds, since in a round the
  /// pings come ever further apart.
  std::string reach() {
    const Time patience = awaited_ ? patience_to_start(options_.deadline) : options_.deadline;
    const Time until = network_.now() + patience;
    Pinged pinged;
    std::size_t sent = 0;
    do {
      pinged = ping_until_answered(context_, std::min(until, network_.now() + options_.deadline),
                                   awaited_);
      sent += pinged.sent;
    } while (pinged.sign != SignOfLife::answers && pinged.error.empty() && awaited_ &&
             network_.now() < until && !stopped());
    if (pinged.sign == SignOfLife::answers) {
      // The first reply of a process that was just started may have waited for it to serve.
      const Pinged again = awaited_ ? ping_until_answered(context_, until, awaited_) : pinged;
      context_.round_trip = again.round_trip;
      return {};
    }
    if (!pinged.error.empty()) return pinged.error;
    if (pinged.sign == SignOfLife::gone && !awaited_)
      return fmt::format("cannot reach {}: nobody listens there", options_.target_text);
    return fmt::format("no answer from {} to {} pings in {} s", options_.target_text, sent,
                       static_cast<double>(patience) / 1e9);
  }

  bool ping_before(CertifyResult& result) {
    const DatagramCase before = sanity(prefix_, "before");
    network_.begin_part(before.entry.id);
    result.cases.push_back(play_one(before));
    return result.cases.back().verdict == Verdict::pass;
  }

  CaseResult ping_after() {
    const DatagramCase after = sanity(prefix_, "after");
    network_.begin_part(after.entry.id);
    return play_one(after);
  }

  void survey_path() {
    Attempt attempt(context_, "path", 0, false);
    for (std::size_t i = 0; i < pings && !stopped(); ++i) {
      try {
        attempt.try_once("ping", {});
      } catch (const Unanswered&) {
      } catch (const CaseEnded&) {
        return;  // the answer to a ping is for cases to judge
      }
    }
  }

  void ask(Danger danger, CertifyResult& result) {
    Readings told = context_.format->readings();
    const auto pins = pins_of(options_.asked, told.dialect());
    auto answers =
        ask_readings(context_, danger, told,
                     {prefix_, pins, options_.asked.pins, options_.schedule.polite, wanted_,
                      [this](const DatagramCase& one) { return play_watched(one); }});
    for (const Pin& pin : pins) static_cast<void>(told.set(pin.reading, pin.answer));
    hold_to(told);
    for (DatagramAnswer& answer : answers) {
      result.header.answers.push_back({std::string(answer.reading),
                                       std::string(told.answer(answer.reading)), answer.told,
                                       answer.not_asked});
      answers_.push_back(std::move(answer));
    }
  }

  /// Makes the cases for what is known now.
  base::Expected<void, std::string> make(CertifyResult& result) {
    result.header.readings.clear();
    fill_format(result, *context_.format, options_.asked.profile.value_or(Profile::deployed));
    auto cases = make_cases_(*context_.format);
    if (!cases) return cases.error();
    cases_ = std::move(*cases);
    take_asked(result);
    return {};
  }

  Suite suite() const {
    Suite suite;
    for (const DatagramCase& one : cases_) suite.emplace_back().cases = {one.entry};
    return suite;
  }

  /// The readings that were chosen take their places; they are not asked for again.
  void take_asked(CertifyResult& result) {
    for (DatagramAnswer& answer : answers_) {
      const std::string id = reading_case(prefix_, answer.reading);
      const auto same = [&](const DatagramCase& one) { return one.entry.id == id; };
      if (std::erase_if(cases_, same) == 0) continue;
      const auto there = std::ranges::find(result.cases, id, &CaseResult::id);
      if (there != result.cases.end()) continue;
      result.cases.push_back(answer.played.result);
      keep_open(std::move(answer.played));
    }
  }

  CaseResult play_one(const DatagramCase& one) {
    PlayedCase played = play_watched(one);
    CaseResult result = played.result;
    keep_open(std::move(played));
    return result;
  }

  /// Plays a case, and finds out what became of a target that falls silent.
  PlayedCase play_watched(const DatagramCase& one) {
    const bool was_clean = context_.path.clean();
    PlayedCase played;
    Attended attended = play_attended(attendant(), one.entry, [&] {
      played = conformance::play(context_, one);
      return played.result;
    });
    CaseResult& result = attended.result;
    if (worth_evidence(result.verdict) && stopped()) {
      result = cut_off(one.entry, run_is_over);
    } else if (played.fell_silent && !attended.died) {
      examine_silence(result, was_clean);
    }
    played.result = std::move(result);
    return played;
  }

  /// A target that fell silent may be one that is started again.
  void examine_silence(CaseResult& result, bool was_clean) {
    const Examined found = examine_target(context_);
    if (found == Examined::well && !was_clean) {
      result.verdict = Verdict::indeterminate;
      result.reason += "; later it answers again";
    }
    if (found != Examined::hangs && found != Examined::is_gone) return;
    lost_ = found == Examined::hangs ? "the target hangs: it answers no ping"
                                     : "the target is gone: nobody listens any more";
    lost_ += fmt::format(" since the case {}", result.id);
    suspect_ = with_last_bytes(result);
    result.code = reports::Code{.kind = reports::Code::Kind::hang, .message = result.operation};
  }

  void keep_open(PlayedCase played) {
    open_.push_back(std::move(played));
    while (open_.size() > most_open) open_.pop_front();
  }

  void judge_what_came_late(CertifyResult& result) {
    for (PlayedCase& played : open_) {
      const Verdict before = played.result.verdict;
      judge_late(played);
      // Else what the case came to since, played alone, stands.
      if (played.result.verdict == before) continue;
      const auto one = std::ranges::find(result.cases, played.result.id, &CaseResult::id);
      if (one != result.cases.end()) *one = played.result;
    }
    open_.clear();
  }

  static void tell_of_path(const PathRecord& path, CertifyResult& result) {
    if (path.clean()) return;
    result.header.notes.push_back(
        fmt::format("path: {} sent, {} lost, {} doubled, {} late; failures were confirmed",
                    path.sent, path.unanswered, path.duplicates, path.late));
  }

  /// The most cases whose sockets are kept open: a process has only so many descriptors.
  static constexpr std::size_t most_open = 400;

  DatagramNetwork& network_;
  const CertifyOptions& options_;
  const DatagramCaseMaker& make_cases_;
  bool awaited_;
  std::string prefix_;
  std::list<WireFormat> formats_;
  DatagramContext context_;
  std::optional<std::set<std::string>> wanted_;  ///< the readings that are asked for; nothing: all
  DatagramCases cases_;
  std::vector<DatagramAnswer> answers_;
  std::string lost_;     ///< why nothing more is asked of the target; empty: it is
  std::string suspect_;  ///< the case that was played when it was lost
  std::deque<PlayedCase> open_;
};

}  // namespace

CertifyOutcome certify_datagrams_over(DatagramNetwork& network, const DatagramCaseMaker& make_cases,
                                      const CertifyOptions& options, bool awaited) {
  const auto course = [&](DatagramNetwork& over, const CertifyOptions& own) {
    Patience patience(own.deadline);
    DatagramRun run(over, patience, own, make_cases, awaited);
    return certify_by(run, patience, own);
  };
  return recorded_over<RecordingDatagrams>(network, options, course);
}

CertifyOutcome certify_datagrams(const DatagramCaseMaker& make_cases,
                                 const CertifyOptions& options) {
  if (const auto* exec = std::get_if<base::ExecEndpoint>(&options.target))
    return over_process<SupervisedDatagrams>(
        *exec, options, [&](DatagramNetwork& network, const CertifyOptions& own) {
          return certify_datagrams_over(network, make_cases, own, true);
        });
  const auto* const target = std::get_if<base::UdpEndpoint>(&options.target);
  if (target == nullptr) {
    return fmt::format("{} is spoken over UDP; allowed: udp://HOST:PORT, or exec:COMMAND",
                       options.asked.dialect->name);
  }
  auto network = SocketDatagrams::to(*target);
  if (!network) return failed_run(options, network.error());
  return certify_datagrams_over(**network, make_cases, options);
}

}  // namespace hallmark::conformance
