#include "cli/options/verbosity.hpp"

#include "cli/options/command_line.hpp"

namespace hallmark::cli {

void add_verbosity_options(Command& command, Verbosity& verbosity, std::string verbose_help) {
  auto* verbose = command.add_flag("-v,--verbose", verbosity.verbose, std::move(verbose_help));
  command
      .add_flag("-q,--quiet", verbosity.quiet,
                "Print the verdict and complaints, and nothing while the run lasts")
      ->excludes(verbose);
}

std::string_view verdict_of(std::string_view report) {
  report = report.substr(0, report.find_last_not_of('\n') + 1);
  return report.substr(report.find_last_of('\n') + 1);
}

std::string_view told(std::string_view report, const Verbosity& verbosity) {
  if (!verbosity.quiet) return report;
  return report.substr(static_cast<std::size_t>(verdict_of(report).data() - report.data()));
}

}  // namespace hallmark::cli
