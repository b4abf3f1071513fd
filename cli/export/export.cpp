#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/output_file.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/decode/format_options.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/complaint.hpp"
#include "cli/options/names.hpp"
#include "exporters/identifier.hpp"
#include "exporters/kaitai.hpp"
#include "exporters/wireshark.hpp"
#include "protocol/dialects.hpp"
#include "reports/result.hpp"

namespace hallmark::cli {
namespace {

using base::Error;
using base::Result;
using protocol::Readings;
using reports::ExitCode;

/// A kind of description that can be exported.
struct ExportKind {
  const char* name;
  const char* ending;
  const char* description;
  Result<std::string> (*render)(const Readings&, std::string_view profile);
  bool (*is_for)(const protocol::Dialect&);
};

bool any_dialect(const protocol::Dialect&) { return true; }
bool on_the_wire(const protocol::Dialect& dialect) {
  return dialect.transport != protocol::Transport::at_rest;
}

constexpr ExportKind export_kinds[] = {
    {"kaitai", ".ksy", "Kaitai Struct descriptions", exporters::kaitai_of, any_dialect},
    {"wireshark", ".lua", "Dissectors for Wireshark, in Lua", exporters::wireshark_of,
     on_the_wire}};

struct ExportArguments {
  FormatArguments format;
  bool dialect_given = false;
  std::string output;
};

struct ExportedFile {
  std::string name;
  std::string text;
};

ExitCode export_refused(const Error& error, ExitCode code = ExitCode::usage) {
  return refuse("export", error.message, code);
}

/// The dialect that was named, or all that the kind is for.
Result<std::vector<ExportedFile>> exported(const ExportKind& kind,
                                           const ExportArguments& arguments) {
  std::vector<ExportedFile> files;
  for (const protocol::Dialect* const dialect : protocol::all_dialects) {
    const bool named = arguments.format.dialect == dialect->name;
    if (arguments.dialect_given ? !named : !kind.is_for(*dialect)) continue;
    FormatArguments format = arguments.format;
    format.dialect = dialect->name;
    const auto read = read_format(format);
    if (!read) return read.error();
    auto text = kind.render(read->readings, format.profile);
    if (!text) return text.error();
    files.push_back({exporters::identifier(dialect->name) + kind.ending, std::move(*text)});
  }
  return files;
}

bool is_directory(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

ExitCode write_exported(const std::vector<ExportedFile>& files, const std::string& output) {
  const bool into_directory = is_directory(output);
  if (files.size() > 1 && !into_directory) {
    std::error_code failed;
    std::filesystem::create_directories(output, failed);
    if (failed) {
      return export_refused({fmt::format("cannot write {}: {}", output, failed.message())},
                            ExitCode::unreachable_or_harness_error);
    }
  }
  for (const ExportedFile& file : files) {
    const bool inside = into_directory || files.size() > 1;
    const std::string path = inside ? (std::filesystem::path(output) / file.name).string() : output;
    const auto written = base::write_file(path, file.text);
    if (!written) return export_refused(written.error(), ExitCode::unreachable_or_harness_error);
    if (inside) fmt::print("{}\n", path);
  }
  return ExitCode::as_expected;
}

ExitCode run_export(const ExportKind& kind, const ExportArguments& arguments) {
  if (arguments.dialect_given) {
    const auto dialect = dialect_named(arguments.format.dialect);
    if (!dialect) return export_refused(dialect.error());
  }
  const auto files = exported(kind, arguments);
  if (!files) return export_refused(files.error());
  if (!arguments.output.empty()) return write_exported(*files, arguments.output);
  if (files->size() > 1)
    return export_refused({"several files; expected --output DIR, or one --dialect"});
  fmt::print("{}", files->front().text);
  return ExitCode::as_expected;
}

void add_export_kind(Command& command, const ExportKind& kind, int& exit_code) {
  auto* one = command.add_subcommand(kind.name, kind.description);
  const auto arguments = std::make_shared<ExportArguments>();
  one->add_option("--dialect", arguments->format.dialect, "Which; default: all, into --output DIR")
      ->type_name("NAME");
  one->add_option("--profile", arguments->format.profile,
                  "How documents are read: deployed (as released servers), literal (as the text "
                  "says)")
      ->capture_default_str();
  one->add_option("--reading", arguments->format.readings,
                  "One answer otherwise than in the profile; several allowed")
      ->type_name("READING=ANSWER")
      ->allow_extra_args(false);
  one->add_option("--output", arguments->output,
                  "A file, or a directory for files named after the dialects; default: standard "
                  "output")
      ->not_empty()
      ->type_name("PATH");
  one->callback([one, arguments, &kind, &exit_code] {
    arguments->dialect_given = one->count("--dialect") > 0;
    exit_code = static_cast<int>(run_export(kind, *arguments));
  });
}

}  // namespace

void add_export_command(Command& app, int& exit_code) {
  auto* command =
      app.add_subcommand("export", "Write the dialects as descriptions that other tools read");
  command->require_subcommand(1);
  for (const ExportKind& kind : export_kinds) add_export_kind(*command, kind, exit_code);
  command->footer(
      "Examples:\n"
      "  hallmark export kaitai --dialect throttr-7.1 --output throttr_7_1.ksy\n"
      "  hallmark export kaitai --output descriptions\n"
      "  hallmark export wireshark --dialect throttr-7.3 --output throttr_7_3.lua\n"
      "  wireshark -X lua_script:throttr_7_3.lua -o throttr_7_3.port:9000 \\\n"
      "      session.pcapng");
}

}  // namespace hallmark::cli
