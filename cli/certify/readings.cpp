#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "cli/certify/dialect_json.hpp"
#include "cli/commands.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/complaint.hpp"
#include "cli/options/names.hpp"
#include "protocol/dialects.hpp"
#include "reports/result.hpp"

namespace hallmark::cli {
namespace {

using base::Json;
using protocol::Answer;
using protocol::Dialect;
using protocol::Reading;
using protocol::Served;
using reports::ExitCode;

struct ReadingsArguments {
  std::string dialect;
  bool json = false;
};

std::vector<std::string_view> stances_of(const Reading& reading, const Answer& answer) {
  std::vector<std::string_view> stances;
  if (answer.id == reading.favoured) stances.emplace_back("favoured by the text");
  if (answer.id == reading.released) stances.emplace_back("given by released servers");
  if (answer.served == Served::no) stances.emplace_back("neither served nor judged");
  return stances;
}

void print(const Reading& reading) {
  std::size_t widest = 0;
  for (const Answer& answer : reading.answers) widest = std::max(widest, answer.id.size());
  fmt::print("\n{}  ({})\n  {}\n", reading.id, reading.clause, reading.question);
  if (!reading.words.empty()) fmt::print("  {}: “{}”\n", reading.section, reading.words);
  for (const Answer& answer : reading.answers) {
    fmt::print("    {:<{}}  {}\n", answer.id, widest, answer.meaning);
    for (const std::string_view stance : stances_of(reading, answer)) {
      fmt::print("    {:<{}}  · {}\n", "", widest, stance);
    }
  }
}

void print(const Dialect& dialect) {
  fmt::print("{}: {}. Released servers: {}.\n", dialect.name, dialect.document, dialect.servers);
  for (const Reading& reading : dialect.readings) print(reading);
}

/// The document that reports/schema/readings.schema.json describes.
Json document(Json dialects) {
  return {
      {"format", "hallmark-readings"}, {"format_version", 1}, {"dialects", std::move(dialects)}};
}

ExitCode run(const ReadingsArguments& arguments) {
  std::vector<const Dialect*> chosen(protocol::all_dialects.begin(), protocol::all_dialects.end());
  if (!arguments.dialect.empty()) {
    const auto dialect = dialect_named(arguments.dialect);
    if (!dialect) {
      complain("readings", dialect.error().message);
      return ExitCode::usage;
    }
    chosen = {*dialect};
  }
  Json all = Json::array();
  for (const Dialect* const dialect : chosen) {
    if (arguments.json) {
      all.push_back(readings_json(*dialect));
    } else {
      fmt::print("{}", dialect == chosen.front() ? "" : "\n\n");
      print(*dialect);
    }
  }
  if (arguments.json) fmt::print("{}\n", document(std::move(all)).dump(1));
  return ExitCode::as_expected;
}

}  // namespace

void add_readings_command(Command& app, int& exit_code) {
  auto* command =
      app.add_subcommand("readings", "Print what the documents leave open, and the answers");
  const auto arguments = std::make_shared<ReadingsArguments>();
  command->add_option("DIALECT", arguments->dialect, "Only of this dialect");
  command->add_flag("--json", arguments->json, "As JSON");
  command->footer(
      "serve, certify, load and decode take --reading ID=ANSWER.\n\n"
      "Examples:\n"
      "  hallmark readings throttr-7.1\n"
      "  hallmark readings --json");
  command->callback([arguments, &exit_code] { exit_code = static_cast<int>(run(*arguments)); });
}

}  // namespace hallmark::cli
