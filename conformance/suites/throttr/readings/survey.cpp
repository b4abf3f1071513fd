#include "conformance/suites/throttr/readings/survey.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "conformance/isolation/canary.hpp"

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

CaseEntry reading_entry(const Dialect& dialect, std::string_view id, std::string_view operation,
                        Danger danger, const std::string& prefix) {
  const Reading& reading = reading_of(dialect, id);
  const protocol::Clause* const clause = protocol::find_clause(dialect, reading.clause);
  return {reading_case(prefix, id),
          std::string(reading.question),
          std::string(operation),
          clause == nullptr ? protocol::Level::should : clause->level,
          {std::string(reading.clause)},
          Delivery::whole,
          danger};
}

Told told_of(const Dialect& dialect, std::string_view id, const std::optional<Finding>& found) {
  if (!found) return untold("the target's layouts were not found out");
  const Reading& reading = reading_of(dialect, id);
  const std::size_t answer = Readings::index_of(reading, found->answer);
  if (answer == reading.answers.size())
    return untold(found->clues.empty() ? std::string() : found->clues.back().shows);
  return {reading.answers[answer].id, {}};
}

Told agreed(Stage& stage, const Told& first, const Told& second) {
  if (first.answer.empty() || second.answer.empty()) return first.answer.empty() ? first : second;
  if (first.answer == second.answer || second.weak) return first;
  if (first.weak) return second;
  stage.fail(
      fmt::format("two askings contradict each other: one by one the answer is {}, all "
                  "at once it is {}",
                  first.answer, second.answer));
}

const Pin* last_pin(const std::vector<Pin>& pins, std::string_view reading) {
  const auto pin = std::ranges::find(pins.rbegin(), pins.rend(), reading, &Pin::reading);
  return pin == pins.rend() ? nullptr : &*pin;
}

}  // namespace

std::string reading_case(std::string_view prefix, std::string_view reading) {
  return fmt::format("{}/readings/{}", prefix, reading);
}

std::vector<ReadingSurvey::Subject> ReadingSurvey::subjects_of(
    const Dialect& dialect, const std::vector<Finding>& layouts) {
  std::vector<Subject> subjects;
  for (const LayoutCheck& check : layout_checks()) {
    const std::size_t index = Readings::index_of(dialect, check.reading);
    if (index == Readings::most || !has_choice(dialect.readings[index])) continue;
    Subject subject{.reading = check.reading, .operation = check.operation};
    const auto found =
        std::ranges::find(layouts, std::string_view(check.reading), &Finding::subject);
    if (found != layouts.end()) subject.found = *found;
    subject.check = check.ask;
    subjects.push_back(std::move(subject));
  }
  for (const ReadingProbe& probe : behaviour_probes(dialect)) {
    Subject subject{.reading = probe.reading, .operation = probe.operation};
    subject.cost = probe.cost;
    subject.danger = probe.danger;
    subject.ask = probe.ask;
    subject.relies_on = probe.relies_on;
    subjects.push_back(std::move(subject));
  }
  return subjects;
}

ReadingSurvey::ReadingSurvey(Network& network, Patience& patience, protocol::Width width,
                             const Readings& readings, const std::vector<Finding>& layouts,
                             SurveyOptions options)
    : options_(std::move(options)),
      format_(width, readings),
      context_{.network = network, .format = format_, .patience = patience},
      subjects_(subjects_of(readings.dialect(), layouts)) {
  context_.nonce = options_.nonce;
  context_.stop = options_.stop;
  want_what_others_rely_on();
}

/// No batch of requests can be understood before the order of replies is known.
void ReadingSurvey::want_what_others_rely_on() {
  if (!options_.wanted) return;
  options_.wanted->insert("reply-order");
  for (const Subject& subject : subjects_) {
    if (!subject.relies_on.empty() && options_.wanted->contains(std::string(subject.reading)))
      options_.wanted->insert(std::string(subject.relies_on));
  }
}

const Pin* ReadingSurvey::given(const Subject& subject) const {
  return last_pin(options_.given, subject.reading);
}

/// Empty: it is to be asked for. A layout that is known shows without asking whether it is the
/// given one.
std::string ReadingSurvey::why_not_asked(const Subject& subject) const {
  if (const Pin* const pin = given(subject); pin != nullptr && !subject.found)
    return fmt::format("pinned to {}", pin->answer);
  if (options_.wanted && !options_.wanted->contains(std::string(subject.reading)))
    return std::string(no_case_rests_on_it);
  if (subject.cost == Cost::patient && options_.most == Cost::quick)
    return "it takes waits, or requests that no document describes; certify asks for it";
  if (options_.until != 0 && context_.network.now() >= options_.until)
    return "the deadline was over";
  if (const Loss loss = context_.given_up(); loss != Loss::none) return in_words(loss);
  return {};
}

void ReadingSurvey::ask(Danger danger) {
  // The answers decide which cases there are, and what they expect.
  const SureWaits sure(context_.patience);
  if (!std::exchange(canary_tried_, true)) try_canary(context_);
  for (Subject& subject : subjects_) {
    if (subject.answered || subject.danger != danger) continue;
    if (context_.stopped()) return;
    if (subject.ask == nullptr && options_.most == Cost::quick) continue;
    const std::string reason = why_not_asked(subject);
    subject.answered = reason.empty() ? ask(subject) : leave_out(subject, reason);
  }
}

void ReadingSurvey::leave_out_rest(const std::string& reason) {
  for (Subject& subject : subjects_) {
    if (subject.answered) continue;
    const std::string own_reason = why_not_asked(subject);
    subject.answered = leave_out(subject, own_reason.empty() ? reason : own_reason);
  }
}

std::vector<const Answered*> ReadingSurvey::answered() const {
  std::vector<const Answered*> all;
  for (const Subject& subject : subjects_) {
    if (subject.answered) all.push_back(&*subject.answered);
  }
  return all;
}

std::set<std::string> ReadingSurvey::cases() const {
  std::set<std::string> ids;
  for (const Subject& subject : subjects_)
    ids.insert(reading_case(options_.prefix, subject.reading));
  return ids;
}

CaseEntry ReadingSurvey::entry_of(const Subject& subject) const {
  return reading_entry(format_.dialect(), subject.reading, subject.operation, subject.danger,
                       options_.prefix);
}

Answered ReadingSurvey::ask(const Subject& subject) {
  Answered answered{subject.reading, untold({}), {}};
  Unit unit;
  unit.name = "readings:" + std::string(subject.reading);
  unit.cases = {entry_of(subject)};
  unit.run = [&](Stage& stage) { inquire(stage, subject, answered); };
  Housekeeper housekeeper(context_);
  answered.result = std::move(play_unit(context_, housekeeper, unit).front());
  // An answer is shown by its bytes even where nothing fails.
  if (answered.result.evidence.empty()) answered.result.evidence = answered.exchanges;
  conclude(answered);
  const Pin* const pin = given(subject);
  if (pin == nullptr || answered.result.verdict != Verdict::pass) return answered;
  answered.not_asked = fmt::format("pinned to {}", pin->answer);
  answered.result.verdict = Verdict::skipped;
  answered.result.reason = answered.not_asked + ", which identification found, too";
  return answered;
}

/// A layout that identification has found is known all the same.
Answered ReadingSurvey::leave_out(const Subject& subject, const std::string& reason) const {
  Answered answered{subject.reading, untold(reason),
                    not_played(entry_of(subject), Verdict::skipped, "not asked: " + reason)};
  answered.not_asked = reason;
  if (!subject.found) return answered;
  Told told = told_of(format_.dialect(), subject.reading, subject.found);
  if (told.answer.empty()) return answered;
  answered.told = std::move(told);
  answered.not_asked.clear();
  return answered;
}

void ReadingSurvey::inquire(Stage& stage, const Subject& subject, Answered& answered) const {
  answered.told = untold({});
  Inquiry first(stage, Inquiry::Manner::one_by_one);
  Inquiry second(stage, Inquiry::Manner::together);
  if (subject.ask == nullptr) {
    answered.told = told_of(format_.dialect(), subject.reading, subject.found);
  } else {
    const Told together = subject.ask(second);
    stage.make_room();
    answered.told = agreed(stage, subject.ask(first), together);
  }
  hold_to_pin(stage, answered, subject);
  if (subject.check != nullptr && given(subject) == nullptr && !answered.told.answer.empty())
    subject.check(second);
  answered.exchanges = stage.evidence().exchanges();
}

void ReadingSurvey::hold_to_pin(Stage& stage, const Answered& answered,
                                const Subject& subject) const {
  const Pin* const pin = last_pin(options_.pins, subject.reading);
  if (pin == nullptr || answered.told.answer.empty()) return;
  if (pin->answer == answered.told.answer) return;
  std::string reason =
      fmt::format("held to {}, the target answers {}", pin->answer, answered.told.answer);
  const Code code{.promise = reason};
  if (subject.found) {
    const Clue& clue = subject.found->clues.front();
    reason += fmt::format(": {} was answered {}", clue.sent, clue.came);
  }
  stage.fail(code, std::move(reason));
}

/// The answer that was told counts from now on, whatever the target is held to.
void ReadingSurvey::conclude(Answered& answered) {
  Readings readings = format_.readings();
  if (!answered.told.answer.empty()) {
    static_cast<void>(readings.set(answered.reading, answered.told.answer));
    format_.hold_to(readings);
    return;
  }
  reports::CaseResult& result = answered.result;
  if (result.verdict == Verdict::pass) {
    result.verdict = Verdict::skipped;
    result.reason = fmt::format("could not be told: {}", answered.told.reason);
  }
  answered.told.reason = result.reason;
  result.reason += fmt::format("; {} is taken for its answer", readings.answer(answered.reading));
}

std::vector<Answered> survey(Network& network, Patience& patience, protocol::Width width,
                             Readings& readings, const std::vector<Finding>& layouts,
                             const SurveyOptions& options) {
  ReadingSurvey asking(network, patience, width, readings, layouts, options);
  for (const Danger danger : all_dangers) asking.ask(danger);
  readings = asking.told();
  std::vector<Answered> all;
  for (const Answered* const one : asking.answered()) all.push_back(*one);
  return all;
}

Suite suite_of_readings(const Dialect& dialect, const std::string& prefix) {
  Suite suite;
  for (const ReadingSurvey::Subject& subject : ReadingSurvey::subjects_of(dialect, {})) {
    Unit unit;
    unit.name = "readings:" + std::string(subject.reading);
    unit.cases = {
        reading_entry(dialect, subject.reading, subject.operation, subject.danger, prefix)};
    unit.run = [](Stage& stage) { stage.skip("readings are asked for before other cases"); };
    unit.rests_on = {std::string(subject.reading)};
    suite.push_back(std::move(unit));
  }
  return suite;
}

}  // namespace hallmark::conformance
