#include "reports/terminfo.hpp"

// <term.h> defines macros with names such as `lines` and `columns`: nothing may follow it.
#include <curses.h>
#include <term.h>
#include <unistd.h>

namespace hallmark::reports {
namespace {

bool has(const char* name) {
  const char* const sequence = tigetstr(name);
  // Curses says (char*)-1 where the name is none of a sequence.
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  return sequence != nullptr && sequence != reinterpret_cast<const char*>(-1);
}

}  // namespace

TerminalAbilities abilities_of(const char* type) {
  if (type == nullptr || *type == '\0') return {};
  int found = 0;
  if (setupterm(type, STDERR_FILENO, &found) == ERR) return {.colour = true, .moves_cursor = true};
  const TerminalAbilities abilities{.colour = tigetnum("colors") >= 8,
                                    .moves_cursor = has("cuu1") && has("el")};
  del_curterm(cur_term);
  return abilities;
}

}  // namespace hallmark::reports
