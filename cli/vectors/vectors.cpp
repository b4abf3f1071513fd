#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/glob.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/complaint.hpp"
#include "cli/options/names.hpp"
#include "cli/vectors/convert.hpp"
#include "cli/vectors/pack.hpp"
#include "cli/vectors/plain.hpp"
#include "cli/vectors/state_vectors.hpp"
#include "cli/vectors/vector_files.hpp"
#include "cli/vectors/vector_text.hpp"
#include "cli/vectors/vectors_directory.hpp"
#include "protocol/dialects.hpp"
#include "reports/result.hpp"
#include "reports/terminal.hpp"
#include "vectors/format/json.hpp"
#include "vectors/format/state_json.hpp"
#include "vectors/generator/generator.hpp"

namespace hallmark::cli {
namespace {

using base::Result;
using reports::Align;
using reports::Colour;
using reports::ExitCode;
using vectors::VectorFile;

constexpr std::size_t longest_shown_line = 160;

struct VectorsArguments {
  std::string directory;
  std::string dialect, width, profile, operation;  ///< empty: all
  std::string filter = "*";
  std::string id;
  std::string from, to;  ///< of `convert`
  std::string output;    ///< of `pack`
};

ExitCode generate(const std::string& directory) {
  if (directory.empty()) {
    return refuse("vectors",
                  "generate writes into the source tree, which is not beside this program; name a "
                  "directory with --out DIR",
                  ExitCode::usage);
  }
  // Generating takes seconds: a place where nothing can be written is found first.
  if (const auto made = make_directory(directory); !made)
    return refuse("vectors", made.error().message, ExitCode::unreachable_or_harness_error);
  const auto texts = vectors::generator::generate_all();
  if (texts.has_error()) return refuse("vectors", texts.error().message, ExitCode::failures);
  const auto counts = write_vector_files(directory, *texts);
  if (!counts)
    return refuse("vectors", counts.error().message, ExitCode::unreachable_or_harness_error);
  fmt::print("{} in {}: {} written, {} removed, the others were up to date\n",
             base::counted(texts->size(), "file", "files"), shown_vectors_directory(directory),
             counts->written, counts->removed);
  return ExitCode::as_expected;
}

void print(const Drift& drift) {
  for (const auto& path : drift.missing) fmt::print("missing    {}\n", base::printable(path));
  for (const auto& path : drift.extra) fmt::print("extra      {}\n", base::printable(path));
  const auto line = [](const std::string& text) {
    return text.empty() ? "(nothing)" : base::excerpt(text, longest_shown_line);
  };
  for (const auto& difference : drift.differing) {
    const auto& id = difference.vector_id;
    fmt::print("differs    {}:{}{}\n", base::printable(difference.path), difference.line,
               id.empty() ? "" : fmt::format(", first vector {}", id));
    fmt::print("  committed  {}\n", line(difference.committed));
    fmt::print("  generated  {}\n", line(difference.generated));
  }
}

ExitCode check(const std::string& directory) {
  const auto texts = vectors::generator::generate_all();
  if (texts.has_error()) return refuse("vectors", texts.error().message, ExitCode::failures);
  const auto committed = read_vector_files(directory, *texts);
  if (!committed)
    return refuse("vectors", committed.error().message, ExitCode::unreachable_or_harness_error);
  const Drift drift = compare(*committed, *texts);
  if (drift.empty()) {
    fmt::print("{} in {}, all as generated\n", base::counted(texts->size(), "file", "files"),
               shown_vectors_directory(directory));
    return ExitCode::as_expected;
  }
  print(drift);
  fmt::print("DRIFT  {} missing, {} extra, {} different; `hallmark vectors generate --out {}`\n",
             drift.missing.size(), drift.extra.size(), drift.differing.size(),
             directory.empty() ? "DIR" : base::printable(directory));
  return ExitCode::failures;
}

/// Below the directory `to`, or as that file where `from` is one.
ExitCode convert(const std::string& from, const std::string& to) {
  const auto made = convert_format_2(from);
  if (!made) return refuse("vectors", made.error().message, ExitCode::usage);
  const bool is_directory = std::filesystem::is_directory(from);
  for (const auto& [path, text] : made->texts) {
    const auto written = write_vector_file(
        is_directory ? std::filesystem::path(to) / path : std::filesystem::path(to), text);
    if (!written)
      return refuse("vectors", written.error().message, ExitCode::unreachable_or_harness_error);
  }
  fmt::print("{} of format 2 with {} in {} became {} of format 3 in {}\n",
             base::counted(made->read, "file", "files"),
             base::counted(made->vectors, "vector", "vectors"), from,
             base::counted(made->texts.size(), "file", "files"), to);
  return ExitCode::as_expected;
}

ExitCode pack(const std::string& directory, const std::string& output) {
  const auto packed = pack_vectors(directory, output, HALLMARK_VERSION);
  if (!packed)
    return refuse("vectors", packed.error().message, ExitCode::unreachable_or_harness_error);
  fmt::print("{} in {}: {}, and npm with the same as a package\nsha256  {}\n",
             base::counted(packed->files, "file", "files"), base::printable(output),
             packed->archive, packed->sha256);
  return ExitCode::as_expected;
}

bool at_rest(const protocol::Dialect& dialect) {
  return dialect.transport == protocol::Transport::at_rest;
}

/// A dialect and width that were asked for, with what their directory holds.
struct Shelf {
  const protocol::Dialect* dialect;
  std::vector<VectorFile> files;
};

Result<std::vector<const protocol::Dialect*>> dialects_of(const VectorsArguments& arguments) {
  const auto& all = protocol::all_dialects;
  if (arguments.dialect.empty()) return std::vector(all.begin(), all.end());
  const auto dialect = dialect_named(arguments.dialect);
  if (dialect.has_error()) return dialect.error();
  return std::vector{*dialect};
}

/// The result of `find` in the first dialect that has it. If none has, the error is that of the
/// dialect with the most operations: its list of what is allowed is the longest.
template <class Find>
auto in_any(const std::vector<const protocol::Dialect*>& dialects, const Find& find) {
  for (const auto* dialect : dialects) {
    if (auto found = find(*dialect); found.has_value()) return found;
  }
  return find(**std::ranges::max_element(
      dialects, {}, [](const auto* dialect) { return dialect->operations.size(); }));
}

Result<void> check_width(const std::vector<const protocol::Dialect*>& dialects,
                         const std::string& name) {
  if (name.empty()) return {};
  const auto width = in_any(dialects, [&](const auto& one) { return width_named(one, name); });
  if (width.has_error()) return width.error();
  return {};
}

/// All that the directory holds of the dialects and widths that were asked for.
Result<std::vector<Shelf>> load(const VectorsArguments& arguments) {
  const auto dialects = dialects_of(arguments);
  if (dialects.has_error()) return dialects.error();
  if (const auto width = check_width(*dialects, arguments.width); !width) return width.error();
  std::vector<Shelf> shelves;
  for (const auto* dialect : *dialects) {
    if (at_rest(*dialect)) continue;
    for (const auto width : dialect->widths) {
      if (!arguments.width.empty() && protocol::name_of(width) != arguments.width) continue;
      auto files = vectors::load_directory(arguments.directory, dialect->name, width);
      if (files.has_error()) return files.error();
      shelves.push_back({dialect, std::move(*files)});
    }
  }
  return shelves;
}

/// The profile that was asked for; nothing for both.
Result<std::optional<protocol::Profile>> profile_of(const VectorsArguments& arguments) {
  if (arguments.profile.empty()) return std::optional<protocol::Profile>();
  const auto profile = profile_named(arguments.profile);
  if (profile.has_error()) return profile.error();
  return std::optional(*profile);
}

/// Vectors of states have neither width nor profile.
bool asks_for_states(const VectorsArguments& arguments) {
  return (arguments.dialect.empty() || arguments.dialect == vectors::state_dialect) &&
         arguments.width.empty() && arguments.profile.empty() &&
         (arguments.operation.empty() || is_state_operation(arguments.operation));
}

/// All vectors of states that the directory holds, if they were asked for.
Result<std::vector<vectors::StateVector>> states(const VectorsArguments& arguments) {
  std::vector<vectors::StateVector> all;
  if (!asks_for_states(arguments)) return all;
  auto files = vectors::load_state_directory(arguments.directory);
  if (files.has_error()) return files.error();
  for (auto& file : *files) {
    for (auto& vector : file.vectors) {
      if (arguments.operation.empty() || arguments.operation == vector.operation)
        all.push_back(std::move(vector));
    }
  }
  return all;
}

/// The operation that was asked for; null for all.
Result<const protocol::Operation*> operation_of(const VectorsArguments& arguments) {
  if (arguments.operation.empty()) return static_cast<const protocol::Operation*>(nullptr);
  const auto dialects = dialects_of(arguments);
  if (dialects.has_error()) return dialects.error();
  if (std::ranges::all_of(*dialects, [](const auto* one) { return at_rest(*one); })) {
    return base::Error{fmt::format("unknown operation '{}'; allowed: decode, encode, decide",
                                   arguments.operation)};
  }
  return in_any(*dialects,
                [&](const auto& one) { return operation_named(one, arguments.operation); });
}

/// Chooses the files of the profile and the operation that were asked for.
struct FileFilter {
  const protocol::Operation* operation;  ///< null: all
  std::optional<protocol::Profile> profile;

  bool takes(const VectorFile& file) const {
    return (operation == nullptr || file.operation == operation->name) &&
           (!profile || file.profile == *profile);
  }
};

Result<FileFilter> file_filter(const VectorsArguments& arguments) {
  const auto operation = operation_of(arguments);
  if (operation.has_error()) return operation.error();
  const auto profile = profile_of(arguments);
  if (profile.has_error()) return profile.error();
  return FileFilter{*operation, *profile};
}

std::vector<const vectors::Vector*> chosen(const std::vector<Shelf>& shelves,
                                           const FileFilter& filter, const std::string& glob) {
  std::vector<const vectors::Vector*> found;
  for (const auto& shelf : shelves) {
    for (const auto& file : shelf.files) {
      if (!filter.takes(file)) continue;
      for (const auto& vector : file.vectors) {
        if (base::glob_matches(glob, vector.id)) found.push_back(&vector);
      }
    }
  }
  return found;
}

struct Row {
  std::string id;
  protocol::Level level;
  std::string title;
};

/// Vectors of messages that were asked for.
Result<std::vector<Row>> message_rows(const VectorsArguments& arguments) {
  if (is_state_operation(arguments.operation)) return std::vector<Row>();
  const auto filter = file_filter(arguments);
  if (filter.has_error()) return filter.error();
  const auto shelves = load(arguments);
  if (shelves.has_error()) return shelves.error();
  std::vector<Row> rows;
  for (const auto* vector : chosen(*shelves, *filter, arguments.filter))
    rows.push_back({vector->id, vector->level, vector->title});
  return rows;
}

Result<std::vector<Row>> state_rows(const VectorsArguments& arguments) {
  const auto all = states(arguments);
  if (all.has_error()) return all.error();
  std::vector<Row> rows;
  for (const auto& vector : *all) {
    if (base::glob_matches(arguments.filter, vector.id))
      rows.push_back({vector.id, vector.level, vector.title});
  }
  return rows;
}

ExitCode list(const VectorsArguments& arguments) {
  auto rows = message_rows(arguments);
  if (rows.has_error()) return refuse("vectors", rows.error().message, ExitCode::usage);
  auto of_states = state_rows(arguments);
  if (of_states.has_error()) return refuse("vectors", of_states.error().message, ExitCode::usage);
  std::ranges::move(*of_states, std::back_inserter(*rows));
  if (rows->empty()) {
    return refuse("vectors",
                  fmt::format("no vector matches '{}' and the other options; `hallmark vectors "
                              "list` shows all ids",
                              arguments.filter),
                  ExitCode::usage);
  }
  const auto style = reports::style_for(stdout);
  reports::Table table({Align::left, Align::left, Align::left});
  table.add({"id", "level", "title"}, style, Colour::dim);
  for (const Row& row : *rows)
    table.add({row.id, std::string(protocol::name_of(row.level)), row.title});
  fmt::print("{}{}\n", table.render(), base::counted(rows->size(), "vector", "vectors"));
  return ExitCode::as_expected;
}

ExitCode show(const VectorsArguments& arguments) {
  const auto shelves = load(arguments);
  if (shelves.has_error()) return refuse("vectors", shelves.error().message, ExitCode::usage);
  std::vector<std::string> ids;
  for (const auto& shelf : *shelves) {
    for (const auto& file : shelf.files) {
      for (const auto& vector : file.vectors) {
        if (vector.id == arguments.id) {
          fmt::print("{}", describe(vector, file, *shelf.dialect, reports::style_for(stdout)));
          return ExitCode::as_expected;
        }
        ids.push_back(vector.id);
      }
    }
  }
  const auto of_states = states(arguments);
  if (of_states.has_error()) return refuse("vectors", of_states.error().message, ExitCode::usage);
  for (const auto& vector : *of_states) {
    if (vector.id == arguments.id) {
      fmt::print("{}", describe(vector, reports::style_for(stdout)));
      return ExitCode::as_expected;
    }
    ids.push_back(vector.id);
  }
  const auto near = near_matches(arguments.id, ids);
  return refuse("vectors",
                fmt::format("unknown vector '{}'; {}", arguments.id,
                            near.empty() ? "`hallmark vectors list` shows all ids"
                                         : fmt::format("near: {}", fmt::join(near, ", "))),
                ExitCode::usage);
}

using Shared = std::shared_ptr<VectorsArguments>;

void add_directory(Command& command, const Shared& arguments, const char* name) {
  command
      .add_option(
          name, arguments->directory,
          "Directory of the vectors; default: those that the program carries or, in a build "
          "tree, those of its source tree")
      ->type_name("DIR");
}

void add_generate(Command& group, const Shared& arguments, int& exit_code) {
  auto* command = group.add_subcommand("generate",
                                       "Write all vector files, remove those that are "
                                       "no longer generated");
  add_directory(*command, arguments, "--out");
  command->footer(
      "Files that are as generated are left alone; captures are never touched.\n\n"
      "Examples:\n"
      "  hallmark vectors generate\n"
      "  hallmark vectors generate --out /tmp/vectors");
  command->callback(
      [arguments, &exit_code] { exit_code = static_cast<int>(generate(arguments->directory)); });
}

void add_check(Command& group, const Shared& arguments, int& exit_code) {
  auto* command =
      group.add_subcommand("check", "Compare the vector files with what would be generated");
  add_directory(*command, arguments, "--dir");
  command->footer(
      "Prints files that are missing, extra or different; exit code 1 where there is one.\n\n"
      "Examples:\n"
      "  hallmark vectors check\n"
      "  hallmark vectors check --dir /usr/local/share/hallmark/vectors");
  command->callback(
      [arguments, &exit_code] { exit_code = static_cast<int>(check(arguments->directory)); });
}

void add_convert(Command& group, const Shared& arguments, int& exit_code) {
  auto* command = group.add_subcommand(
      "convert", "Write vectors of format 2, which Hallmark 0.1.0 wrote, as format 3");
  command->add_option("OLD", arguments->from, "A vector file, or a directory of them")->required();
  command->add_option("NEW", arguments->to, "The file, or the directory, to be written")
      ->required();
  command->footer(
      "What is written reads back as what was read. Files of other formats are left alone.\n\n"
      "Examples:\n"
      "  hallmark vectors convert old-vectors new-vectors\n"
      "  hallmark vectors convert found/throttr-7.1.u16.insert.existing.json insert.json");
  command->callback([arguments, &exit_code] {
    exit_code = static_cast<int>(convert(arguments->from, arguments->to));
  });
}

void add_pack(Command& group, const Shared& arguments, int& exit_code) {
  auto* command = group.add_subcommand(
      "pack", "Write a release archive of the vectors, and the same as an npm package");
  add_directory(*command, arguments, "--vectors");
  command->add_option("--output", arguments->output, "The directory to be made")
      ->type_name("DIR")
      ->required();
  command->footer(
      "hallmark-vectors-VERSION.tar.gz holds vectors, plain vectors, layouts, invalid vectors, "
      "captures, schemas, runners\nand a manifest of their SHA-256. The same vectors give the same "
      "bytes.\n\n"
      "Examples:\n"
      "  hallmark vectors pack --output dist\n"
      "  npm publish dist/npm");
  command->callback([arguments, &exit_code] {
    exit_code = static_cast<int>(pack(arguments->directory, arguments->output));
  });
}

void add_list(Command& group, const Shared& arguments, int& exit_code) {
  auto* command = group.add_subcommand("list", "List the vectors: id, level, title");
  add_directory(*command, arguments, "--dir");
  command->add_option("--dialect", arguments->dialect, "Only of this dialect");
  command->add_option("--width", arguments->width, "Only of this value width: u8, u16, u32, u64");
  command->add_option("--profile", arguments->profile,
                      "Only what was written for this profile: deployed, literal");
  command->add_option("--operation", arguments->operation, "Only of this operation");
  command
      ->add_option("--filter", arguments->filter, "Only ids that match: * any text, ? one letter")
      ->type_name("GLOB");
  command->footer(
      "Examples:\n"
      "  hallmark vectors list --dialect throttr-7.1 --width u16 --operation query\n"
      "  hallmark vectors list --profile literal --filter '*/u8/*max*'");
  command->callback([arguments, &exit_code] { exit_code = static_cast<int>(list(*arguments)); });
}

void add_show(Command& group, const Shared& arguments, int& exit_code) {
  auto* command = group.add_subcommand("show", "Show one vector, byte by byte");
  add_directory(*command, arguments, "--dir");
  command->add_option("ID", arguments->id, "As `hallmark vectors list` prints it")->required();
  command->footer(
      "Examples:\n"
      "  hallmark vectors show throttr-7.1/u16/insert/typical\n"
      "  hallmark vectors show throttr-7.1/literal/u16/list/both-kinds\n"
      "  hallmark vectors show ratelimit-state/token-bucket/decide/refill");
  command->callback([arguments, &exit_code] { exit_code = static_cast<int>(show(*arguments)); });
}

}  // namespace

void add_vectors_command(Command& app, int& exit_code) {
  auto* group = app.add_subcommand(
      "vectors", "Generate, check, list, show, convert, spell out or pack the golden vectors");
  group->require_subcommand(1);
  const auto arguments = std::make_shared<VectorsArguments>();
  arguments->directory = default_vectors_directory();
  add_generate(*group, arguments, exit_code);
  add_check(*group, arguments, exit_code);
  add_list(*group, arguments, exit_code);
  add_show(*group, arguments, exit_code);
  add_plain_vectors(*group, arguments->directory, exit_code);
  add_convert(*group, arguments, exit_code);
  add_pack(*group, arguments, exit_code);
  group->footer(
      "Examples:\n"
      "  hallmark vectors list --dialect throttr-7.1 --width u16 --operation query\n"
      "  hallmark vectors show throttr-7.1/u16/insert/typical\n"
      "  hallmark vectors check");
}

}  // namespace hallmark::cli
