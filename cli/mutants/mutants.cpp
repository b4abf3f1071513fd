#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "base/glob.hpp"
#include "base/output_file.hpp"
#include "base/quantity.hpp"
#include "base/temporary_directory.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/mutants/kill_matrix.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/complaint.hpp"
#include "cli/options/names.hpp"
#include "cli/options/or_reason.hpp"
#include "cli/vectors/vectors_directory.hpp"
#include "conformance/drivers/driver.hpp"
#include "protocol/dialects.hpp"
#include "protocol/rules/ratelimit_rules.hpp"
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
  std::string json;
  std::string page;
};

constexpr conformance::Time deadline = 1'000'000'000;
constexpr unsigned cases_at_a_time = 16;

/// Rules under which every case of datagrams is played: those of the document's examples, and one
/// for keys that are counted. A file of its own, for as long as this lives.
class RulesFile {
 public:
  /// Error: one line; the file cannot be written.
  static base::Result<RulesFile> create() {
    auto directory = base::TemporaryDirectory::create("hallmark-mutants");
    if (!directory) return directory.error();
    RulesFile file(std::move(*directory));
    const std::string text = std::string(protocol::ratelimit::example_rules_text()) +
                             "5/10 strict stats \"counted *\"\n";
    if (const auto written = base::write_file(file.path(), text); !written) return written.error();
    auto rules = protocol::ratelimit::read_rules_file(file.path());
    if (!rules) return rules.error();
    file.rules_ = std::move(*rules);
    return file;
  }

  std::string path() const { return (directory_.path() / "rules").string(); }
  const protocol::ratelimit::Rules& rules() const { return rules_; }

 private:
  explicit RulesFile(base::TemporaryDirectory directory) : directory_(std::move(directory)) {}

  base::TemporaryDirectory directory_;
  protocol::ratelimit::Rules rules_;
};

/// Plays all cases of a dialect against the reference, which is started for each run.
class Player {
 public:
  /// `rules` outlives it.
  static OrReason<std::unique_ptr<Player>> of(const Dialect& dialect, const RulesFile& rules) {
    std::unique_ptr<Player> made(new Player(dialect, rules));
    if (auto loaded = made->load(); !loaded) return loaded.error();
    return made;
  }

  /// Only the cases that cite the clause. A target that is wrong as a whole is given up on after a
  /// while; asked about one thing alone, it has to answer.
  CertifyResult play_clause(const faults::Bug& mutant, const std::string& clause,
                            std::uint64_t seed) const {
    conformance::Filter filter;
    filter.clauses = {clause};
    Player alone(format_.dialect(), rules_);
    if (auto chosen = conformance::chosen(cases_, filter)) {
      alone.cases_ = std::move(*chosen);
    } else {
      alone.cases_ = cases_;
      keep(alone.cases_, {});
    }
    return alone.play(&mutant, seed, mutant.slow);
  }

  /// Null `mutant`: none.
  CertifyResult play(const faults::Bug* mutant, std::uint64_t seed, bool slow) const {
    conformance::CertifyOptions options = this->options(mutant, seed);
    options.schedule.slow = slow;
    return driver().certify_as(format_, cases_, options);
  }

 private:
  Player(const Dialect& dialect, const RulesFile& rules)
      : rules_(rules),
        format_(width_of(dialect), protocol::Readings(dialect, protocol::Profile::deployed)) {}

  static protocol::Width width_of(const Dialect& dialect) {
    const auto found = std::ranges::find(dialect.widths, protocol::Width::u16);
    return found == dialect.widths.end() ? dialect.widths.front() : *found;
  }

  const conformance::Driver& driver() const {
    return conformance::driver_of(format_.dialect().transport);
  }

  OrReason<void> load() {
    conformance::KnownRules known;
    known.rules = &rules_.rules();
    known.exponential = true;
    auto made = driver().cases({default_vectors_directory(), known}, format_);
    if (!made) return made.error();
    cases_ = std::move(*made);
    return {};
  }

  /// The words that start the reference; null `mutant`: without one.
  std::string command(const faults::Bug* mutant) const {
    std::string words = fmt::format("'{}' serve --dialect {}",
                                    std::filesystem::read_symlink("/proc/self/exe").string(),
                                    format_.dialect().name);
    if (mutant != nullptr) words += fmt::format(" --mutant {}", mutant->id);
    if (mutant != nullptr && mutant->threads > 1)
      words += fmt::format(" --threads {}", mutant->threads);
    return words;
  }

  conformance::Target target(const faults::Bug* mutant) const {
    const std::string words = command(mutant);
    switch (format_.dialect().transport) {
      case protocol::Transport::stream:
        return base::ExecEndpoint{fmt::format("{} --width {} --listen tcp://127.0.0.1:{{port}}",
                                              words, protocol::name_of(format_.width())),
                                  {}};
      case protocol::Transport::datagram:
        return base::ExecEndpoint{
            fmt::format("{} --rules {} --listen udp://127.0.0.1:{{port}}", words, rules_.path()),
            {}};
      case protocol::Transport::at_rest: return base::PipeEndpoint{words + " --stdio"};
    }
    return base::ExecEndpoint{words, {}};
  }

  conformance::CertifyOptions options(const faults::Bug* mutant, std::uint64_t seed) const {
    conformance::CertifyOptions options;
    options.target = target(mutant);
    options.target_text = std::visit(
        [](const auto& endpoint) -> std::string {
          if constexpr (requires { endpoint.command; }) return endpoint.command;
          return {};
        },
        options.target);
    options.asked.dialect = &format_.dialect();
    options.asked.width = format_.width();
    options.asked.profile = protocol::Profile::deployed;
    options.deadline = deadline;
    options.exclusive = true;
    options.seed = seed;
    options.schedule.jobs = cases_at_a_time;
    return options;
  }

  const RulesFile& rules_;
  conformance::WireFormat format_;
  conformance::Cases cases_;
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
    if (!is_chosen(arguments, mutant) || !mutant.unseen.empty()) continue;
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

using Players = std::map<std::string, std::unique_ptr<Player>>;

/// A player for each dialect that a job needs.
OrReason<Players> players_for(const std::vector<Job>& jobs, const RulesFile& rules) {
  Players players;
  for (const Job& job : jobs) {
    if (players.contains(job.dialect)) continue;
    auto player = Player::of(**dialect_named(job.dialect), rules);
    if (!player) return player.error();
    players.emplace(job.dialect, std::move(*player));
  }
  return players;
}

MutantRow row_of(const Job& job, const Player& player, std::uint64_t seed) {
  MutantRow row(*job.mutant, job.dialect);
  row.add(player.play(job.mutant, seed, job.slow));
  for (const std::string& clause : row.not_proved())
    row.add(player.play_clause(*job.mutant, clause, seed));
  return row;
}

/// Runs all jobs, or until a baseline fails: then its reason is the error.
OrReason<void> run_all(const std::vector<Job>& jobs, const Players& players, unsigned at_a_time,
                       KillMatrix& matrix) {
  const auto mutants = static_cast<std::size_t>(
      std::ranges::count_if(jobs, [](const Job& job) { return job.mutant != nullptr; }));
  std::atomic<std::size_t> next{0};
  std::size_t survived = 0;
  std::string wrong;
  std::mutex mutex;
  reports::ProgressLine line(stderr, reports::is_terminal(stderr),
                             reports::style_for(stderr).width);
  const auto take = [&](MutantRow row) {
    const std::lock_guard lock(mutex);
    if (!row.complete()) ++survived;
    matrix.add(std::move(row));
    line.update(matrix.rows().size(), mutants, fmt::format("mutants · {} not killed", survived));
  };
  const auto take_baseline = [&](const std::string& dialect, const CertifyResult& result) {
    const std::lock_guard lock(mutex);
    const std::string reason = matrix.add_baseline(dialect, result);
    if (reason.empty()) return;
    wrong = reason;
    next = jobs.size();
  };
  const auto work = [&] {
    for (std::size_t i = next++; i < jobs.size(); i = next++) {
      const Job& job = jobs[i];
      const Player& player = *players.at(job.dialect);
      const std::uint64_t seed = i + 1;
      if (job.mutant != nullptr) {
        take(row_of(job, player, seed));
      } else {
        take_baseline(job.dialect, player.play(nullptr, seed, job.slow));
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < at_a_time; ++i) threads.emplace_back(work);
  }
  if (!wrong.empty()) return wrong;
  return {};
}

bool write(const std::string& path, const std::string& content) {
  if (path.empty()) return true;
  const auto written = base::write_file(path, content);
  if (!written) complain("mutants", written.error().message);
  return static_cast<bool>(written);
}

/// `all`: every mutant was run.
ExitCode report(const KillMatrix& matrix, bool all, std::chrono::steady_clock::duration took) {
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
  for (const auto& [dialect, ids] : matrix.idle_cases()) {
    idle += ids.size();
    // A run of some mutants proves nothing of this: the others would have done it.
    for (const std::string& id : ids) {
      if (all) table.add({id, dialect, "kills no mutant"});
    }
  }
  fmt::print("{}{}  {} of {} killed in {}", table.render(),
             matrix.complete() ? "COMPLETE" : "SURVIVED", killed,
             base::counted(matrix.rows().size(), "mutant", "mutants"), base::human_duration(took));
  if (all) fmt::print("; {} no mutant", base::counted(idle, "case kills", "cases kill"));
  fmt::print("\n");
  return matrix.complete() ? ExitCode::as_expected : ExitCode::failures;
}

/// Says why the filters leave no mutant.
std::string nothing_to_run(const Arguments& arguments) {
  for (const faults::Bug& mutant : faults::all_bugs()) {
    if (is_chosen(arguments, mutant))
      return fmt::format("no case can find {}: {}", mutant.id, mutant.unseen);
  }
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
  if (const auto ran = run_all(jobs, *players, arguments.jobs, matrix); !ran)
    return refuse("mutants", ran.error(), ExitCode::unreachable_or_harness_error);
  for (const faults::Bug& mutant : faults::all_bugs()) {
    if (is_chosen(arguments, mutant) && !mutant.unseen.empty()) matrix.add_unseen(mutant);
  }
  matrix.sort();
  const bool json = write(arguments.json, arguments.json.empty() ? "" : matrix.json());
  const bool page = write(arguments.page, arguments.page.empty() ? "" : matrix.page());
  const ExitCode code =
      report(matrix, arguments.filter.empty(), std::chrono::steady_clock::now() - started);
  return json && page ? code : reports::worst(code, ExitCode::unreachable_or_harness_error);
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
  command->add_output("--json", arguments->json, "Write the kill matrix as JSON");
  command->add_output("--page", arguments->page, "Write it as a page of Markdown");
  command->footer(
      "Prints the mutants that no case finds, or that no case finds that cites the clause which\n"
      "they violate. A run of all prints the cases that find none, too: on a busy machine a "
      "mutant\n"
      "that makes a target hang fails other cases first, and some of these are not to be taken at\n"
      "their word. Exit codes: 0 all are killed; 1 one survived; 2 usage; 3 a case fails without\n"
      "any mutant, or a file cannot be written.\n\n"
      "Examples:\n"
      "  hallmark mutants run --json kills.json --page docs/mutants.md\n"
      "  hallmark mutants run --filter 'expiry.*'");
  command->callback([arguments, &exit_code] { exit_code = static_cast<int>(run(*arguments)); });
}

}  // namespace hallmark::cli
