#include "conformance/engine/certify.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "conformance/drivers/stream/socket_network.hpp"
#include "conformance/drivers/stream/supervised_network.hpp"
#include "conformance/engine/basis.hpp"
#include "conformance/engine/canary.hpp"
#include "conformance/engine/confirmation.hpp"
#include "conformance/engine/rounds.hpp"
#include "conformance/engine/run_header.hpp"
#include "conformance/engine/sanity.hpp"
#include "conformance/engine/unsupported.hpp"
#include "conformance/record/recording_network.hpp"
#include "conformance/supervisor/post_mortem.hpp"

namespace hallmark::conformance {
namespace {

using protocol::Profile;
using reports::CertifyResult;
using reports::Verdict;

/// One run over a network: what is found out first, and the suite that follows.
class Run {
 public:
  Run(Network& network, const CertifyOptions& options)
      : network_(network), options_(options), started_(network.now()), patience_(options.deadline) {
    fill_header(result_, options);
  }

  boost::system::result<void, std::string> find_out_and_play(const SuiteMaker& make_suite);
  void play(const WireFormat& format, const Suite& suite, const std::string& likely_cause);

  CertifyResult finish() {
    // What is left by now died of no case of the suite.
    look_into_deaths({}, nullptr);
    network_.begin_part("end");
    result_.header.duration = std::chrono::nanoseconds(network_.now() - started_);
    return std::move(result_);
  }

  bool reach() {
    const auto link = network_.connect(network_.now() + options_.deadline);
    if (!link) result_.run_error = link.error();
    return static_cast<bool>(link);
  }

 private:
  bool stopped() const {
    const std::atomic<bool>* const stop = options_.schedule.stop;
    return network_.shared(Shared::stopped, stop != nullptr && stop->load()) != 0;
  }
  void take_answers(Basis& basis);
  bool is_stranger() const;
  void take_back_doubts(const std::string& doubts);
  void say_what_was_lost(RunContext& context);
  std::string take_found(Basis& basis, Suite& suite);
  void skip(const Suite& suite, const std::string& reason);
  void confirm_failures(RunContext& context, const Suite& suite);
  void play_rounds(RunContext& context, const Suite& suite);
  void look_into_deaths(const PlayAlone& play_alone, const WireFormat* format);

  Network& network_;
  const CertifyOptions& options_;
  Time started_;
  Patience patience_;
  CertifyResult result_;
};

/// The case of that id as a suite of its own; nothing where the suite has no such case.
std::optional<reports::CaseResult> play_alone(RunContext& context, const Suite& suite,
                                              const std::string& id) {
  for (const Unit& unit : suite) {
    const auto entry = std::ranges::find(unit.cases, id, &CaseEntry::id);
    if (entry == unit.cases.end()) continue;
    Unit alone = unit;
    alone.cases = {*entry};
    context.network.begin_part("alone: " + id);
    Housekeeper housekeeper(context);
    return std::move(play_unit(context, housekeeper, alone).front());
  }
  return std::nullopt;
}

void Run::play(const WireFormat& format, const Suite& suite, const std::string& likely_cause) {
  RunContext context{.network = network_, .format = format, .patience = patience_};
  context.nonce = nonce_of(options_);
  context.exclusive = options_.exclusive;
  context.stop = options_.schedule.stop;
  context.until = network_.now() + longest_run(suite, options_.deadline, options_.schedule.slow);
  if (Supervisor* const supervisor = network_.supervisor()) supervisor->end_by(context.until);
  context.failures = options_.failures;
  if (context.failures != nullptr) context.failures->are_of(format);
  const std::string prefix = id_prefix(&format.dialect(), format.width());
  try_canary(context);
  network_.begin_part(prefix + "/sanity/before");
  result_.cases.push_back(sanity_before(context, prefix));
  if (context.likely_cause.empty() && result_.cases.back().verdict != Verdict::pass) {
    context.likely_cause = likely_cause;
    if (result_.cases.back().likely_cause.empty()) result_.cases.back().likely_cause = likely_cause;
  }
  play_rounds(context, suite);
  network_.begin_part(prefix + "/sanity/after");
  if (!result_.interrupted) result_.cases.push_back(sanity_after(context, prefix));
  say_what_was_lost(context);
  take_back_doubts(likely_cause);
  network_.begin_part("unsupported");
  mark_unsupported(context, result_);
  if (!result_.interrupted && options_.confirm && !is_stranger()) confirm_failures(context, suite);
}

void Run::say_what_was_lost(RunContext& context) {
  const Loss loss = context.given_up();
  if (loss == Loss::none || !result_.run_error.empty()) return;
  result_.run_error =
      fmt::format("{}; being played then: {}", in_words(loss), fmt::join(context.suspects, "; "));
}

/// Hardly anything that was asked in the dialect was answered as it should be.
bool Run::is_stranger() const {
  const auto count = [&](Verdict verdict) {
    return std::ranges::count(result_.cases, verdict, &reports::CaseResult::verdict);
  };
  return count(Verdict::pass) * 4 < count(Verdict::fail);
}

/// A target that gave a stranger's answer to the first questions speaks the dialect all the same
/// where whole vectors of it pass.
void Run::take_back_doubts(const std::string& doubts) {
  if (doubts.empty() || is_stranger()) return;
  for (reports::CaseResult& one : result_.cases) {
    if (one.likely_cause == doubts) one.likely_cause.clear();
  }
  reports::CaseResult& dialect = result_.cases.front();
  if (!dialect.id.ends_with("/sanity/dialect") || dialect.verdict != Verdict::fail) return;
  dialect.verdict = Verdict::skipped;
  dialect.reason = fmt::format("other cases pass, and tell what is wrong: {}", dialect.reason);
}

void Run::confirm_failures(RunContext& context, const Suite& suite) {
  network_.begin_part("confirmation");
  if (network_.shared(Shared::started_here, network_.supervisor() != nullptr ? 1 : 0) == 0) return;
  Confirmation(context, suite, [&](const std::string& id) {
    return play_alone(context, suite, id);
  }).confirm(result_);
  look_into_deaths([&](const std::string& id) { return play_alone(context, suite, id); },
                   &context.format);
}

/// A target that dies of much is given up in the middle; when it is known what kills it, the rest
/// is played.
void Run::play_rounds(RunContext& context, const Suite& suite) {
  const auto alone = [&](const std::string& id) { return play_alone(context, suite, id); };
  Suite left = suite;
  for (unsigned round = 0; round < most_rounds && !left.empty(); ++round) {
    ScheduleResult played = play_suite(context, left, options_.schedule);
    result_.interrupted = played.interrupted;
    for (reports::CaseResult& one : played.cases) {
      if (round == 0) {
        result_.cases.push_back(std::move(one));
      } else {
        take(result_.cases, std::move(one));
      }
    }
    Supervisor* const supervisor = network_.supervisor();
    const bool gave_up = supervisor != nullptr && !supervisor->given_up().empty();
    look_into_deaths(alone, &context.format);
    if (!gave_up || result_.interrupted || !supervisor->given_up().empty()) return;
    left = left_after_deaths(suite, result_);
  }
}

void Run::look_into_deaths(const PlayAlone& play_alone, const WireFormat* format) {
  Supervisor* const supervisor = network_.supervisor();
  if (supervisor == nullptr) return;
  const auto nothing = [](const std::string&) { return std::optional<reports::CaseResult>(); };
  hold_post_mortem(*supervisor, play_alone ? play_alone : nothing, format, result_);
}

void Run::take_answers(Basis& basis) {
  fill_format(result_, options_.asked);
  result_.run_error = std::move(basis.run_error);
  result_.header.answers = std::move(basis.answers);
  result_.header.notes = std::move(basis.notes);
  if (basis.format == nullptr) return;
  fill_format(result_, *basis.format, options_.asked.profile.value_or(Profile::deployed));
}

/// The cases that were found out before take the places of those of the suite; those that were not
/// chosen are dropped. Returns why the rest is not to be played.
std::string Run::take_found(Basis& basis, Suite& suite) {
  for (reports::CaseResult& one : basis.cases) {
    const auto same = [&](const Unit& unit) { return unit.cases.front().id == one.id; };
    const bool chosen = std::erase_if(suite, same) > 0;
    if (chosen || &one == &basis.cases.front()) result_.cases.push_back(std::move(one));
  }
  return std::move(basis.mismatch);
}

void Run::skip(const Suite& suite, const std::string& reason) {
  for (const Unit& unit : suite) {
    for (const CaseEntry& entry : unit.cases)
      result_.cases.push_back(not_played(entry, Verdict::skipped, reason));
  }
}

boost::system::result<void, std::string> Run::find_out_and_play(const SuiteMaker& make_suite) {
  Basis basis = find_basis(network_, patience_,
                           {.asked = options_.asked,
                            .deadline = options_.deadline,
                            .nonce = nonce_of(options_),
                            .stop = options_.schedule.stop});
  take_answers(basis);
  if (!result_.run_error.empty()) return {};
  Suite suite;
  if (basis.format != nullptr) {
    auto made = make_suite(*basis.format);
    if (!made) return made.error();
    suite = std::move(*made);
  }
  const std::string mismatch = take_found(basis, suite);
  look_into_deaths({}, basis.format.get());
  if (stopped()) {
    result_.interrupted = true;
  } else if (!mismatch.empty() || basis.format == nullptr) {
    skip(suite, mismatch);
  } else {
    play(*basis.format, suite, basis.likely_cause);
  }
  return {};
}

CertifyResult failed_run(const CertifyOptions& options, std::string error) {
  CertifyResult result;
  fill_header(result, options);
  fill_format(result, options.asked);
  result.run_error = std::move(error);
  return result;
}

/// How a run goes over a network that there is.
using Course = std::function<CertifyOutcome(Network&, const CertifyOptions&)>;

CertifyOutcome over_process(const base::ExecEndpoint& target, const Course& course,
                            CertifyOptions options) {
  auto network = SupervisedNetwork::start(target, options.deadline);
  if (!network) return failed_run(options, network.error());
  options.exclusive = true;
  return course(**network, options);
}

CertifyOutcome over_target(const Course& course, const CertifyOptions& options) {
  if (const auto* exec = std::get_if<base::ExecEndpoint>(&options.target))
    return over_process(*exec, course, options);
  const auto* tcp = std::get_if<base::TcpEndpoint>(&options.target);
  const auto network = tcp != nullptr
                           ? SocketNetwork::to(*tcp)
                           : SocketNetwork::to(std::get<base::UnixEndpoint>(options.target));
  if (!network) return failed_run(options, network.error());
  return course(**network, options);
}

}  // namespace

CertifyOutcome certify_over(Network& network, const SuiteMaker& make_suite,
                            const CertifyOptions& options) {
  if (options.recorder != nullptr) {
    RecordingNetwork recording(network, *options.recorder);
    CertifyOptions recorded = options;
    recorded.recorder = nullptr;
    auto outcome = certify_over(recording, make_suite, recorded);
    options.recorder->finish();
    return outcome;
  }
  Run run(network, options);
  const auto played = run.find_out_and_play(make_suite);
  if (!played) return played.error();
  return run.finish();
}

CertifyResult certify_over(Network& network, const WireFormat& format, const Suite& suite,
                           const CertifyOptions& options) {
  Run run(network, options);
  if (run.reach()) run.play(format, suite, {});
  CertifyResult result = run.finish();
  fill_format(result, format, Profile::deployed);
  result.header.profile = protocol::name_of(Profile::deployed);
  return result;
}

CertifyOutcome certify(const SuiteMaker& make_suite, const CertifyOptions& options) {
  return over_target(
      [&](Network& network, const CertifyOptions& own) {
        return certify_over(network, make_suite, own);
      },
      options);
}

CertifyResult certify(const WireFormat& format, const Suite& suite, const CertifyOptions& options) {
  CertifyResult result = *over_target(
      [&](Network& network, const CertifyOptions& own) {
        return CertifyOutcome(certify_over(network, format, suite, own));
      },
      options);
  result.header.dialect = format.dialect().name;
  result.header.width = protocol::name_of(format.width());
  return result;
}

namespace {

protocol::Level level_of(reports::Level level) {
  switch (level) {
    case reports::Level::must: return protocol::Level::must;
    case reports::Level::should: return protocol::Level::should;
    case reports::Level::may: return protocol::Level::may;
  }
  return protocol::Level::must;
}

/// In the order of the suite, so that the same run gives the same files.
std::vector<const Failure*> in_order(const Failures& failures, const CertifyResult& result) {
  std::vector<const Failure*> ordered;
  for (const reports::CaseResult& one : result.cases) {
    const auto found = std::ranges::find(failures.all(), one.id, &Failure::case_id);
    if (found != failures.all().end() && one.verdict == Verdict::fail) ordered.push_back(&*found);
  }
  return ordered;
}

}  // namespace

std::vector<Reproduction> reduce_failures(const Failures& failures, const CertifyOptions& options,
                                          CertifyResult& result) {
  std::vector<Reproduction> reproductions;
  if (failures.format() == nullptr || failures.all().empty()) return reproductions;
  const auto course = [&](Network& network, const CertifyOptions& own) {
    constexpr Time longest_wait = 500'000'000;
    for (const Failure* const failure : in_order(failures, result)) {
      Patience patience(std::min(own.deadline, longest_wait));
      RunContext context{.network = network, .format = *failures.format(), .patience = patience};
      context.nonce = nonce_of(own);
      context.stop = own.schedule.stop;
      Housekeeper housekeeper(context);
      auto one = reduced(context, housekeeper, *failure);
      if (!one) continue;
      auto& failed = *std::ranges::find(result.cases, one->case_id, &reports::CaseResult::id);
      failed.reproduction = hex_script(*one);
      one->vector.title = "what is left of: " + failed.title;
      one->vector.clauses = failed.clauses;
      one->vector.level = level_of(failed.level);
      reproductions.push_back(std::move(*one));
    }
    return CertifyOutcome(CertifyResult());
  };
  static_cast<void>(over_target(course, options));
  return reproductions;
}

}  // namespace hallmark::conformance
