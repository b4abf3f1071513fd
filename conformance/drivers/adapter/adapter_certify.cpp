#include "conformance/drivers/adapter/adapter_certify.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/random.hpp"
#include "base/text.hpp"
#include "conformance/drivers/adapter/adapter_attendant.hpp"
#include "conformance/drivers/adapter/pipe_host.hpp"
#include "conformance/engine/run_header.hpp"
#include "conformance/engine/run_over.hpp"
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

class AdapterRun final : public RunDriver {
 public:
  AdapterRun(AdapterHost& host, Patience& patience, const CertifyOptions& options,
             const AdapterCases& cases)
      : host_(host),
        options_(options),
        cases_(cases),
        client_(host, patience),
        attendant_(host, client_),
        prefix_(options.asked.dialect->name) {}

  Seam& seam() override { return host_; }
  Attendant* attendant() override { return &attendant_; }
  bool exclusive() const override { return true; }

  base::Expected<Opening, std::string> open(CertifyResult& result) override {
    reports::RunHeader& header = result.header;
    header.dialect = prefix_;
    header.profile = protocol::name_of(options_.asked.profile.value_or(Profile::deployed));
    for (const Pin& pin : options_.asked.pins)
      header.readings.push_back(fmt::format("{}={}", pin.reading, pin.answer));
    CaseResult hello = greet();
    if (hello.verdict != Verdict::pass && client_.never_ran()) {
      result.run_error = std::move(hello.reason);
      return Opening();
    }
    Opening opening;
    for (const AdapterCase& one : cases_) opening.suite.emplace_back().cases = {one.entry};
    if (hello.verdict == Verdict::pass)
      header.notes.push_back("adapter: " + base::printable(name_));
    if (!has_listed_) {
      opening.mismatch = "not played: the adapter does not answer hello as it has to";
    }
    result.cases.push_back(std::move(hello));
    return opening;
  }

  void begin(Time until, CertifyResult&) override { until_ = until; }

  std::vector<CaseResult> play(const Unit& unit) override {
    const std::string& id = unit.cases.front().id;
    const auto one = std::ranges::find_if(
        cases_, [&](const AdapterCase& other) { return other.entry.id == id; });
    return {play_one(*one)};
  }

  std::string why_no_more() override {
    return overdue() ? std::string(run_takes_too_long) : std::string();
  }

  bool stopped() override {
    const std::atomic<bool>* const stop = options_.schedule.stop;
    return host_.is_over((stop != nullptr && stop->load()) || overdue());
  }

  void close(CertifyResult& result) override {
    if (reports::count_verdicts(result).unsupported > 0)
      result.missing_operations = lacking(supports_);
  }

 private:
  bool overdue() const { return host_.now() >= until_; }

  /// Asks what the adapter has. What it lists counts, whatever else is wrong with its hello.
  CaseResult greet() {
    const AdapterCase hello{hello_entry(prefix_), [this](AdapterTrial& trial) {
                              const Json answer = trial.ask({{"op", "hello"}, {"protocol", 1}});
                              auto supports = read_supports(answer);
                              has_listed_ = static_cast<bool>(supports);
                              if (supports) supports_ = std::move(*supports);
                              const auto said = read_hello(answer);
                              if (!said) trial.fail("hello is answered wrongly: " + said.error());
                              name_ = answer["implementation"].string();
                            }};
    host_.begin_part(hello.entry.id);
    return play_one(hello);
  }

  CaseResult play_one(const AdapterCase& one) {
    CaseResult result = play_attended(&attendant_, one.entry, [&] { return tried(one); }).result;
    if (worth_evidence(result.verdict) && stopped()) return cut_off(one.entry, run_is_over);
    return result;
  }

  CaseResult tried(const AdapterCase& one) {
    CaseResult result = not_played(one.entry, Verdict::pass, {});
    AdapterTrial trial(client_, supports_, seed_of(options_.seed, one.entry.id));
    const Time begun = client_.now();
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

  AdapterHost& host_;
  const CertifyOptions& options_;
  const AdapterCases& cases_;
  AdapterClient client_;
  AdapterAttendant attendant_;
  std::string prefix_;
  Time until_ = std::numeric_limits<Time>::max();
  Supports supports_;
  bool has_listed_ = false;
  std::string name_;
};

}  // namespace

CertifyResult certify_adapter_over(AdapterHost& host, const AdapterCases& cases,
                                   const CertifyOptions& options) {
  const auto course = [&](AdapterHost& over, const CertifyOptions& own) {
    Patience patience(own.deadline);
    AdapterRun run(over, patience, own, cases);
    return certify_by(run, patience, own);
  };
  return *recorded_over<RecordingHost>(host, options, course);
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
