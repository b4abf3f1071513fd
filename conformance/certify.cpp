#include "conformance/certify.hpp"

#include <fmt/format.h>

#include <iterator>

#include "conformance/basis.hpp"
#include "conformance/process.hpp"
#include "conformance/run_header.hpp"
#include "conformance/sanity.hpp"
#include "conformance/socket_network.hpp"
#include "conformance/unsupported.hpp"

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

  CertifyResult finish(const std::function<std::string()>& died) {
    if (died) {
      if (const std::string how = died(); !how.empty())
        result_.run_error = "the target died during the run: " + how;
    }
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
    return options_.schedule.stop != nullptr && options_.schedule.stop->load();
  }
  void take_answers(Basis& basis);
  std::string take_found(Basis& basis, Suite& suite);
  void skip(const Suite& suite, const std::string& reason);

  Network& network_;
  const CertifyOptions& options_;
  Time started_;
  Patience patience_;
  CertifyResult result_;
};

void Run::play(const WireFormat& format, const Suite& suite, const std::string& likely_cause) {
  RunContext context{.network = network_, .format = format, .patience = patience_};
  context.nonce = nonce_of(options_);
  context.exclusive = options_.exclusive;
  context.stop = options_.schedule.stop;
  const std::string prefix = id_prefix(&format.dialect(), format.width());
  result_.cases.push_back(sanity_before(context, prefix));
  if (context.likely_cause.empty() && result_.cases.back().verdict != Verdict::pass) {
    context.likely_cause = likely_cause;
    if (result_.cases.back().likely_cause.empty()) result_.cases.back().likely_cause = likely_cause;
  }
  ScheduleResult played = play_suite(context, suite, options_.schedule);
  result_.interrupted = played.interrupted;
  std::move(played.cases.begin(), played.cases.end(), std::back_inserter(result_.cases));
  if (!result_.interrupted) result_.cases.push_back(sanity_after(context, prefix));
  mark_unsupported(context, result_);
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
using Course = std::function<CertifyOutcome(Network&, const CertifyOptions&,
                                            const std::function<std::string()>& died)>;

CertifyOutcome over_process(const ExecTarget& target, const Course& course,
                            CertifyOptions options) {
  auto process = Process::start(target.command);
  if (!process) return failed_run(options, process.error());
  auto network = SocketNetwork::to(TcpTarget{"127.0.0.1", (*process)->port()});
  if (!network) return failed_run(options, network.error());
  const auto listens =
      wait_until_it_listens(**process, **network, (*network)->now() + options.deadline);
  if (!listens) return failed_run(options, listens.error());
  options.exclusive = true;
  return course(**network, options, [&] { return (*process)->how_it_died(); });
}

CertifyOutcome over_target(const Course& course, const CertifyOptions& options) {
  if (const auto* exec = std::get_if<ExecTarget>(&options.target))
    return over_process(*exec, course, options);
  const auto* tcp = std::get_if<TcpTarget>(&options.target);
  const auto network = tcp != nullptr ? SocketNetwork::to(*tcp)
                                      : SocketNetwork::to(std::get<UnixTarget>(options.target));
  if (!network) return failed_run(options, network.error());
  return course(**network, options, {});
}

}  // namespace

CertifyOutcome certify_over(Network& network, const SuiteMaker& make_suite,
                            const CertifyOptions& options,
                            const std::function<std::string()>& died) {
  Run run(network, options);
  const auto played = run.find_out_and_play(make_suite);
  if (!played) return played.error();
  return run.finish(died);
}

CertifyResult certify_over(Network& network, const WireFormat& format, const Suite& suite,
                           const CertifyOptions& options,
                           const std::function<std::string()>& died) {
  Run run(network, options);
  if (run.reach()) run.play(format, suite, {});
  CertifyResult result = run.finish(died);
  fill_format(result, format, Profile::deployed);
  result.header.profile = protocol::name_of(Profile::deployed);
  return result;
}

CertifyOutcome certify(const SuiteMaker& make_suite, const CertifyOptions& options) {
  return over_target(
      [&](Network& network, const CertifyOptions& own, const std::function<std::string()>& died) {
        return certify_over(network, make_suite, own, died);
      },
      options);
}

CertifyResult certify(const WireFormat& format, const Suite& suite, const CertifyOptions& options) {
  CertifyResult result = *over_target(
      [&](Network& network, const CertifyOptions& own, const std::function<std::string()>& died) {
        return CertifyOutcome(certify_over(network, format, suite, own, died));
      },
      options);
  result.header.dialect = format.dialect().name;
  result.header.width = protocol::name_of(format.width());
  return result;
}

}  // namespace hallmark::conformance
