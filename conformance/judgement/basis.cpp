#include "conformance/judgement/basis.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "conformance/engine/case_play.hpp"
#include "conformance/engine/run_header.hpp"
#include "conformance/engine/sanity.hpp"
#include "conformance/identify/containment.hpp"
#include "conformance/identify/identify.hpp"
#include "conformance/supervisor/supervisor.hpp"

namespace hallmark::conformance {
namespace {

using protocol::Dialect;
using protocol::Profile;
using protocol::Readings;
using protocol::Width;
using reports::Verdict;

/// "throttr-7.1 u16", or the part of it that was said.
std::string in_words(const Dialect* dialect, std::optional<Width> width) {
  if (dialect == nullptr && !width) return "any dialect at any width";
  if (dialect == nullptr) return std::string(protocol::name_of(*width));
  if (!width) return std::string(dialect->name);
  return fmt::format("{} {}", dialect->name, protocol::name_of(*width));
}

/// The answers, but for those that are pinned.
Readings with_pins(const Asked& asked, Readings readings) {
  for (const Pin& pin : asked.pins) static_cast<void>(readings.set(pin.reading, pin.answer));
  return readings;
}

std::string differences(const Readings& held, const Readings& told) {
  std::vector<std::string> all;
  for (const protocol::Reading& one : held.dialect().readings) {
    if (held.answer(one) != told.answer(one))
      all.push_back(fmt::format("{}={}, not {}", one.id, told.answer(one), held.answer(one)));
  }
  return fmt::format("{}", fmt::join(all, "; "));
}

/// The first message that is not of the dialect; where none says so, the last of all.
const Clue& refuting_clue(const Finding& finding, std::string_view dialect) {
  for (const Clue& clue : finding.clues) {
    const auto refutation = clue.shows.find(" not ");
    if (refutation != std::string::npos &&
        clue.shows.find(dialect, refutation) != std::string::npos)
      return clue;
  }
  return finding.clues.back();
}

class Finder {
 public:
  Finder(Network& network, Patience& patience, const BasisOptions& options)
      : network_(network), patience_(patience), options_(options), asked_(options.asked) {}

  Basis find() {
    identify();
    basis_.run_error = identified_.unreachable;
    if (!basis_.run_error.empty()) return std::move(basis_);
    if (identified_.interrupted) {
      basis_.dialect_case = dialect_case(Verdict::skipped, std::string(run_is_over));
    } else if (!identified_.known()) {
      take_as_asked();
    } else if (const auto spoken = spoken_as_asked()) {
      accept(*spoken);
    } else {
      refuse_spoken();
    }
    return std::move(basis_);
  }

 private:
  void identify();
  void take_as_asked();
  std::optional<Readings> spoken_as_asked() const;
  void accept(const Readings& spoken);
  std::vector<Finding> layouts_of(const Readings& spoken) const;
  void ask_readings(const Readings& spoken);
  void refuse_spoken();
  void show_width(reports::CaseResult& result, const std::string& reason);
  reports::CaseResult dialect_case(Verdict verdict, std::string reason,
                                   std::string promise = {}) const;
  /// True if nobody said the dialect or the width.
  bool is_open() const { return asked_.dialect == nullptr || !asked_.width; }
  void hold_to(const Readings& readings, Width width) {
    basis_.format = std::make_unique<WireFormat>(width, readings);
  }

  Network& network_;
  Patience& patience_;
  const BasisOptions& options_;
  const Asked& asked_;
  Identification identified_;
  Basis basis_;
};

/// `promise`: of a failure, what the target does not do; the reason quotes what it sent.
reports::CaseResult Finder::dialect_case(Verdict verdict, std::string reason,
                                         std::string promise) const {
  const Dialect* const dialect = asked_.dialect ? asked_.dialect : identified_.dialect;
  const auto width = asked_.width ? asked_.width : identified_.width;
  CaseEntry entry{id_prefix(dialect, width) + "/sanity/dialect",
                  fmt::format("The target speaks what it was asked for, {}",
                              in_words(asked_.dialect, asked_.width)),
                  "QUERY",
                  protocol::Level::must,
                  {"query.layout", "insert.layout"},
                  Delivery::whole};
  reports::CaseResult result = not_played(entry, Verdict::pass, {});
  Judgement judgement{verdict, std::move(reason), {}, {}};
  if (!promise.empty()) judgement.code = Code{.promise = std::move(promise)};
  conclude(result, std::move(judgement));
  return result;
}

/// A target that dies of it is one whose case of the dialect kills.
void Finder::identify() {
  Supervisor* const supervisor = network_.supervisor();
  if (supervisor != nullptr) supervisor->begin_case(dialect_case(Verdict::fail, {}).id);
  identified_ = identify_layouts(
      network_, {.deadline = options_.deadline, .nonce = options_.nonce, .stop = options_.stop});
  if (supervisor != nullptr) supervisor->end_case(identified_.known());
}

/// The target is no Throttr, or more than one dialect fits it. Who knows what it has to be may
/// still see what is wrong with it.
void Finder::take_as_asked() {
  const std::string reason = identified_.why_unknown(is_open());
  const bool right_width = !identified_.width || !asked_.width || identified_.width == asked_.width;
  const bool may_be =
      identified_.stranger.empty() && asked_.dialect != nullptr && right_width &&
      std::ranges::find(identified_.possible, asked_.dialect) != identified_.possible.end();
  basis_.dialect_case = dialect_case(may_be ? Verdict::pass : Verdict::fail, reason,
                                     identified_.stranger.empty() ? "" : "the target is a Throttr");
  if (!may_be) basis_.likely_cause = reason;
  if (asked_.dialect == nullptr || (!asked_.width && !identified_.width)) return;
  const Readings base(*asked_.dialect, asked_.profile.value_or(Profile::deployed));
  hold_to(with_pins(asked_, base), asked_.width ? *asked_.width : *identified_.width);
}

/// Returns the readings under which the target speaks what was asked for; nothing if it speaks
/// something else.
std::optional<Readings> Finder::spoken_as_asked() const {
  if (asked_.width && asked_.width != identified_.width) return std::nullopt;
  if (asked_.dialect == nullptr) return identified_.readings;
  return contained(*asked_.dialect, *identified_.readings, *identified_.width);
}

void Finder::accept(const Readings& spoken) {
  const Dialect& dialect = spoken.dialect();
  basis_.dialect_case = dialect_case(Verdict::pass, {});
  if (is_open()) basis_.notes.push_back(found_line(dialect, *identified_.width));
  if (&dialect != identified_.dialect) {
    basis_.notes.push_back(fmt::format("{} is contained in {}, which the target speaks",
                                       dialect.name, identified_.dialect->name));
  }
  ask_readings(spoken);
}

/// Returns the findings about layouts. Readings that only a contained dialect asks are answered by
/// the containment.
std::vector<Finding> Finder::layouts_of(const Readings& spoken) const {
  std::vector<Finding> layouts = identified_.findings;
  if (&spoken.dialect() == identified_.dialect) return layouts;
  for (const protocol::Reading& one : spoken.dialect().readings) {
    if (identified_.find(one.id) != nullptr) continue;
    layouts.push_back({std::string(one.id),
                       std::string(spoken.answer(one)),
                       {{"", "", fmt::format("{} has it so", identified_.dialect->name)}}});
  }
  return layouts;
}

void Finder::ask_readings(const Readings& spoken) {
  const Dialect& dialect = spoken.dialect();
  const Width width = *identified_.width;
  hold_to(held_to(asked_, spoken), width);
  SurveyOptions how{.nonce = options_.nonce, .prefix = id_prefix(&dialect, width)};
  how.pins = pins_of(asked_, dialect);
  how.given = asked_.pins;
  how.stop = options_.stop;
  if (options_.readings_needed) how.wanted = options_.readings_needed(*basis_.format);
  basis_.survey = std::make_unique<ReadingSurvey>(network_, patience_, width, spoken,
                                                  layouts_of(spoken), std::move(how));
  basis_.survey->ask(Danger::documented);
  const Readings& told = basis_.survey->told();
  basis_.format->hold_to(held_to(asked_, told));
  if (same_layouts(basis_.format->readings(), told, width)) return;
  basis_.mismatch =
      "the target's messages have other layouts: " + differences(basis_.format->readings(), told);
}

/// Refuses a target that speaks something else than what was asked for, and does not contain it
/// either.
void Finder::refuse_spoken() {
  basis_.likely_cause = identified_.advice();
  basis_.mismatch = basis_.likely_cause;
  const std::string reason =
      fmt::format("the target answers as {}, not as {}", identified_.spoken(),
                  in_words(asked_.dialect, asked_.width));
  const Dialect& dialect = asked_.dialect == nullptr ? *identified_.dialect : *asked_.dialect;
  const bool other_dialect = !contained(dialect, *identified_.readings, *identified_.width);
  reports::CaseResult result = dialect_case(Verdict::fail, reason, reason);
  result.likely_cause = basis_.likely_cause;
  const Clue& clue =
      refuting_clue(*identified_.find(other_dialect ? "dialect" : "width"), dialect.name);
  result.reason =
      fmt::format("{}: {} was answered {}: {}", reason, clue.sent, clue.came, clue.shows);
  hold_to(with_pins(asked_, Readings(dialect, asked_.profile.value_or(Profile::deployed))),
          asked_.width.value_or(*identified_.width));
  if (!other_dialect) show_width(result, reason);
  basis_.dialect_case = std::move(result);
}

/// A reply in the width that is served, read in the width that was asked for.
void Finder::show_width(reports::CaseResult& result, const std::string& reason) {
  // A reply that is too short is found out by silence, which does not have to last long.
  constexpr Time moment = 250'000'000;
  Patience patience(std::min(options_.deadline, moment));
  RunContext context{.network = network_, .format = *basis_.format, .patience = patience};
  context.nonce = options_.nonce;
  reports::CaseResult shown = sanity_in_width(context, result.id, *identified_.width);
  if (shown.verdict != Verdict::fail) return;
  result.reason = fmt::format("{}: {}", reason, shown.reason);
  result.evidence = std::move(shown.evidence);
  result.reproduction = std::move(shown.reproduction);
}

}  // namespace

std::string id_prefix(const Dialect* dialect, std::optional<Width> width) {
  return fmt::format("{}/{}", dialect == nullptr ? "auto" : dialect->name,
                     width ? protocol::name_of(*width) : "auto");
}

Readings held_to(const Asked& asked, const Readings& told) {
  return with_pins(asked, asked.profile ? Readings(told.dialect(), *asked.profile) : told);
}

std::vector<reports::ReadingAnswer> answers_of(const ReadingSurvey& survey, const Readings& held) {
  std::vector<reports::ReadingAnswer> answers;
  for (const Answered* const one : survey.answered()) {
    answers.push_back({std::string(one->reading), std::string(held.answer(one->reading)),
                       std::string(one->told.answer), one->not_asked});
  }
  return answers;
}

Basis find_basis(Network& network, Patience& patience, const BasisOptions& options) {
  return Finder(network, patience, options).find();
}

}  // namespace hallmark::conformance
