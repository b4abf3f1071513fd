#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "base/environment.hpp"
#include "base/output_file.hpp"
#include "base/text.hpp"
#include "base/utc.hpp"
#include "cli/commands.hpp"
#include "cli/help/man_page.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/complaint.hpp"
#include "cli/options/nearest.hpp"

namespace hallmark::cli {
namespace {

namespace fs = std::filesystem;
using reports::ExitCode;

struct ManArguments {
  std::string command;
  std::string directory;
};

/// A page for a file: its name, and its text.
struct ManPage {
  std::string name;
  std::string text;
};

/// The date of SOURCE_DATE_EPOCH, so that a build can be repeated; otherwise today.
std::string date_of_pages() {
  auto time =
      std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const std::string epoch = base::environment_variable("SOURCE_DATE_EPOCH");
  if (!epoch.empty())
    time = base::UtcTime(std::chrono::seconds(std::strtoll(epoch.c_str(), nullptr, 10)));
  return base::iso_utc(time).substr(0, 10);
}

std::vector<ManPage> pages_of(const CommandDescription& program) {
  const ManualFacts facts{HALLMARK_VERSION, date_of_pages()};
  std::vector<ManPage> pages{{page_name(program), render_program_page(program, facts)}};
  for (const CommandDescription& command : program.commands)
    pages.push_back({page_name(command), render_command_page(command, facts)});
  return pages;
}

ExitCode write_all(const std::vector<ManPage>& pages, const std::string& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error)
    return refuse("man", fmt::format("--out {}: {}", directory, error.message()),
                  ExitCode::unreachable_or_harness_error);
  for (const ManPage& page : pages) {
    const auto written = base::write_file(fs::path(directory) / (page.name + ".1"), page.text);
    if (!written)
      return refuse("man", written.error().message, ExitCode::unreachable_or_harness_error);
  }
  fmt::print("{} in {}\n", base::counted(pages.size(), "page", "pages"),
             base::printable(directory));
  return ExitCode::as_expected;
}

ExitCode run(const CommandDescription& program, const ManArguments& arguments) {
  const auto pages = pages_of(program);
  if (!arguments.directory.empty()) return write_all(pages, arguments.directory);
  const std::string wanted =
      arguments.command.empty() ? program.name : program.name + "-" + arguments.command;
  std::vector<std::string> names;
  for (const ManPage& page : pages) {
    if (page.name == wanted) {
      fmt::print("{}", page.text);
      return ExitCode::as_expected;
    }
    if (page.name != program.name) names.push_back(page.name.substr(program.name.size() + 1));
  }
  return refuse("man", fmt::format("unknown command '{}'{}", arguments.command,
                                   did_you_mean(arguments.command, names,
                                                "; `hallmark --help` lists all commands")));
}

}  // namespace

void add_man_command(Command& app, int& exit_code) {
  auto* command = app.add_subcommand("man", "Print a manual page, or write all of them");
  const auto arguments = std::make_shared<ManArguments>();
  command->add_option("COMMAND", arguments->command,
                      "The command whose page is printed; default: that of the program");
  command
      ->add_option("--out", arguments->directory,
                   "Write the pages of all commands into a directory")
      ->type_name("DIR")
      ->not_empty();
  command->footer(
      "The pages are made from the same declarations that parse the command line. Their date is\n"
      "today's, or that of SOURCE_DATE_EPOCH.\n\n"
      "Examples:\n"
      "  hallmark man certify | man -l -\n"
      "  hallmark man --out /usr/local/share/man/man1");
  command->callback([&app, arguments, &exit_code] {
    exit_code = static_cast<int>(run(app.describe(), *arguments));
  });
}

}  // namespace hallmark::cli
