#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <set>

#include "base/json.hpp"
#include "base/output_file.hpp"
#include "base/text.hpp"
#include "cli/certify/dialect_json.hpp"
#include "cli/commands.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/complaint.hpp"
#include "cli/options/names.hpp"
#include "cli/options/or_reason.hpp"
#include "cli/vectors/vectors_directory.hpp"
#include "clients/judge/judge.hpp"
#include "conformance/drivers/driver.hpp"
#include "protocol/about_clients.hpp"
#include "protocol/dialects.hpp"
#include "protocol/rules/ratelimit_rules.hpp"
#include "reports/result.hpp"
#include "reports/terminal.hpp"

namespace hallmark::cli {
namespace {

using conformance::CaseEntry;
using conformance::WireFormat;
using protocol::Dialect;
using protocol::Level;
using protocol::Profile;
using reports::ExitCode;

struct Arguments {
  std::vector<std::string> dialects;  ///< empty: all
  bool untested = false;
  bool cases = false;
  std::string json;
};

/// The clauses of a dialect with the cases that cite them.
struct Ledger {
  const Dialect* dialect;
  std::map<std::string, std::set<std::string>, std::less<>> cases;  ///< by the id of a clause
  /// Cases that cite none, or one that the dialect does not have; what is wrong, for people.
  std::map<std::string, std::string> strays = {};
};

void enter(Ledger& ledger, const CaseEntry& entry) {
  if (entry.clauses.empty()) ledger.strays[entry.id] = "cites no clause";
  for (const std::string& clause : entry.clauses) {
    if (protocol::find_clause(*ledger.dialect, clause) == nullptr)
      ledger.strays[entry.id] = fmt::format("cites {}, which the dialect does not have", clause);
    ledger.cases[clause].insert(entry.id);
  }
}

/// The cases of one format. Under whichever rules: those that need some are told the examples'.
OrReason<void> enter_all(Ledger& ledger, const WireFormat& format) {
  conformance::KnownRules known;
  known.rules = &protocol::ratelimit::example_rules();
  known.exponential = true;
  const auto cases = conformance::driver_of(format.dialect().transport)
                         .cases({default_vectors_directory(), known}, format);
  if (!cases) return cases.error();
  for (const CaseEntry& entry : entries_of(*cases)) enter(ledger, entry);
  return {};
}

/// Enters what `certify-client` judges each clause about clients by.
void enter_clients(Ledger& ledger, protocol::Width width) {
  const Dialect& dialect = *ledger.dialect;
  if (dialect.transport == protocol::Transport::at_rest) return;
  const clients::Format format{width, protocol::Readings(dialect, Profile::deployed)};
  for (const protocol::Clause& clause : dialect.clauses) {
    if (!protocol::about_clients(clause)) continue;
    for (const std::string& judge : clients::judges_of(format, clause.id))
      ledger.cases[std::string(clause.id)].insert("certify-client/" + judge);
  }
}

/// A dialect at its width of 2 bytes, or the only one that it has, under both profiles.
OrReason<Ledger> ledger_of(const Dialect& dialect) {
  const auto found = std::ranges::find(dialect.widths, protocol::Width::u16);
  const auto width = found == dialect.widths.end() ? dialect.widths.front() : *found;
  Ledger ledger{&dialect, {}};
  for (const Profile profile : {Profile::deployed, Profile::literal}) {
    const WireFormat format(width, protocol::Readings(dialect, profile));
    if (auto entered = enter_all(ledger, format); !entered) return entered.error();
  }
  enter_clients(ledger, width);
  return ledger;
}

const std::set<std::string>& cases_of(const Ledger& ledger, std::string_view clause) {
  static const std::set<std::string> none;
  const auto found = ledger.cases.find(clause);
  return found == ledger.cases.end() ? none : found->second;
}

base::Json as_json(const Dialect& dialect, const Ledger& ledger) {
  base::Json json{{"dialect", dialect.name}, {"document", dialect.document}};
  json["clauses"] = base::Json::array();
  for (const protocol::Clause& clause : dialect.clauses) {
    base::Json one = clause_json(clause);
    one["cases"] = cases_of(ledger, clause.id);
    json["clauses"].push_back(std::move(one));
  }
  return json;
}

/// The reasons why a ledger is not accepted.
struct Gaps {
  std::size_t untested_musts = 0;
  std::size_t strays = 0;
};

/// Prints those of one dialect.
Gaps print(const Dialect& dialect, const Ledger& ledger, const Arguments& arguments) {
  using reports::Align;
  using reports::Colour;
  const auto style = reports::style_for(stdout);
  reports::Table table({Align::left, Align::left, Align::right, Align::left, Align::left});
  std::size_t untested = 0;
  std::size_t untested_musts = 0;
  for (const protocol::Clause& clause : dialect.clauses) {
    const auto& cases = cases_of(ledger, clause.id);
    if (cases.empty()) ++untested;
    if (cases.empty() && clause.level == Level::must) ++untested_musts;
    if (arguments.untested && !cases.empty()) continue;
    table.add({std::string(clause.id), std::string(protocol::name_of(clause.level)),
               std::to_string(cases.size()), std::string(clause.section),
               std::string(clause.text)});
    if (!arguments.cases) continue;
    for (const std::string& id : cases) table.add({"  " + id}, style, Colour::dim);
  }
  fmt::print("{}  {}\n{}{}, {} without a case\n\n",
             reports::paint(style, Colour::bold, dialect.name), dialect.document, table.render(2),
             base::counted(dialect.clauses.size(), "clause", "clauses"), untested);
  for (const auto& [id, wrong] : ledger.strays) fmt::print("  {} {}\n", id, wrong);
  return {untested_musts, ledger.strays.size()};
}

ExitCode run(const Arguments& arguments) {
  std::vector<const Dialect*> dialects;
  for (const std::string& name : arguments.dialects) {
    const auto dialect = dialect_named(name);
    if (!dialect) return refuse("clauses", dialect.error().message, ExitCode::usage);
    dialects.push_back(*dialect);
  }
  if (dialects.empty())
    dialects.assign(protocol::all_dialects.begin(), protocol::all_dialects.end());
  base::Json json{{"format", "hallmark-clauses"}, {"format_version", 1}};
  Gaps gaps;
  for (const Dialect* const dialect : dialects) {
    const auto ledger = ledger_of(*dialect);
    if (!ledger) return refuse("clauses", ledger.error(), ExitCode::unreachable_or_harness_error);
    const Gaps here = print(*dialect, *ledger, arguments);
    gaps.untested_musts += here.untested_musts;
    gaps.strays += here.strays;
    json["dialects"].push_back(as_json(*dialect, *ledger));
  }
  if (!arguments.json.empty()) {
    const auto written = base::write_file(arguments.json, json.dump(1) + "\n");
    if (!written)
      return refuse("clauses", written.error().message, ExitCode::unreachable_or_harness_error);
  }
  const bool whole = gaps.untested_musts == 0 && gaps.strays == 0;
  fmt::print("{}  {} without a case, {} without a clause\n", whole ? "TESTED" : "UNTESTED",
             base::counted(gaps.untested_musts, "MUST", "MUSTs"),
             base::counted(gaps.strays, "case", "cases"));
  return whole ? ExitCode::as_expected : ExitCode::failures;
}

}  // namespace

void add_clauses_command(Command& app, int& exit_code) {
  auto* command = app.add_subcommand(
      "clauses", "Print what the documents oblige, allow and forbid, and the cases that test it");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("DIALECT", arguments->dialects, "Only of these dialects");
  command->add_flag("--untested", arguments->untested, "Only those that no case cites");
  command->add_flag("--cases", arguments->cases, "Below each, the cases that cite it");
  command->add_output("--json", arguments->json, "Write the ledger as JSON");
  command->footer(
      "Columns: id, level, number of cases, section of the document, the clause in our words.\n"
      "Clauses that start with `silence` stand for choices that the document leaves; those that "
      "start\nwith `client` oblige clients, and `certify-client` judges them. Exit codes:\n"
      "0 each MUST has a case and each case a\nclause; 1 one has none; 2 usage; 3 the vectors "
      "cannot be read.\n\n"
      "Examples:\n"
      "  hallmark clauses throttr-7.1\n"
      "  hallmark clauses --untested\n"
      "  hallmark clauses ratelimit-udp --cases --json clauses.json");
  command->callback([arguments, &exit_code] { exit_code = static_cast<int>(run(*arguments)); });
}

}  // namespace hallmark::cli
