#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>

#include "conformance/record/part.hpp"
#include "conformance/record/per_thread.hpp"

namespace hallmark::conformance {

/// The place where a run that is played again departs from its record.
struct Divergence {
  std::string part;
  std::size_t at = 0;  ///< the crossing of the part, counted from 1; 0: the part as a whole
  std::string what;    ///< one line
};

/// Plays a record back: what was received and when comes from it, what is sent has to be what it
/// holds. Where a part goes another way, that is noted once, and for the rest of the part the
/// target is dead: nothing is received, every wait is over at once. Used by several threads, each
/// on other parts.
class Playback {
 public:
  /// The parts outlive it. Two of the same name are played in their order.
  Playback(const std::vector<Part>& parts, Links links);

  void begin_part(std::string_view name);
  Time now();

  std::uint32_t next_link();
  /// The next crossing, if it is of that kind and connection and, where something is handed over,
  /// of these bytes. Null: the target is dead.
  const Crossing* cross(Crossing::Kind kind, std::uint32_t link, base::ByteView handed = {});
  std::uint64_t shared(Shared what, std::uint64_t current);
  void judged(std::string_view message, base::ByteView bytes);
  /// The supervisor's answer to that question. Null: the target is dead.
  const Crossing* answer(std::string_view question);
  /// The same, where it comes next. Null: it does not.
  const Crossing* next_answer(std::string_view question);
  /// The target is dead; the clock goes on.
  void pass(Time until);
  /// The record does not fit: what was noted of it before counts.
  void diverge(std::string what);

  /// Returns true if the target of the recorded run was started by it.
  bool started_here() const { return started_here_; }

  /// The run is over. What went another way; the parts that were not played are among it.
  std::vector<Divergence> finish();

 private:
  struct Current {
    const Part* part = nullptr;
    std::size_t next = 0;
    Time now = 0;
    std::uint32_t links = 0;
    bool dead = true;
    std::string name;
    std::array<std::uint64_t, shared_numbers> told{};
  };

  const Part* take(const std::string& name);
  const Crossing* peek(const Current& current) const;
  const Crossing& consume(Current& current);
  void end(Current& current);
  void diverge(Current& current, std::string what);

  Links links_;
  bool started_here_;
  std::mutex mutex_;
  std::map<std::string, std::vector<const Part*>, std::less<>> waiting_;  ///< the next one is last
  std::vector<Divergence> divergences_;
  PerThread<Current> current_;
};

}  // namespace hallmark::conformance
