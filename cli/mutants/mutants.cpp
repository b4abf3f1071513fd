#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "base/glob.hpp"
#include "base/on_threads.hpp"
#include "base/output_file.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/html/html_file.hpp"
#include "cli/mutants/kill_matrix.hpp"
#include "cli/mutants/localize.hpp"
#include "cli/mutants/reference_player.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/complaint.hpp"
#include "cli/options/interrupt.hpp"
#include "cli/options/names.hpp"
#include "cli/options/or_reason.hpp"
#include "protocol/dialects.hpp"
#include "reference/faults/catalogue.hpp"
#include "reports/terminal.hpp"

namespace hallmark::cli {
namespace {

using protocol::Dialect;
using reports::CertifyResult;
using reports::ExitCode;

struct Arguments {
  std::vector<std::string> filter;
  unsigned jobs = 6;  // most of what a run does is wait
  bool quick = false;
  std::string json;
  std::string page;
  std::string html;
};

/// One run; without a mutant it is a baseline.
struct Job {
  const faults::Bug* mutant;
  std::string dialect;
  bool slow;
};

bool is_chosen(const Arguments& arguments, const faults::Bug& mutant) {
  return arguments.filter.empty() ||
         std::ranges::any_of(arguments.filter, [&](const std::string& glob) {
           return base::glob_matches(glob, std::string(mutant.id));
         });
}

/// The mutants that are asked for, each in its dialects, and of these the baselines. First what
/// waits out a minute: others use the cores meanwhile.
std::vector<Job> jobs_of(const Arguments& arguments) {
  std::vector<Job> jobs;
  std::map<std::string, bool> slow_dialects;
  for (const faults::Bug& mutant : faults::all_bugs()) {
    if (!is_chosen(arguments, mutant)) continue;
    for (const auto& [dialect, clauses] : mutant.violates) {
      const Job& job = jobs.emplace_back(Job{&mutant, std::string(dialect), mutant.slow});
      slow_dialects[job.dialect] |= job.slow;
    }
  }
  for (const auto& [dialect, slow] : slow_dialects) jobs.push_back({nullptr, dialect, slow});
  std::ranges::stable_partition(jobs, [](const Job& job) { return job.mutant == nullptr; });
  std::ranges::stable_partition(jobs, &Job::slow);
  return jobs;
}

std::size_t mutants_in(const std::vector<Job>& jobs) {
  return static_cast<std::size_t>(
      std::ranges::count_if(jobs, [](const Job& job) { return job.mutant != nullptr; }));
}

/// The width at which the bugs of a dialect are looked for.
protocol::Width width_of(const Dialect& dialect) {
  const auto found = std::ranges::find(dialect.widths, protocol::Width::u16);
  return found == dialect.widths.end() ? dialect.widths.front() : *found;
}

using Players = std::map<std::string, std::unique_ptr<ReferencePlayer>>;

/// A player for each dialect that a job needs.
OrReason<Players> players_for(const std::vector<Job>& jobs, const RulesFile& rules) {
  Players players;
  for (const Job& job : jobs) {
    if (players.contains(job.dialect)) continue;
    const Dialect& dialect = **dialect_named(job.dialect);
    auto player = ReferencePlayer::create(dialect, width_of(dialect), rules);
    if (!player) return player.error();
    players.emplace(job.dialect, std::move(*player));
  }
  return players;
}

/// Clause by clause until all are proved to be violated: a case may cite several.
void prove(MutantRow& row, const ReferencePlayer& player, const PlayOptions& options) {
  std::set<std::string> asked;
  while (!was_interrupted()) {
    const std::vector<std::string> left = row.not_proved();
    const auto next = std::ranges::find_if(
        left, [&](const std::string& clause) { return !asked.contains(clause); });
    if (next == left.end()) return;
    asked.insert(*next);
    row.add(player.play_clause({&row.mutant()}, *next, options));
  }
}

/// Returns the row of a mutant that no run has told anything about.
MutantRow empty_row(const Job& job, const ReferencePlayer& player) {
  return {*job.mutant, job.dialect, std::string(protocol::name_of(player.width()))};
}

/// `quick`: the cases that cite what the mutant violates come first, and mostly suffice.
MutantRow row_of(const Job& job, const ReferencePlayer& player, const PlayOptions& options,
                 bool quick) {
  MutantRow row = empty_row(job, player);
  if (quick) prove(row, player, options);
  if (quick && row.complete()) return row;
  row.add(player.play({job.mutant}, options));
  prove(row, player, options);
  return row;
}

/// Beside others on a busy machine, a race may not happen that a case waits for: what survived is
/// played again, one at a time.
void try_survivors_again(const Players& players, KillMatrix& matrix) {
  for (MutantRow& row : matrix.rows()) {
    if (row.complete()) continue;
    if (was_interrupted()) return;
    const ReferencePlayer& player = *players.at(row.dialect());
    const PlayOptions options{.slow = row.mutant().slow, .stop = &interruption()};
    row.add(player.play({&row.mutant()}, options));
    prove(row, player, options);
  }
}

/// On a busy machine a case may come too late to tell, and the reference may reply or read after
/// its deadline.
bool may_be_busyness(const reports::CaseResult& one) {
  using enum reports::Code::Kind;
  return one.verdict == reports::Verdict::indeterminate ||
         (one.code && (one.code->kind == silent || one.code->kind == unread));
}

/// A run without bugs. What a busy machine may have done is played again, with all the others.
CertifyResult baseline_of(const ReferencePlayer& player, const PlayOptions& options) {
  constexpr int most_attempts = 3;
  for (int attempt = 1;; ++attempt) {
    CertifyResult result = player.play({}, options);
    const bool decided = std::ranges::none_of(result.cases, may_be_busyness);
    if (decided || attempt == most_attempts || was_interrupted()) return result;
  }
}

/// Runs all jobs, or until a signal comes, or a baseline fails: then its reason is the error.
OrReason<void> run_all(const std::vector<Job>& jobs, const Players& players,
                       const Arguments& arguments, KillMatrix& matrix) {
  const std::size_t mutants = mutants_in(jobs);
  std::atomic<std::size_t> next{0};
  std::size_t survived = 0;
  std::string wrong;
  std::mutex mutex;
  reports::ProgressLines line(stderr);
  const auto take = [&](MutantRow row) {
    const std::lock_guard lock(mutex);
    if (!row.complete()) ++survived;
    matrix.add(std::move(row));
    line.update(matrix.rows().size(), mutants, fmt::format("mutants · {} not killed", survived));
  };
  const auto take_baseline = [&](const std::string& dialect, const CertifyResult& result) {
    if (was_interrupted()) return;
    const std::lock_guard lock(mutex);
    const std::string reason = matrix.add_baseline(dialect, result);
    if (reason.empty()) return;
    wrong = reason;
    next = jobs.size();
  };
  const auto work = [&] {
    for (std::size_t i = next++; i < jobs.size() && !was_interrupted(); i = next++) {
      const Job& job = jobs[i];
      const ReferencePlayer& player = *players.at(job.dialect);
      const PlayOptions options{.seed = i + 1, .slow = job.slow, .stop = &interruption()};
      if (job.mutant != nullptr) {
        take(row_of(job, player, options, arguments.quick));
      } else {
        take_baseline(job.dialect, baseline_of(player, options));
      }
    }
  };
  base::on_threads(arguments.jobs, work);
  if (!wrong.empty()) return wrong;
  return {};
}

/// Removes from the matrix what an interruption cut short.
void judge_no_rest(const std::vector<Job>& jobs, const Players& players, KillMatrix& matrix) {
  std::vector<MutantRow> wanted;
  for (const Job& job : jobs) {
    if (job.mutant != nullptr) wanted.push_back(empty_row(job, *players.at(job.dialect)));
  }
  matrix.interrupt(wanted);
}

const char* verdict_of(const KillMatrix& matrix) {
  if (matrix.interrupted()) return "INCOMPLETE";
  return matrix.complete() ? "COMPLETE" : "SURVIVED";
}

ExitCode exit_code_of(const KillMatrix& matrix) {
  if (matrix.interrupted()) return ExitCode::indeterminate;
  return matrix.complete() ? ExitCode::as_expected : ExitCode::failures;
}

bool write(const std::string& path, const std::string& content) {
  if (path.empty()) return true;
  const auto written = base::write_file(path, content);
  if (!written) complain("mutants", written.error().message);
  return static_cast<bool>(written);
}

/// `wanted`: mutants that were to be run, each in its dialects. `all`: every mutant was, with every
/// case. The verdict is the last line.
std::string report_text(const KillMatrix& matrix, std::size_t wanted, bool all,
                        std::chrono::steady_clock::duration took) {
  using reports::Align;
  reports::Table table({Align::left, Align::left, Align::left});
  std::size_t killed = 0;
  for (const MutantRow& row : matrix.rows()) {
    if (row.complete()) {
      ++killed;
      continue;
    }
    table.add({std::string(row.mutant().id), row.dialect(),
               !row.killed()
                   ? "no case fails" + (row.run_error().empty() ? "" : "; " + row.run_error())
                   : fmt::format("{}; none cites {}",
                                 base::counted(row.killed_by().size(), "case fails", "cases fail"),
                                 fmt::join(row.not_proved(), ", "))});
  }
  std::size_t idle = 0;
  for (const KillMatrix::IdleCases& cases : matrix.idle_cases()) {
    idle += cases.ids.size();
    // A run of some mutants proves nothing of this: the others would have done it.
    for (const std::string& id : cases.ids) {
      if (all) table.add({id, cases.dialect, "kills no mutant"});
    }
  }
  const std::string idle_text =
      all ? fmt::format("; {} no mutant", base::counted(idle, "case kills", "cases kill")) : "";
  return fmt::format("{}{}  {} of {} killed in {}{}{}\n", table.render(), verdict_of(matrix),
                     killed, base::counted(wanted, "mutant", "mutants"), base::human_duration(took),
                     idle_text, matrix.interrupted() ? "; interrupted" : "");
}

/// Says why the filters leave no mutant.
std::string nothing_to_run(const Arguments& arguments) {
  return fmt::format("no mutant matches {}; `hallmark serve --list-mutants` shows them all",
                     fmt::join(arguments.filter, ", "));
}

ExitCode run(const Arguments& arguments) {
  const auto started = std::chrono::steady_clock::now();
  const std::vector<Job> jobs = jobs_of(arguments);
  if (jobs.empty()) return refuse("mutants", nothing_to_run(arguments), ExitCode::usage);
  KillMatrix matrix(HALLMARK_VERSION);
  const auto rules = RulesFile::create();
  if (!rules)
    return refuse("mutants", rules.error().message, ExitCode::unreachable_or_harness_error);
  const auto players = players_for(jobs, *rules);
  if (!players) return refuse("mutants", players.error(), ExitCode::unreachable_or_harness_error);
  listen_for_interrupts();
  if (const auto ran = run_all(jobs, *players, arguments, matrix); !ran)
    return refuse("mutants", ran.error(), ExitCode::unreachable_or_harness_error);
  try_survivors_again(*players, matrix);
  if (was_interrupted()) judge_no_rest(jobs, *players, matrix);
  matrix.sort();
  const bool json = write(arguments.json, arguments.json.empty() ? "" : matrix.json());
  const bool page = write(arguments.page, arguments.page.empty() ? "" : matrix.page());
  const bool all = arguments.filter.empty() && !arguments.quick && !matrix.interrupted();
  const std::string text =
      report_text(matrix, mutants_in(jobs), all, std::chrono::steady_clock::now() - started);
  fmt::print("{}", text);
  HtmlFile html(Origin::this_run);
  if (!arguments.html.empty()) html.add("mutants", text, matrix.json());
  const bool shown = html.write_or_complain("mutants", arguments.html);
  const ExitCode code = exit_code_of(matrix);
  return json && page && shown ? code
                               : reports::worst(code, ExitCode::unreachable_or_harness_error);
}

}  // namespace

void add_mutants_command(Command& app, int& exit_code) {
  auto* group = app.add_subcommand("mutants", "Prove that the cases of certify find bugs");
  group->require_subcommand(1);
  auto* command =
      group->add_subcommand("run", "Certify the reference with each of its bugs on purpose");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("--filter", arguments->filter, "Mutants whose id matches, with * and ?")
      ->type_name("GLOB");
  command->add_option("--jobs", arguments->jobs, "Mutants at a time")
      ->range(1U, 64U)
      ->capture_default_str();
  Option* const json =
      command->add_output("--json", arguments->json, "Write the kill matrix as JSON");
  Option* const page =
      command->add_output("--page", arguments->page, "Write it as a page of Markdown");
  Option* const html = command->add_output("--html", arguments->html, "Write it as a page");
  command
      ->add_flag("--quick", arguments->quick,
                 "For each mutant the cases that cite the clauses it violates; the others only if\n"
                 "these do not kill it")
      ->excludes(json)
      ->excludes(html)
      ->excludes(page);
  command->footer(
      "Prints the mutants that no case finds, or that no case finds that cites the clause which\n"
      "they violate. A run of all prints the cases that find none, too: on a busy machine a "
      "mutant\n"
      "that makes a target hang fails other cases first, and some of these are not to be taken at\n"
      "their word. SIGINT ends it; the mutants that were killed by then are reported. Exit codes:\n"
      "0 all are killed; 1 one survived; 2 usage; 3 a case fails without any mutant, or a file\n"
      "cannot be written; 4 interrupted.\n\n"
      "Examples:\n"
      "  hallmark mutants run --json kills.json --page docs/mutants.md\n"
      "  hallmark mutants run --filter 'expiry.*'");
  command->callback([arguments, &exit_code] { exit_code = static_cast<int>(run(*arguments)); });
  add_localize_command(*group, exit_code);
}

}  // namespace hallmark::cli
