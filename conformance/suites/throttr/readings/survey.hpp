#pragma once

#include <optional>
#include <set>

#include "conformance/drivers/stream/player.hpp"
#include "conformance/engine/asked.hpp"
#include "conformance/identify/identification.hpp"
#include "conformance/suites/throttr/readings/probe.hpp"

namespace hallmark::conformance {

/// The finding about one reading, and the case that stands for it in reports. The case passes if
/// both askings told the same and the target is held to that.
struct Answered {
  protocol::ReadingName reading;
  Told told;
  reports::CaseResult result;
  /// The exchanges of both askings; empty unless both came to their ends.
  std::vector<reports::Exchange> exchanges = {};
  std::string not_asked = {};  ///< why; empty: it was asked
};

struct SurveyOptions {
  std::string nonce;
  std::string prefix;  ///< the start of the ids of the cases: `throttr-7.1/u16`
  Cost most = Cost::patient;
  /// Answers that the target is held to.
  std::vector<Pin> pins = {};
  /// Answers that the target is held to and not asked for.
  std::vector<Pin> given = {};
  /// The readings that are asked for, beside those that these rely on; nothing: all.
  std::optional<std::set<std::string>> wanted = {};
  const std::atomic<bool>* stop = nullptr;
  /// No probe begins after that; 0: none is left out.
  Time until = 0;
};

/// Why a reading is not asked for where only some cases were chosen.
inline constexpr std::string_view no_case_rests_on_it = "no chosen case rests on it";

/// Asks for the readings of a dialect that have several answers: layouts as identification found
/// them are asked for once more, behaviour twice.
class ReadingSurvey {
 public:
  /// `readings` have the layouts of the target.
  ReadingSurvey(Network& network, Patience& patience, protocol::Width width,
                const protocol::Readings& readings, const std::vector<Finding>& layouts,
                SurveyOptions options);

  /// Asks for those of that danger, unless the run was stopped. Where the target is known to be
  /// lost, they are left out.
  void ask(Danger danger);
  /// Leaves out those that were not asked for yet.
  void leave_out_rest(const std::string& reason);

  /// The answers so far; what was not told is as it was.
  const protocol::Readings& told() const { return format_.readings(); }
  /// The answers so far, in the order in which the dialect's readings rely on each other. They hold
  /// much evidence: they stay where they are, until others are asked for.
  std::vector<const Answered*> answered() const;
  /// The ids of the cases of all readings, asked for or not.
  std::set<std::string> cases() const;
  /// The context, as of a run: it knows whether the target is lost.
  RunContext& context() { return context_; }

 private:
  /// One reading that is asked for: by a probe of behaviour, or by a check of what identification
  /// found of a layout.
  struct Subject {
    protocol::ReadingName reading;
    protocol::MessageName operation;
    Cost cost = Cost::quick;
    Danger danger = Danger::documented;
    std::optional<Finding> found = {};  ///< about a layout; nothing: identification did not ask
    void (*check)(Inquiry&) = nullptr;
    Told (*ask)(Inquiry&) = nullptr;  ///< probes behaviour
    protocol::ReadingName relies_on = protocol::ReadingName::none();
    std::optional<Answered> answered = {};
  };
  friend Suite suite_of_readings(const protocol::Dialect& dialect, const std::string& prefix);

  static std::vector<Subject> subjects_of(const protocol::Dialect& dialect,
                                          const std::vector<Finding>& layouts);
  void want_what_others_rely_on();
  std::string why_not_asked(const Subject& subject) const;
  const Pin* given(const Subject& subject) const;
  Answered ask(const Subject& subject);
  void inquire(Stage& stage, const Subject& subject, Answered& answered) const;
  void hold_to_pin(Stage& stage, const Answered& answered, const Subject& subject) const;
  void conclude(Answered& answered);
  Answered leave_out(const Subject& subject, const std::string& reason) const;
  CaseEntry entry_of(const Subject& subject) const;

  SurveyOptions options_;
  WireFormat format_;
  RunContext context_;
  bool canary_tried_ = false;  ///< the context knows whether several connections are served
  std::vector<Subject> subjects_;
};

/// Asks for all of them at once, in the order of their dialect. `readings` come with the layouts,
/// and leave with all that was told; what was not stays as it was.
std::vector<Answered> survey(Network& network, Patience& patience, protocol::Width width,
                             protocol::Readings& readings, const std::vector<Finding>& layouts,
                             const SurveyOptions& options);

/// The id of the case of a reading.
std::string reading_case(std::string_view prefix, std::string_view reading);

/// The cases of all readings with several answers, to be listed and chosen among; they are played
/// by `survey` only.
Suite suite_of_readings(const protocol::Dialect& dialect, const std::string& prefix);

}  // namespace hallmark::conformance
