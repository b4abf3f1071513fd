#include "conformance/drivers/adapter/adapter_certify.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/random.hpp"
#include "base/text.hpp"
#include "conformance/drivers/adapter/adapter_deaths.hpp"
#include "conformance/drivers/adapter/pipe_host.hpp"
#include "conformance/drivers/stream/player.hpp"
#include "conformance/engine/run_header.hpp"
#include "conformance/record/recording_network.hpp"

namespace hallmark::conformance {
namespace {

using base::Json;
using protocol::Profile;
using reports::CaseResult;
using reports::CertifyResult;
using reports::Verdict;

CaseEntry hello_entry(const std::string& prefix) {
  return {prefix + "/adapter/hello",
          "the adapter says what it is and what it has",
          "adapter",
          protocol::Level::must,
          {"adapter.hello"},
          Delivery::whole};
}

/// A sequence of its own for every case: it is the same whichever others are chosen.
std::uint64_t seed_of(std::uint64_t seed, const std::string& id) { return seed ^ base::fnv1a(id); }

class Run {
 public:
  Run(AdapterHost& host, const CertifyOptions& options)
      : host_(host),
        options_(options),
        client_(host, options.deadline),
        deaths_(host, client_),
        started_(host.now()) {
    fill_header(result_, options);
    result_.header.dialect = options.asked.dialect->name;
    result_.header.profile = protocol::name_of(options.asked.profile.value_or(Profile::deployed));
    for (const Pin& pin : options.asked.pins)
      result_.header.readings.push_back(fmt::format("{}={}", pin.reading, pin.answer));
  }

  CertifyResult play(const AdapterCases& cases) {
    total_ = cases.size() + 1;
    if (greet()) {
      for (const AdapterCase& one : cases) {
        if (stopped()) break;
        take(play_or_skip(one));
      }
    } else if (result_.run_error.empty()) {
      for (const AdapterCase& one : cases)
        take(not_played(one.entry, Verdict::skipped,
                        "not played: the adapter does not answer hello as it has to"));
    }
    if (reports::count_verdicts(result_).unsupported > 0)
      result_.missing_operations = lacking(supports_);
    host_.begin_part("end");
    result_.interrupted = stopped();
    result_.deaths = deaths_.take();
    if (result_.run_error.empty()) result_.run_error = deaths_.error();
    result_.header.duration = std::chrono::nanoseconds(client_.now() - started_);
    return std::move(result_);
  }

 private:
  /// Whether the adapter said what it has. One that ends before it says a word is not judged.
  bool greet() {
    const std::string prefix(options_.asked.dialect->name);
    AdapterCase one{hello_entry(prefix), [this](AdapterTrial& trial) {
                      const Json answer = trial.ask({{"op", "hello"}, {"protocol", 1}});
                      auto said = read_hello(answer);
                      if (!said) trial.fail("hello is answered wrongly: " + said.error());
                      supports_ = std::move(*said);
                      name_ = answer["implementation"].string();
                    }};
    CaseResult played = deaths_.look_into(play_one(one), [&] { return play_one(one); });
    const bool passed = played.verdict == Verdict::pass;
    if (!passed && client_.never_ran()) {
      result_.run_error = played.reason;
    } else {
      take(std::move(played));
    }
    if (passed) result_.header.notes.push_back("adapter: " + base::printable(name_));
    return passed;
  }

  CaseResult play_or_skip(const AdapterCase& one) {
    if (!client_.exhausted())
      return deaths_.look_into(play_one(one), [&] { return play_one(one); });
    return not_played(one.entry, Verdict::skipped,
                      fmt::format("not played: {} times the adapter did not answer in time",
                                  AdapterClient::most_silences));
  }

  CaseResult play_one(const AdapterCase& one) {
    CaseResult result = not_played(one.entry, Verdict::pass, {});
    AdapterTrial trial(client_, supports_, seed_of(options_.seed, one.entry.id));
    host_.begin_part(one.entry.id);
    const Time begun = client_.now();
    client_.begin();
    conclude(result, judged(one, trial));
    if (result.verdict == Verdict::fail) {
      result.evidence = client_.evidence();
      result.reproduction = client_.reproduction();
    }
    result.duration = std::chrono::nanoseconds(client_.now() - begun);
    return result;
  }

  /// Whatever the case itself says, a line too many fails it.
  Judgement judged(const AdapterCase& one, AdapterTrial& trial) {
    Judgement judgement;
    try {
      one.run(trial);
    } catch (const CaseEnded& ended) {
      judgement = ended.judgement();
    } catch (const std::exception& unexpected) {
      return {Verdict::error, fmt::format("the case itself broke: {}", unexpected.what()), {}, {}};
    }
    if (judgement.verdict == Verdict::fail || judgement.verdict == Verdict::error) return judgement;
    try {
      client_.fence();
    } catch (const CaseEnded& ended) {
      return ended.judgement();
    }
    return judgement;
  }

  void take(CaseResult result) {
    if (result.verdict == Verdict::fail || result.verdict == Verdict::error) ++failed_;
    result_.cases.push_back(std::move(result));
    if (!options_.schedule.on_progress) return;
    options_.schedule.on_progress({result_.cases.size(), total_, failed_});
  }

  bool stopped() const {
    const std::atomic<bool>* const stop = options_.schedule.stop;
    return host_.shared(Shared::stopped, stop != nullptr && stop->load()) != 0;
  }

  AdapterHost& host_;
  const CertifyOptions& options_;
  AdapterClient client_;
  AdapterDeaths deaths_;
  Time started_;
  Supports supports_;
  std::string name_;
  CertifyResult result_;
  std::size_t total_ = 0;
  std::size_t failed_ = 0;
};

}  // namespace

CertifyResult certify_adapter_over(AdapterHost& host, const AdapterCases& cases,
                                   const CertifyOptions& options) {
  if (options.recorder != nullptr) {
    RecordingHost recording(host, *options.recorder);
    CertifyResult result = Run(recording, options).play(cases);
    options.recorder->finish();
    return result;
  }
  return Run(host, options).play(cases);
}

CertifyOutcome certify_adapter(const AdapterCases& cases, const CertifyOptions& options) {
  const auto* const target = std::get_if<base::PipeEndpoint>(&options.target);
  if (target == nullptr)
    return fmt::format("{} is spoken to an adapter; allowed: pipe:COMMAND",
                       options.asked.dialect->name);
  PipeHost host(target->command);
  return certify_adapter_over(host, cases, options);
}

protocol::Readings adapter_readings(const Asked& asked) {
  return readings_with_pins(asked, asked.profile.value_or(Profile::deployed));
}

}  // namespace hallmark::conformance
