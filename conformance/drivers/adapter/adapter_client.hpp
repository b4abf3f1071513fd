#pragma once

#include <deque>
#include <optional>

#include "conformance/drivers/adapter/adapter_host.hpp"
#include "conformance/engine/patience.hpp"
#include "conformance/judgement/verdict.hpp"
#include "conformance/suites/ratelimit_state/supports.hpp"

namespace hallmark::conformance {

/// An adapter as cases see it: each question gets its answer, or the case ends. One that broke the
/// protocol is ended, and the next question starts it afresh.
class AdapterClient {
 public:
  /// The time that an adapter may take to end once it has closed its output, in ns. After that, it
  /// counts as still running.
  static constexpr Time longest_farewell = 1'000'000'000;

  AdapterClient(AdapterHost& host, Patience& patience) : host_(host), patience_(patience) {}

  /// A case begins: what passed before is no evidence in it.
  void begin();

  /// The answer. Ends the case, with what happened, where there is none: the adapter says nothing
  /// in time, ends, or writes what is no answer to this.
  base::Json ask(const base::Json& request);

  /// Ends the case if the adapter has written anything that nobody asked for: asks hello, whose
  /// answer has to be the next line.
  void fence();

  /// The next question goes to a process that was asked nothing yet.
  void renew();

  /// Closes its input. What it did then; empty: it ended by itself with exit code 0.
  std::string finish();

  /// Returns true if the adapter is only known to be impossible to start, or to have ended without
  /// a word.
  bool never_ran() const { return !ran_; }
  Time now() const { return host_.now(); }

  std::vector<reports::Exchange> evidence() const;
  /// The adapter ended or fell silent in this case although it was to answer; nothing: it did not.
  /// The death holds the requests that were sent last, but not what they mean.
  const std::optional<reports::Death>& death() const { return death_; }
  /// Returns true if the process that was asked last in this case had been asked nothing before the
  /// case.
  bool began_fresh() const { return began_fresh_; }

  /// The requests of the case, as they were sent.
  std::vector<std::string> reproduction() const;

 private:
  struct Passed {
    reports::Direction direction;
    Time at;
    std::string line;  ///< its beginning
    std::size_t omitted;
  };

  void start();
  void record(reports::Direction direction, std::string_view line);
  base::Json await(const std::string& request, Time until);
  [[noreturn]] void broken(Code::Kind kind, const std::string& what);
  [[noreturn]] void gone(const std::string& request);
  [[noreturn]] void silent();
  Time allowance() const;
  std::string standard_error() const;
  void record_death(const std::string& how, bool hung);

  AdapterHost& host_;
  Patience& patience_;
  std::unique_ptr<AdapterLink> link_;
  AdapterSession session_;
  Time begun_ = 0;
  std::string asked_;  ///< the operation of the last request; empty where it names none
  std::deque<Passed> passed_;
  std::size_t dropped_ = 0;  ///< requests of the case that are no longer kept
  Time asked_at_ = 0;
  Time waited_ = 0;          ///< at most so long for the answer, ns
  Time slowest_answer_ = 0;  ///< ns
  bool ran_ = false;
  bool began_fresh_ = true;
  Time started_ = 0;  ///< the process that runs
  std::optional<reports::Death> death_;
};

}  // namespace hallmark::conformance
