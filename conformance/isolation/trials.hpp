#pragma once

#include "conformance/engine/stage.hpp"
#include "conformance/isolation/caretaker.hpp"
#include "conformance/isolation/trial_log.hpp"

namespace hallmark::conformance {

/// The inputs that one case tries, one after the other. After an input that does harm, a case goes
/// on: on new connections and, if the target died or hung, on a process that is started afresh. In
/// the end it fails with a sentence and a code for each kind of harm, which name the inputs.
///
/// An input at which the target dies or hangs is tried once more on the fresh process; if it does
/// no harm there, the one before it is tried, since a target may take notice of it late.
///
/// A target that is started here is started afresh when it has met `most_on_one_process` inputs: of
/// what it keeps of each connection it could die in the middle of any case. Growth has cases of its
/// own.
class Trials {
 public:
  /// After so many deaths, hangs, or inputs that were followed by silence the rest is not tried.
  /// Counts, not time: the same inputs are tried on a busy machine.
  static constexpr std::size_t most_deaths = 32;
  static constexpr std::size_t most_hangs = 2;
  static constexpr std::size_t most_silences = 8;
  static constexpr std::size_t most_on_one_process = 256;

  /// Ends the case (CaseEnded) where the target does something wrong. A reason that begins with
  /// "is" speaks of the input: "is answered with 00, 01 was expected". May be called again until
  /// the next input was tried.
  using Try = std::function<void()>;

  /// `set_up` makes what all inputs rest on: at once, and again in each fresh process.
  explicit Trials(Stage& stage, Try set_up = {});

  /// Tries the input, unless the rest is not to be tried. Inputs of a series come in ascending
  /// order, one series after the other.
  void attempt(const Input& input, const Try& try_it);

  /// Ends the case if anything went wrong.
  void conclude();

 private:
  struct Tried {
    Input input;
    Try try_it;
  };

  /// The harm that the reports show.
  struct Worst {
    Deviation::Harm harm;
    Evidence evidence;
    std::string likely_cause;
  };

  std::optional<Judgement> outcome_of(const Try& try_it, std::size_t deaths_before);
  void judge(const Tried& tried, const Judgement& judgement, std::size_t deaths_before);
  void bury(const Tried& tried, Fate fate, std::size_t deaths_before);
  void replace_in_time(std::size_t deaths_before);
  bool prepare();
  bool ends_target(const Try& try_it);
  bool settles();
  void note(const Input& input, const Deviation& deviation, const std::string& likely_cause = {});
  void count(Fate fate);
  void stop(std::string why);

  Stage& stage_;
  Try set_up_;
  Caretaker caretaker_;
  TrialLog log_;
  Evidence before_all_;  ///< the evidence of the set-up
  std::optional<Worst> worst_;
  std::optional<Tried> previous_;
  std::optional<Judgement> open_;  ///< the first input that allowed no verdict
  bool prepared_ = true;
  std::string stopped_;  ///< why the rest is not tried; empty: it is
  std::size_t deaths_ = 0;
  std::size_t hangs_ = 0;
  std::size_t silences_ = 0;
  std::size_t on_this_process_ = 0;  ///< inputs that it met
};

}  // namespace hallmark::conformance
