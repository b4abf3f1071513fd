#include "conformance/suites/throttr/readings/survey.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hallmark::conformance {
namespace {

using protocol::Dialect;
using protocol::Reading;
using protocol::Readings;
using reports::Verdict;

bool has_choice(const Reading& reading) {
  return std::ranges::count(reading.answers, protocol::Served::yes, &protocol::Answer::served) > 1;
}

const Reading& reading_of(const Dialect& dialect, std::string_view id) {
  return dialect.readings[Readings::index_of(dialect, id)];
}

CaseEntry entry_of(const Dialect& dialect, const Reading& reading, std::string_view operation,
                   const std::string& prefix) {
  const protocol::Clause* const clause = protocol::find_clause(dialect, reading.clause);
  return {
      reading_case(prefix, reading.id), std::string(reading.question),
      std::string(operation),           clause == nullptr ? protocol::Level::should : clause->level,
      {std::string(reading.clause)},    Delivery::whole};
}

/// One reading that is asked for: by a probe of behaviour, or by a check of what identification
/// found of a layout.
struct Subject {
  protocol::ReadingName reading;
  protocol::MessageName operation;
  Cost cost = Cost::quick;
  const Finding* found = nullptr;  ///< of a layout; null: identification did not ask
  void (*check)(Inquiry&) = nullptr;
  Told (*ask)(Inquiry&) = nullptr;  ///< of behaviour
};

std::vector<Subject> subjects_of(const Dialect& dialect, const std::vector<Finding>& layouts) {
  std::vector<Subject> subjects;
  for (const LayoutCheck& check : layout_checks()) {
    const std::size_t index = Readings::index_of(dialect, check.reading);
    if (index == Readings::most || !has_choice(dialect.readings[index])) continue;
    const auto found =
        std::ranges::find(layouts, std::string_view(check.reading), &Finding::subject);
    subjects.push_back({check.reading, check.operation, Cost::quick,
                        found == layouts.end() ? nullptr : &*found, check.ask, nullptr});
  }
  for (const ReadingProbe& probe : behaviour_probes(dialect))
    subjects.push_back({probe.reading, probe.operation, probe.cost, nullptr, nullptr, probe.ask});
  return subjects;
}

Told told_of(const Dialect& dialect, const Subject& subject) {
  const Finding* const found = subject.found;
  if (found == nullptr) return untold("the target's layouts were not found out");
  const Reading& reading = reading_of(dialect, subject.reading);
  const std::size_t answer = Readings::index_of(reading, found->answer);
  if (answer == reading.answers.size())
    return untold(found->clues.empty() ? std::string() : found->clues.back().shows);
  return {reading.answers[answer].id, {}};
}

class Surveyor {
 public:
  Surveyor(Network& network, Patience& patience, protocol::Width width, Readings& readings,
           const SurveyOptions& options)
      : network_(network),
        patience_(patience),
        width_(width),
        readings_(readings),
        options_(options) {}

  Answered ask(const Subject& subject) {
    Answered answered{subject.reading, untold({}), {}, {}};
    const Reading& reading = reading_of(readings_.dialect(), subject.reading);
    Unit unit;
    unit.name = "readings:" + std::string(subject.reading);
    unit.cases = {entry_of(readings_.dialect(), reading, subject.operation, options_.prefix)};
    unit.run = [&](Stage& stage) { inquire(stage, subject, answered); };
    const WireFormat format(width_, readings_);
    RunContext context{.network = network_, .format = format, .patience = patience_};
    context.nonce = options_.nonce;
    context.stop = options_.stop;
    Housekeeper housekeeper(context);
    answered.result = std::move(play_unit(context, housekeeper, unit).front());
    conclude(answered);
    return answered;
  }

  Answered leave_out(const Subject& subject, std::string reason) const {
    const Reading& reading = reading_of(readings_.dialect(), subject.reading);
    return {subject.reading,
            untold(reason),
            not_played(entry_of(readings_.dialect(), reading, subject.operation, options_.prefix),
                       Verdict::skipped, reason),
            {}};
  }

 private:
  void inquire(Stage& stage, const Subject& subject, Answered& answered) const {
    answered.told = untold({});
    Inquiry first(stage, Inquiry::Manner::one_by_one);
    Inquiry second(stage, Inquiry::Manner::together);
    answered.told = subject.ask == nullptr ? told_of(readings_.dialect(), subject)
                                           : agreed(stage, subject.ask(first), subject.ask(second));
    hold_to_pin(stage, answered, subject);
    if (subject.check != nullptr && !answered.told.answer.empty()) subject.check(second);
    answered.exchanges = stage.evidence().exchanges();
  }

  static Told agreed(Stage& stage, const Told& first, const Told& second) {
    if (first.answer.empty() || second.answer.empty()) return first.answer.empty() ? first : second;
    if (first.answer == second.answer || second.weak) return first;
    if (first.weak) return second;
    stage.fail(
        fmt::format("two askings contradict each other: one by one the answer is {}, all "
                    "at once it is {}",
                    first.answer, second.answer));
  }

  void hold_to_pin(Stage& stage, const Answered& answered, const Subject& subject) const {
    const auto pin = std::ranges::find(options_.pins.rbegin(), options_.pins.rend(),
                                       std::string_view(subject.reading), &Pin::reading);
    if (pin == options_.pins.rend() || answered.told.answer.empty()) return;
    if (pin->answer == answered.told.answer) return;
    std::string reason =
        fmt::format("held to {}, the target answers {}", pin->answer, answered.told.answer);
    const Code code{.promise = reason};
    if (subject.found != nullptr) {
      const Clue& clue = subject.found->clues.front();
      reason += fmt::format(": {} was answered {}", clue.sent, clue.came);
    }
    stage.fail(code, std::move(reason));
  }

  /// What was told counts from now on, whatever the target is held to.
  void conclude(Answered& answered) {
    if (!answered.told.answer.empty()) {
      static_cast<void>(readings_.set(answered.reading, answered.told.answer));
      return;
    }
    reports::CaseResult& result = answered.result;
    if (result.verdict == Verdict::pass) {
      result.verdict = Verdict::skipped;
      result.reason = fmt::format("could not be told: {}", answered.told.reason);
    }
    answered.told.reason = result.reason;
    result.reason +=
        fmt::format("; {} is taken for its answer", readings_.answer(answered.reading));
  }

  Network& network_;
  Patience& patience_;
  protocol::Width width_;
  Readings& readings_;
  const SurveyOptions& options_;
};

}  // namespace

std::string reading_case(std::string_view prefix, std::string_view reading) {
  return fmt::format("{}/readings/{}", prefix, reading);
}

std::vector<Answered> survey(Network& network, Patience& patience, protocol::Width width,
                             Readings& readings, const std::vector<Finding>& layouts,
                             const SurveyOptions& options) {
  Surveyor surveyor(network, patience, width, readings, options);
  std::vector<Answered> all;
  for (const Subject& subject : subjects_of(readings.dialect(), layouts)) {
    const bool stopped =
        network.shared(Shared::stopped, options.stop != nullptr && options.stop->load()) != 0;
    const bool late = options.until != 0 && network.now() >= options.until;
    if (stopped) break;
    if (subject.ask == nullptr && options.most == Cost::quick) continue;
    if (subject.cost == Cost::patient && options.most == Cost::quick) {
      all.push_back(surveyor.leave_out(
          subject, "it takes waits, or requests that no document describes; certify asks for it"));
    } else if (late) {
      all.push_back(surveyor.leave_out(subject, "the deadline was over"));
    } else {
      all.push_back(surveyor.ask(subject));
    }
  }
  return all;
}

Suite suite_of_readings(const Dialect& dialect, const std::string& prefix) {
  Suite suite;
  for (const Subject& subject : subjects_of(dialect, {})) {
    Unit unit;
    unit.name = "readings:" + std::string(subject.reading);
    unit.cases = {
        entry_of(dialect, reading_of(dialect, subject.reading), subject.operation, prefix)};
    unit.run = [](Stage& stage) { stage.skip("readings are asked for before other cases"); };
    suite.push_back(std::move(unit));
  }
  return suite;
}

}  // namespace hallmark::conformance
