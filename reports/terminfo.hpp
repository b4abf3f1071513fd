#pragma once

namespace hallmark::reports {

/// The abilities of a type of terminal that matter here.
struct TerminalAbilities {
  bool colour = false;        ///< at least eight, by the sequences of ANSI
  bool moves_cursor = false;  ///< up by a line, and clears to the end of one
};

/// Looks the type up in terminfo(5). `type`: as TERM names it. A type that is not in there is taken
/// for one that follows ANSI, as nearly all do; none at all, and an empty one, can do nothing.
TerminalAbilities abilities_of(const char* type);

}  // namespace hallmark::reports
