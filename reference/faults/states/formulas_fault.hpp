#pragma once

#include "reference/faults/faults.hpp"

namespace hallmark::faults {

using model::Answer;
using model::Question;
using model::StateRead;

/// A bug that is an `AroundFormulas`.
template <class Decorating>
Code formulas() {
  return [](Faults& faults) {
    faults.formulas.emplace_back(
        [](const model::Formulas& right) { return std::make_unique<Decorating>(right); });
  };
}

/// The same question about another state.
class OtherState {
 public:
  OtherState(const Question& question, std::string state)
      : state_(std::move(state)), question_{state_, question.now, question.consume} {}
  OtherState(const OtherState&) = delete;
  OtherState& operator=(const OtherState&) = delete;
  operator const Question&() const { return question_; }  // NOLINT(google-explicit-constructor)

 private:
  std::string state_;
  Question question_;
};
inline OtherState with(const Question& question, std::string state) {
  return {question, std::move(state)};
}

}  // namespace hallmark::faults
