#include "conformance/engine/certify.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "base/text.hpp"
#include "conformance/drivers/stream/socket_network.hpp"
#include "conformance/drivers/stream/stream_units.hpp"
#include "conformance/drivers/stream/supervised_network.hpp"
#include "conformance/engine/case_play.hpp"
#include "conformance/engine/run_header.hpp"
#include "conformance/engine/run_over.hpp"
#include "conformance/engine/sanity.hpp"
#include "conformance/isolation/canary.hpp"
#include "conformance/judgement/basis.hpp"
#include "conformance/judgement/unsupported.hpp"
#include "conformance/record/recording_network.hpp"

namespace hallmark::conformance {
namespace {

using protocol::Profile;
using reports::CertifyResult;
using reports::Verdict;

/// The part that the two kinds of stream runs share: a suite is played over a network.
class StreamRun : public RunDriver {
 public:
  StreamRun(Network& network, Patience& patience, const CertifyOptions& options)
      : network_(network), patience_(patience), options_(options) {}

  Seam& seam() override { return network_; }
  Attendant* attendant() override { return network_.supervisor(); }
  bool exclusive() const override { return options_.exclusive && !options_.schedule.polite; }
  unsigned most_jobs() const override {
    return context_ == nullptr || context_->serves_several ? StreamUnits::any_number : 1;
  }
  std::vector<reports::CaseResult> play(const Unit& unit) override { return units_->play(unit); }
  std::string why_no_more() override {
    return why_strange_.empty() ? units_->why_no_more() : why_strange_;
  }
  bool stopped() override;
  std::uint64_t replies() const override {
    return context_ == nullptr ? 0 : context_->reply_times.count();
  }
  std::uint64_t replies_in(const std::string& id) const override;
  bool is_unsure(const std::string& id) const override {
    if (context_ == nullptr) return false;
    const bool had_to_wait =
        context_->waits_for_half_requests && context_->beside_owed.contains(id);
    return had_to_wait || context_->unsure.contains(id);
  }
  void begin(Time until, CertifyResult& result) override;
  void close(CertifyResult& result) override;
  void look_for_stranger(CertifyResult& result);
  void review(CertifyResult& result) override {
    context_->refuted.take_back(result, context_->likely_cause);
  }

 protected:
  Network& network_;
  Patience& patience_;
  const CertifyOptions& options_;
  std::unique_ptr<WireFormat> format_;
  std::unique_ptr<RunContext> context_;  ///< null: no case of the suite was begun
  /// A suspicion about the target as a whole; may be empty.
  std::string doubts_;
  /// Why no further case is played of a target that speaks something else; empty: it may not.
  std::string why_strange_;

 private:
  std::string prefix() const { return id_prefix(&format_->dialect(), format_->width()); }
  void say_what_was_lost(CertifyResult& result);
  void take_back_doubts(CertifyResult& result) const;

  std::optional<StreamUnits> units_;
};

bool StreamRun::stopped() {
  if (units_) return units_->stopped();
  const std::atomic<bool>* const stop = options_.schedule.stop;
  return network_.is_over(stop != nullptr && stop->load());
}

std::uint64_t StreamRun::replies_in(const std::string& id) const {
  if (context_ == nullptr) return 0;
  const auto found = context_->replies_in.find(id);
  return found == context_->replies_in.end() ? 0 : found->second;
}

void StreamRun::begin(Time until, CertifyResult& result) {
  context_.reset(new RunContext{.network = network_, .format = *format_, .patience = patience_});
  units_.emplace(*context_);
  context_->nonce = nonce_of(options_);
  context_->exclusive = exclusive();
  context_->stop = options_.schedule.stop;
  context_->until = until;
  context_->failures = options_.failures;
  if (context_->failures != nullptr) context_->failures->are_of(*format_);
  try_canary(*context_);
  network_.begin_part(prefix() + "/sanity/before");
  result.cases.push_back(sanity_before(*context_, prefix()));
  reports::CaseResult& sanity = result.cases.back();
  if (!context_->likely_cause.empty() || sanity.verdict == Verdict::pass) return;
  context_->likely_cause = doubts_;
  if (sanity.likely_cause.empty()) sanity.likely_cause = doubts_;
}

/// A target that gave a stranger's answer to the first questions, and of which no documented case
/// passes, speaks something else. That is one failure, and not one of each case; whatever else the
/// target was sent would only show it again.
void StreamRun::look_for_stranger(CertifyResult& result) {
  constexpr std::ptrdiff_t enough = 20;
  const auto count = [&](Verdict verdict) {
    return std::ranges::count(result.cases, verdict, &reports::CaseResult::verdict);
  };
  if (doubts_.empty() || count(Verdict::pass) > 0 || count(Verdict::fail) < enough) return;
  why_strange_ = "not played: no documented case passes, and " + doubts_;
  for (reports::CaseResult& one : result.cases) {
    if (one.verdict == Verdict::skipped || one.id.ends_with("/sanity/dialect")) continue;
    one = without_outcome(std::move(one), Verdict::skipped);
    one.reason = "did not pass, as no documented case does: " + doubts_;
  }
}

void StreamRun::close(CertifyResult& result) {
  network_.begin_part(prefix() + "/sanity/after");
  if (!result.interrupted && why_strange_.empty())
    result.cases.push_back(sanity_after(*context_, prefix()));
  say_what_was_lost(result);
  take_back_doubts(result);
  network_.begin_part("unsupported");
  // An operation that is missing shows beside an opcode that nobody defines.
  if (!options_.schedule.polite && why_strange_.empty()) mark_unsupported(*context_, result);
}

void StreamRun::say_what_was_lost(CertifyResult& result) {
  const Loss loss = context_->given_up();
  if (loss == Loss::none || !result.run_error.empty()) return;
  result.run_error =
      fmt::format("{}; being played then: {}", in_words(loss), fmt::join(context_->suspects, "; "));
}

/// A target that gave a stranger's answer to the first questions speaks the dialect all the same
/// where whole vectors of it pass.
void StreamRun::take_back_doubts(CertifyResult& result) const {
  if (doubts_.empty() || is_stranger(result)) return;
  for (reports::CaseResult& one : result.cases) {
    if (one.likely_cause == doubts_) one.likely_cause.clear();
  }
  reports::CaseResult& dialect = result.cases.front();
  if (!dialect.id.ends_with("/sanity/dialect") || dialect.verdict != Verdict::fail) return;
  dialect.verdict = Verdict::skipped;
  dialect.reason = fmt::format("other cases pass, and tell what is wrong: {}", dialect.reason);
}

/// A run that finds out first what the target speaks, and makes the suite for that.
class FindingRun final : public StreamRun {
 public:
  FindingRun(Network& network, Patience& patience, const CertifyOptions& options,
             const SuiteMaker& make_suite)
      : StreamRun(network, patience, options), make_suite_(make_suite) {}

  base::Expected<Opening, std::string> open(CertifyResult& result) override;
  base::Expected<std::optional<Suite>, std::string> learn(Danger danger,
                                                          CertifyResult& result) override;
  void close(CertifyResult& result) override;

 private:
  void take_answers(Basis& basis, CertifyResult& result);
  void tell_answers(CertifyResult& result) const;

  const SuiteMaker& make_suite_;
  std::unique_ptr<ReadingSurvey> survey_;
  std::optional<PlayOrder> order_;  ///< nothing: the target's layouts are not known
};

base::Expected<Opening, std::string> FindingRun::open(CertifyResult& result) {
  Basis basis = find_basis(network_, patience_,
                           {.asked = options_.asked,
                            .deadline = options_.deadline,
                            .nonce = nonce_of(options_),
                            .stop = options_.schedule.stop,
                            .readings_needed = options_.readings_needed});
  take_answers(basis, result);
  if (!result.run_error.empty()) return Opening();
  if (format_ == nullptr) return Opening{.mismatch = "not played"};
  order_.emplace(*format_, survey_.get(), options_.asked, make_suite_);
  order_->make();
  order_->take_readings(result);
  if (!basis.mismatch.empty()) {
    if (!order_->error().empty()) return order_->error();
    order_->leave_out_rest(basis.mismatch, result);
    order_->sort(result.cases);
  }
  tell_answers(result);
  return Opening{order_->suite(), std::move(basis.mismatch), format_.get()};
}

base::Expected<std::optional<Suite>, std::string> FindingRun::learn(Danger danger,
                                                                    CertifyResult& result) {
  if (danger == Danger::open) look_for_stranger(result);
  if (!options_.schedule.polite && why_strange_.empty()) order_->ask(*context_, danger);
  order_->make();
  order_->take_readings(result);
  if (context_->failures != nullptr) context_->failures->are_of(*format_);
  if (!order_->error().empty() && danger == Danger::resources) return order_->error();
  return order_->error().empty() ? std::optional(order_->suite()) : std::nullopt;
}

void FindingRun::close(CertifyResult& result) {
  if (!result.interrupted)
    order_->leave_out_rest(why_strange_.empty() ? "--polite" : why_strange_, result);
  StreamRun::close(result);
  order_->sort(result.cases);
  tell_answers(result);
}

void FindingRun::take_answers(Basis& basis, CertifyResult& result) {
  fill_format(result, options_.asked);
  result.run_error = std::move(basis.run_error);
  result.header.notes = std::move(basis.notes);
  if (result.run_error.empty()) result.cases.push_back(std::move(basis.dialect_case));
  doubts_ = std::move(basis.likely_cause);
  format_ = std::move(basis.format);
  survey_ = std::move(basis.survey);
}

/// Fills in the answers as far as they are known.
void FindingRun::tell_answers(CertifyResult& result) const {
  result.header.readings.clear();
  fill_format(result, *format_, options_.asked.profile.value_or(Profile::deployed));
  if (survey_ != nullptr) result.header.answers = answers_of(*survey_, format_->readings());
}

/// A run against a target that is taken to speak a format.
class ToldRun final : public StreamRun {
 public:
  ToldRun(Network& network, Patience& patience, const CertifyOptions& options,
          const WireFormat& format, const Suite& suite)
      : StreamRun(network, patience, options), suite_(suite) {
    format_ = std::make_unique<WireFormat>(format.width(), format.readings());
  }

  base::Expected<Opening, std::string> open(CertifyResult& result) override {
    fill_format(result, *format_, Profile::deployed);
    result.header.profile = protocol::name_of(Profile::deployed);
    const auto link = network_.connect(network_.now() + options_.deadline);
    if (!link) result.run_error = link.error();
    return Opening{suite_, {}, format_.get()};
  }

 private:
  const Suite& suite_;
};

/// Performs a run over a network that exists.
using Course = std::function<CertifyOutcome(Network&, const CertifyOptions&)>;

CertifyOutcome over_target(const Course& course, const CertifyOptions& options) {
  if (const auto* exec = std::get_if<base::ExecEndpoint>(&options.target))
    return over_process<SupervisedNetwork>(*exec, options, course);
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
  const auto course = [&](Network& over, const CertifyOptions& own) {
    Patience patience(own.deadline);
    FindingRun run(over, patience, own, make_suite);
    return certify_by(run, patience, own);
  };
  return recorded_over<RecordingNetwork>(network, options, course);
}

CertifyResult certify_over(Network& network, const WireFormat& format, const Suite& suite,
                           const CertifyOptions& options) {
  Patience patience(options.deadline);
  ToldRun run(network, patience, options, format, suite);
  return *certify_by(run, patience, options);
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

/// Sorts the failures by the order of the suite, so that the same run gives the same files.
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
  std::size_t passed_afresh = 0;
  const auto course = [&](Network& network, const CertifyOptions& own) {
    constexpr Time longest_wait = 500'000'000;
    const auto start_afresh = [&] {
      Supervisor* const supervisor = network.supervisor();
      return supervisor != nullptr && supervisor->renew();
    };
    for (const Failure* const failure : in_order(failures, result)) {
      Patience patience(std::min(own.deadline, longest_wait));
      RunContext context{.network = network, .format = *failures.format(), .patience = patience};
      context.nonce = nonce_of(own);
      context.stop = own.schedule.stop;
      static_cast<void>(start_afresh());
      Housekeeper housekeeper(context);
      auto one = reduced(context, housekeeper, *failure);
      if (!one) continue;
      one->failed_afresh = start_afresh();
      if (one->failed_afresh && !fails_again(context, *one)) {
        ++passed_afresh;
        continue;
      }
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
  if (passed_afresh > 0) {
    result.header.notes.push_back(
        fmt::format("{} on a fresh process once cut down, and left as what the case sent",
                    base::counted(passed_afresh, "failure passed", "failures passed")));
  }
  return reproductions;
}

}  // namespace hallmark::conformance
