#include "cli/schema/schema.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "cli/commands.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/complaint.hpp"
#include "cli/options/nearest.hpp"
#include "embedded/embedded.hpp"

namespace hallmark::cli {
namespace {

using reports::ExitCode;

constexpr std::string_view schema_folder = "schema";
constexpr std::string_view schema_ending = ".schema.json";

ExitCode print_schema(const std::string& wanted) {
  const auto names = schema_names();
  if (wanted.empty()) {
    fmt::print("{}\n", fmt::join(names, "\n"));
    return ExitCode::as_expected;
  }
  const auto text = embedded::text_of(fmt::format("{}/{}{}", schema_folder, wanted, schema_ending));
  if (!text) {
    const auto all = fmt::format("; expected one of {}", fmt::join(names, ", "));
    return refuse("schema",
                  fmt::format("unknown schema '{}'{}", wanted, did_you_mean(wanted, names, all)));
  }
  fmt::print("{}", *text);
  return ExitCode::as_expected;
}

}  // namespace

std::vector<std::string> schema_names() {
  std::vector<std::string> names;
  for (const std::string& path : embedded::files_in(schema_folder))
    names.push_back(path.substr(schema_folder.size() + 1,
                                path.size() - schema_folder.size() - 1 - schema_ending.size()));
  // Sorts the names, not the files: the file of "load-comparison" comes before that of "load".
  std::ranges::sort(names);
  return names;
}

void add_schema_command(Command& app, int& exit_code) {
  auto* command =
      app.add_subcommand("schema", "Print the JSON schema of a file that Hallmark reads or writes");
  const auto name = std::make_shared<std::string>();
  command->add_option("SCHEMA", *name, "Its name; without one, all names are printed");
  command->footer(
      "Examples:\n"
      "  hallmark schema\n"
      "  hallmark schema certify > certify.schema.json");
  command->callback([name, &exit_code] { exit_code = static_cast<int>(print_schema(*name)); });
}

}  // namespace hallmark::cli
