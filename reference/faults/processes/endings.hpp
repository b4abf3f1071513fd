#pragma once

/// Ways in which a whole process goes. None returns.
namespace hallmark::faults {

/// The process ends by that signal.
[[noreturn]] void die_of(int signal);
/// It ends with exit code 1, and cleans nothing up.
[[noreturn]] void exit_at_once();
/// It computes for ever; whoever needs its thread or a lock that it holds waits for ever.
[[noreturn]] void spin();
/// It waits for ever for what never comes, as for a lock that it holds itself.
[[noreturn]] void sleep_for_ever();

}  // namespace hallmark::faults
