#include "conformance/drivers/stream/stream_units.hpp"

namespace hallmark::conformance {

std::vector<reports::CaseResult> StreamUnits::play(const Unit& unit) {
  Housekeeper housekeeper(context_);
  return play_unit(context_, housekeeper, unit);
}

std::string StreamUnits::why_no_more() {
  // A target that never sent a reply of the dialect does not speak it; waiting longer shows nothing
  // new.
  if (context_.hopeless())
    return "not played: the target answered no request so far, and was silent too long";
  if (const Loss loss = context_.given_up(); loss != Loss::none)
    return "not played: " + in_words(loss);
  return context_.overdue() ? std::string(run_takes_too_long) : std::string();
}

}  // namespace hallmark::conformance
