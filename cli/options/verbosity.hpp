#pragma once
#include <string>
#include <string_view>

namespace hallmark::cli {

class Command;

/// The verbosity of a command; at most one of the two is set.
struct Verbosity {
  bool verbose = false;
  bool quiet = false;
};

/// Adds --verbose and --quiet. `verbose_help`: what more is told.
void add_verbosity_options(Command& command, Verbosity& verbosity, std::string verbose_help);

/// The text of a report as it is printed: with --quiet the verdict, which is its last line.
std::string_view told(std::string_view report, const Verbosity& verbosity);

/// The last line of a report, which is its verdict, without the line break.
std::string_view verdict_of(std::string_view report);

}  // namespace hallmark::cli
