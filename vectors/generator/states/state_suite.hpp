#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "protocol/chosen.hpp"
#include "vectors/format/state_vector.hpp"

namespace hallmark::vectors::generator {

/// The time that stands in the document's examples, in ns since the Unix epoch.
inline constexpr std::string_view document_time = "1761884055342794596";

/// A vector of states while it is written. What each step expects is written by hand, from the
/// document and the formulas of the released library.
class StateScenario {
 public:
  explicit StateScenario(StateVector& vector) : vector_(vector) {}

  StateScenario& cites(std::initializer_list<std::string_view> clauses);
  StateScenario& should();
  StateScenario& may();
  StateScenario& flag(std::string_view flag);
  /// It is right only for implementations with that answer.
  StateScenario& where(protocol::Chosen answer);

  /// The state reads as these fields. `of`: strategies of the parts of a composite.
  StateScenario& reads(std::string_view state, protocol::MessageName format, base::Json fields,
                       const std::vector<std::string>& of = {});
  /// The state is refused there; why, in the words of the reference, is told to people.
  StateScenario& refuses(std::string_view state, std::size_t offset, std::string_view field,
                         const std::vector<std::string>& of = {});
  StateScenario& writes(base::Json fields, std::string_view state);
  /// Reads as these fields, which are written as the same bytes.
  StateScenario& keeps(std::string_view state, protocol::MessageName format,
                       const base::Json& fields, const std::vector<std::string>& of = {});
  /// A request at `now` finds `before` (null: nothing). `answer`: members of the answer.
  StateScenario& decides(const base::Json& configuration, const base::Json& before,
                         std::string_view now, base::Json answer);

 private:
  base::Json about(std::string_view operation, const std::vector<std::string>& of) const;

  StateVector& vector_;
};

/// The vectors of one strategy while they are written.
class StateSuite {
 public:
  explicit StateSuite(std::string_view strategy) : strategy_(strategy) {}

  const std::string& strategy() const { return strategy_; }
  /// `name` is the last part of the vector's id.
  StateScenario add(std::string_view operation, std::string_view name, std::string_view title);
  /// A vector of one malformed state, refused there. `clauses`: what it is cited for besides.
  StateScenario add_refused(std::string_view name, std::string_view title,
                            std::initializer_list<std::string_view> clauses, std::string_view state,
                            std::size_t offset, std::string_view field,
                            const std::vector<std::string>& of = {});
  std::deque<StateVector>& vectors() { return vectors_; }

 private:
  std::string strategy_;
  std::deque<StateVector> vectors_;
};

/// Answers of decisions. `after`: what is to be written. Reset is left to those that judge it.
base::Json allowed(std::string_view remaining, std::string_view after);
base::Json denied(std::string_view remaining);
base::Json denied_until(std::string_view remaining, std::string_view reset);

/// The state that the store holds is refused.
base::Json refusal(std::size_t offset, std::string_view field);

/// Strings that are no state of any strategy, and states of every other strategy.
void add_foreign_strings(StateSuite& suite);

void add_token_bucket(StateSuite& suite);
void add_fixed_window(StateSuite& suite);
void add_leaky_bucket(StateSuite& suite);
void add_gcra(StateSuite& suite);
void add_composite(StateSuite& suite);

}  // namespace hallmark::vectors::generator
