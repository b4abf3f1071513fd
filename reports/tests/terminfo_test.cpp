#include "reports/terminfo.hpp"

#include <gtest/gtest.h>

namespace hallmark::reports {
namespace {

struct Known {
  const char* type;
  bool colour;
  bool moves_cursor;
};

// Types that Debian's ncurses-base describes, and one that nobody does.
TEST(Terminfo, TellsWhatATypeCanDo) {
  for (const auto& [type, colour, moves_cursor] :
       {Known{"xterm-256color", true, true}, Known{"screen", true, true},
        Known{"vt100", false, true}, Known{"dumb", false, false}, Known{"", false, false},
        Known{"no-such-terminal", true, true}}) {
    const TerminalAbilities abilities = abilities_of(type);
    EXPECT_EQ(abilities.colour, colour) << type;
    EXPECT_EQ(abilities.moves_cursor, moves_cursor) << type;
  }
  EXPECT_FALSE(abilities_of(nullptr).moves_cursor);
}

}  // namespace
}  // namespace hallmark::reports
