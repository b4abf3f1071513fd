#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "conformance/drivers/adapter/adapter_case.hpp"
#include "vectors/format/state_match.hpp"

namespace hallmark::conformance {
namespace {

using base::Json;
using vectors::StateStep;
using vectors::StateVector;

/// Requires that the adapter reports each step as unsupported. A malformed state may also get an
/// error: the adapter does not have to know its format.
void play_lacking(AdapterTrial& trial, const StateVector& vector, const std::string& lack) {
  for (const StateStep& step : vector.steps)
    trial.require_unsupported(step.request, lack, step.answer.contains("error"));
  end_case(reports::Verdict::unsupported,
           fmt::format("the adapter does not list {}, and answers so", lack));
}

/// Makes the code of a mismatch. If the member is true or false, the input says which of them came
/// and which was expected.
Code code_of(const vectors::StateMismatch& wrong) {
  const auto is_truth = [](const std::string& text) { return text == "true" || text == "false"; };
  Code code{.kind = Code::Kind::wrong_field, .field = wrong.member};
  if (wrong.received == "nothing") code.input = "missing";
  if (is_truth(wrong.received) && is_truth(wrong.expected))
    code.input = fmt::format("{}-for-{}", wrong.received, wrong.expected);
  return code;
}

void judge(AdapterTrial& trial, const StateVector& vector, const StateStep& step) {
  const Json answer = trial.ask_listed(step.request, vector.formats);
  const bool rounding =
      std::ranges::find(vector.flags, vectors::rounding_flag) != vector.flags.end();
  const auto wrong = vectors::mismatch(step.answer, answer, rounding);
  if (!wrong) return;
  const bool refused = answer.contains("error") && !step.answer.contains("error");
  trial.fail(code_of(*wrong),
             fmt::format("{} is {}, expected {}{}", wrong->member, wrong->received, wrong->expected,
                         refused ? "; the adapter answered with an error" : ""));
}

void play(AdapterTrial& trial, const StateVector& vector) {
  for (const StateStep& step : vector.steps) {
    const std::string lack = missing(trial.supports(), step.request, vector.formats);
    if (!lack.empty()) play_lacking(trial, vector, lack);
  }
  for (const StateStep& step : vector.steps) judge(trial, vector, step);
}

/// The first answer on which the vector depends and that is not held to; empty: there is none.
std::string other_answer(const StateVector& vector, const WireFormat& format) {
  for (const auto& [reading, answer] : vector.readings) {
    if (format.readings().answer_called(reading) != answer)
      return fmt::format("{}={}", reading, answer);
  }
  return {};
}

}  // namespace

StateVectorCases adapter_vector_cases(const std::vector<vectors::StateVectorFile>& files,
                                      const WireFormat& format) {
  StateVectorCases made;
  for (const vectors::StateVectorFile& file : files) {
    for (const StateVector& vector : file.vectors) {
      if (const std::string other = other_answer(vector, format); !other.empty()) {
        ++made.left_out[other];
        continue;
      }
      made.cases.push_back({{vector.id, vector.title, vector.operation, vector.level,
                             vector.clauses, Delivery::whole},
                            [shared = std::make_shared<const StateVector>(vector)](
                                AdapterTrial& trial) { play(trial, *shared); }});
    }
  }
  return made;
}

}  // namespace hallmark::conformance
