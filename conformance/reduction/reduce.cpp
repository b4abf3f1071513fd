#include "conformance/reduction/reduce.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/hex.hpp"
#include "conformance/reduction/script_reducer.hpp"
#include "conformance/reduction/vector_reducer.hpp"

namespace hallmark::conformance {
namespace {

using vectors::Send;
using vectors::Vector;

std::size_t requests_in(const Vector& vector) {
  return static_cast<std::size_t>(std::ranges::count_if(
      vector.steps, [](const auto& step) { return std::holds_alternative<Send>(step.action); }));
}

}  // namespace

std::optional<Reproduction> reduced(RunContext& context, Housekeeper& housekeeper,
                                    const Failure& failure, const ReductionBounds& bounds) {
  Reproduction reproduction;
  reproduction.case_id = failure.case_id;
  std::optional<Vector> left;
  if (failure.script) {
    reproduction.requests_before = failure.script->steps.size();
    left = reduced_script(context, housekeeper, *failure.script, bounds);
  }
  if (!left && failure.vector != nullptr) {
    reproduction.requests_before = requests_in(*failure.vector);
    left = reduced_vector(context, housekeeper, *failure.vector, failure.delivery, bounds);
  }
  if (!left) return std::nullopt;
  reproduction.vector = std::move(*left);
  reproduction.requests_left = requests_in(reproduction.vector);
  return reproduction;
}

bool fails_again(RunContext& context, const Reproduction& reproduction) {
  Housekeeper housekeeper(context);
  return std::ranges::any_of(all_deliveries, [&](Delivery delivery) {
    if (!can_deliver(context.format, reproduction.vector, delivery)) return false;
    Stage stage(context, housekeeper, reproduction.case_id);
    try {
      play(stage, reproduction.vector, delivery);
      return false;
    } catch (const CaseEnded& ended) {
      stage.abandon();
      return ended.judgement().verdict == reports::Verdict::fail;
    }
  });
}

std::vector<std::string> hex_script(const Reproduction& reproduction) {
  std::vector<std::string> lines{fmt::format("# {}: {} of {} requests are left",
                                             reproduction.case_id, reproduction.requests_left,
                                             reproduction.requests_before)};
  if (!reproduction.failed_afresh)
    lines.emplace_back("# not played on a fresh process: the target is not ours to start");
  for (const vectors::Step& step : reproduction.vector.steps) {
    if (const auto* const pause = std::get_if<vectors::Pause>(&step.action))
      lines.push_back(fmt::format("# {} ms later", pause->milliseconds));
    if (std::holds_alternative<vectors::Close>(step.action))
      lines.push_back(fmt::format("# {} is closed", step.connection));
    const auto* const send = std::get_if<Send>(&step.action);
    if (send == nullptr) continue;
    for (const vectors::Substitution& one : send->substitutions)
      lines.push_back(fmt::format("# with the {} that was told", one.field));
    lines.push_back(fmt::format("{}: {}", step.connection, base::to_hex(send->bytes, " ")));
  }
  return lines;
}

}  // namespace hallmark::conformance
