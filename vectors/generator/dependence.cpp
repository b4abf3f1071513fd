#include "vectors/generator/dependence.hpp"

#include <algorithm>

#include "vectors/generator/rehearsal.hpp"

namespace hallmark::vectors::generator {
namespace {

/// They range from a pace at which nothing expires to one at which every unit of a TTL passes in a
/// few steps.
constexpr Pace paces[] = {11,          usual_pace,    37'000'013,     113'000'009,
                          300'000'007, 2'050'000'003, 17'000'000'003, 1'000'000'000'039};

/// Time matters only where what is left of a TTL is judged.
bool depends_on_time(const Vector& vector) {
  return std::ranges::any_of(vector.steps, [](const Step& step) {
    const auto* const expect = std::get_if<Expect>(&step.action);
    return expect != nullptr && std::ranges::any_of(expect->any_of, [](const Expected& expected) {
             return std::ranges::find(expected.fields, Match::remaining, &FieldPattern::match) !=
                    expected.fields.end();
           });
  });
}

std::vector<Pace> paces_of(const Vector& vector, protocol::Width width,
                           const protocol::Readings& readings) {
  if (!depends_on_time(vector)) return {usual_pace};
  std::vector<Pace> chosen;
  for (const Pace pace : paces) {
    if (holds_under(vector, width, readings, readings, pace)) chosen.push_back(pace);
  }
  return chosen;
}

}  // namespace

std::map<std::string, std::string> dependence_of(const Vector& vector, protocol::Width width,
                                                 const protocol::Readings& readings) {
  const std::vector<Pace> chosen = paces_of(vector, width, readings);
  const auto holds = [&](const protocol::Readings& served) {
    return std::ranges::all_of(
        chosen, [&](Pace pace) { return holds_under(vector, width, readings, served, pace); });
  };
  std::map<std::string, std::string> answers;
  for (const protocol::Reading& reading : readings.dialect().readings) {
    const std::string_view own = readings.answer(reading);
    for (const protocol::Answer& other : reading.answers) {
      if (other.id == own || other.served == protocol::Served::no) continue;
      protocol::Readings served = readings;
      if (!served.set(reading.id, other.id) || holds(served)) continue;
      answers.emplace(reading.id, own);
      break;
    }
  }
  return answers;
}

}  // namespace hallmark::vectors::generator
