#include "cli/vectors/plain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/output_file.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/complaint.hpp"
#include "reports/result.hpp"
#include "vectors/format/lines.hpp"
#include "vectors/format/plain.hpp"
#include "vectors/format/state_json.hpp"
#include "vectors/generator/invalid_messages.hpp"

namespace hallmark::cli {
namespace {

using base::Result;
using reports::ExitCode;

struct PlainArguments {
  std::string directory;
  FormatArguments format;
  std::string output;  ///< empty: standard output
};

ExitCode plain(const PlainArguments& arguments) {
  const auto format = read_format(arguments.format);
  if (!format) return refuse("vectors", format.error().message, ExitCode::usage);
  const auto file = plain_vectors_of(arguments.directory, *format);
  if (!file) return refuse("vectors", file.error().message, ExitCode::unreachable_or_harness_error);
  const std::string text = vectors::in_lines(*file);
  if (arguments.output.empty()) {
    fmt::print("{}", text);
    return ExitCode::as_expected;
  }
  if (const auto written = base::write_file(arguments.output, text); !written)
    return refuse("vectors", written.error().message, ExitCode::unreachable_or_harness_error);
  return ExitCode::as_expected;
}

}  // namespace

Result<base::Json> plain_vectors_of(const std::string& directory, const Format& format) {
  const protocol::Dialect& dialect = format.dialect();
  const auto invalid = vectors::generator::invalid_files(dialect);
  if (!invalid) return invalid.error();
  const auto of_width = std::ranges::find(*invalid, format.width, &vectors::InvalidFile::width);
  vectors::PlainSource source{.files = {}, .invalid = {}, .states = {}};
  if (of_width != invalid->end()) source.invalid = of_width->messages;
  if (dialect.transport == protocol::Transport::at_rest) {
    const auto states = vectors::load_state_directory(directory);
    if (!states) return states.error();
    source.states = *states;
    return vectors::plain_vectors(format.readings, format.width, source);
  }
  const auto files = vectors::load_directory(directory, dialect.name, format.width);
  if (!files) return files.error();
  source.files = *files;
  return vectors::plain_vectors(format.readings, format.width, source);
}

void add_plain_vectors(Command& group, const std::string& default_directory, int& exit_code) {
  auto* command = group.add_subcommand(
      "plain", "Write the vectors for one kind of server, for a runner of your own");
  const auto arguments = std::make_shared<PlainArguments>();
  arguments->directory = default_directory;
  command
      ->add_option("--dir", arguments->directory,
                   "Directory of the vectors; default: those that the program carries or, in a "
                   "build tree, those of its source tree")
      ->type_name("DIR");
  add_format_options(*command, arguments->format, "the server", Follows::nothing);
  command
      ->add_option("--output", arguments->output,
                   "The file to be written; default: standard output")
      ->not_empty()
      ->type_name("FILE");
  command->footer(
      "Has the vectors that are right for such a server, with all values spelled out and the "
      "layouts "
      "of its messages; what a codec has to read, to write and to refuse.\n\n"
      "Examples:\n"
      "  hallmark vectors plain --dialect throttr-7.1 --width u16 --output u16.json\n"
      "  hallmark vectors plain --dialect throttr-7.1 --reading insert-existing=replaced");
  command->callback([arguments, &exit_code] { exit_code = static_cast<int>(plain(*arguments)); });
}

}  // namespace hallmark::cli
