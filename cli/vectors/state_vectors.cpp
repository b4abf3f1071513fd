#include "cli/vectors/state_vectors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hallmark::cli {

bool is_state_operation(std::string_view name) {
  return name == "decode" || name == "encode" || name == "decide";
}

std::string describe(const vectors::StateVector& vector, const reports::TerminalStyle& style) {
  using reports::Colour;
  std::string text =
      fmt::format("{}  {}\n{}\nclauses: {}\n", paint(style, Colour::bold, vector.id),
                  protocol::name_of(vector.level), vector.title, fmt::join(vector.clauses, ", "));
  for (const auto& [reading, answer] : vector.readings)
    text += fmt::format("only where {} = {}\n", reading, answer);
  if (!vector.flags.empty()) text += fmt::format("flags: {}\n", fmt::join(vector.flags, ", "));
  for (const auto& step : vector.steps) {
    text += fmt::format("\n{} {}\n{} {}\n", paint(style, Colour::dim, ">"), step.request.dump(),
                        paint(style, Colour::dim, "<"), step.answer.dump());
  }
  return text;
}

}  // namespace hallmark::cli
