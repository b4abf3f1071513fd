#pragma once

#include <string>

#include "protocol/text/state.hpp"
#include "reports/terminal.hpp"

namespace hallmark::captures {

/// A string that was taken for a state.
struct StateText {
  std::string key = {};  ///< empty: it came without one
  std::string text;
};

/// One state for people: its format, its fields by offset, whether it is written as it would be
/// today; or where it stops being a state, under the string itself.
std::string explain_state(const StateText& state, std::size_t number,
                          const protocol::Readings& readings, const protocol::state::Taken& taken,
                          const reports::TerminalStyle& style);

struct StatesAsJson {
  std::string text;  ///< captures/schema/states.schema.json; a newline at the end
  std::size_t malformed = 0;
};

/// All of them, as `hallmark decode --json` prints them.
StatesAsJson states_as_json(const std::vector<StateText>& states,
                            const protocol::Readings& readings,
                            const protocol::state::Taken& taken);

}  // namespace hallmark::captures
