#pragma once

namespace hallmark::cli {

class Command;

/// Adds `localize` to the group `hallmark mutants`; sets `exit_code` when it runs.
void add_localize_command(Command& group, int& exit_code);

}  // namespace hallmark::cli
