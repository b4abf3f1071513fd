#include "cli/mutants/localize.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>

#include "base/glob.hpp"
#include "base/on_threads.hpp"
#include "base/output_file.hpp"
#include "base/random.hpp"
#include "base/read_file.hpp"
#include "base/text.hpp"
#include "cli/mutants/bug_sets.hpp"
#include "cli/mutants/certify_set.hpp"
#include "cli/mutants/localization_report.hpp"
#include "cli/mutants/reference_player.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/complaint.hpp"
#include "cli/options/interrupt.hpp"
#include "protocol/dialects.hpp"
#include "reports/terminal.hpp"

namespace hallmark::cli {
namespace {

using reports::ExitCode;

constexpr const char* command_name = "mutants localize";
constexpr std::size_t longest_matrix = 256 * base::mebibyte;
/// A seed that nobody chose is below this: short enough to be typed again.
constexpr std::uint64_t seed_bound = 1'000'000;

struct LocalizeArguments {
  std::size_t sets = 200;
  std::uint64_t seed = 0;
  std::size_t most = 12;
  std::vector<std::string> dialects;
  std::vector<std::string> widths;
  unsigned jobs = 4;  // most of what a run does is wait
  unsigned repeat = 1;
  std::vector<std::string> matrices;
  bool only_known = false;  ///< draws only bugs that the matrices have
  std::string json;
};

bool matches_one_of(const std::vector<std::string>& globs, std::string_view name) {
  return globs.empty() || std::ranges::any_of(globs, [&](const std::string& glob) {
           return base::glob_matches(glob, name);
         });
}

/// The dialects and widths that the filters leave.
std::vector<DialectChoice> choices_of(const LocalizeArguments& arguments) {
  std::vector<DialectChoice> choices;
  for (const protocol::Dialect* const dialect : protocol::all_dialects) {
    if (!matches_one_of(arguments.dialects, dialect->name)) continue;
    DialectChoice choice{dialect, {}};
    std::ranges::copy_if(dialect->widths, std::back_inserter(choice.widths),
                         [&](protocol::Width width) {
                           return matches_one_of(arguments.widths, protocol::name_of(width));
                         });
    if (!choice.widths.empty()) choices.push_back(std::move(choice));
  }
  return choices;
}

/// Leaves the dialects and widths of which a matrix knows a bug.
void keep_known(std::vector<DialectChoice>& choices, const LoneKills& kills) {
  for (DialectChoice& choice : choices) {
    std::erase_if(choice.widths, [&](protocol::Width width) {
      return std::ranges::none_of(faults::all_bugs(), [&](const faults::Bug& bug) {
        return kills.knows(place_of(bug, *choice.dialect, width));
      });
    });
  }
  std::erase_if(choices, [](const DialectChoice& choice) { return choice.widths.empty(); });
}

std::vector<BugSetPlan> plans_of(const LocalizeArguments& arguments,
                                 const std::vector<DialectChoice>& choices,
                                 const LoneKills& kills) {
  std::vector<BugSetPlan> plans;
  for (std::size_t i = 0; i < arguments.sets; ++i) {
    BugSetPlan& plan =
        plans.emplace_back(plan_bug_set(arguments.seed + i, choices, arguments.most));
    if (!arguments.only_known) continue;
    std::erase_if(plan.candidates, [&](const faults::Bug* const bug) {
      return !kills.knows(place_of(*bug, *plan.dialect, plan.width));
    });
  }
  return plans;
}

/// Keyed by dialect and width.
using SetPlayers = std::map<std::pair<const protocol::Dialect*, protocol::Width>,
                            std::unique_ptr<const ReferencePlayer>>;

/// A player for each dialect and width that a set needs.
OrReason<SetPlayers> players_for(const std::vector<BugSetPlan>& plans, const RulesFile& rules) {
  SetPlayers players;
  for (const BugSetPlan& plan : plans) {
    const auto [entry, fresh] = players.try_emplace({plan.dialect, plan.width});
    if (!fresh) continue;
    auto player = ReferencePlayer::create(*plan.dialect, plan.width, rules);
    if (!player) return player.error();
    entry->second = std::move(*player);
  }
  return players;
}

/// Certifies the sets, several at a time, until all are done or a signal comes.
std::vector<LocalizedSet> certify_all(const std::vector<BugSetPlan>& plans,
                                      const SetPlayers& players, const LocalizeArguments& arguments,
                                      LoneKills& kills) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::vector<LocalizedSet> sets;
  std::size_t missed = 0;
  reports::ProgressLines line(stderr);
  const auto take = [&](LocalizedSet set) {
    const std::lock_guard lock(mutex);
    missed += set.localization.missed.size();
    sets.push_back(std::move(set));
    line.update(sets.size(), plans.size(), fmt::format("sets · {} bugs missed", missed));
  };
  const auto work = [&] {
    for (std::size_t i = next++; i < plans.size() && !was_interrupted(); i = next++) {
      const BugSetPlan& plan = plans[i];
      const ReferencePlayer& player = *players.at({plan.dialect, plan.width});
      if (auto set = certify_set(plan, player, arguments.repeat, kills)) take(std::move(*set));
    }
  };
  base::on_threads(arguments.jobs, work);
  std::ranges::sort(sets, {}, &LocalizedSet::seed);
  return sets;
}

base::Result<void> read_matrices(const std::vector<std::string>& paths, LoneKills& kills) {
  for (const std::string& path : paths) {
    const auto text = base::read_file(path, longest_matrix, "a kill matrix");
    if (!text) return text.error();
    if (const auto read = kills.read(*text); !read)
      return base::Error{path + ": " + read.error().message};
  }
  return {};
}

/// " that matches --width 'u9'"; empty where the option was not given.
std::string wanted_by(std::string_view option, const std::vector<std::string>& globs) {
  if (globs.empty()) return {};
  return fmt::format(" that matches {} '{}'", option, fmt::join(globs, "', '"));
}

std::string nothing_to_draw(const LocalizeArguments& arguments) {
  return fmt::format(
      "no dialect{} has a width{}; `hallmark readings` shows the dialects, widths are u8, u16, "
      "u32, u64 and none",
      wanted_by("--dialect", arguments.dialects), wanted_by("--width", arguments.widths));
}

ExitCode exit_code_of(const LocalizationRun& run) {
  if (!totals_of(run).good()) return ExitCode::failures;
  return run.interrupted ? ExitCode::indeterminate : ExitCode::as_expected;
}

ExitCode report(const LocalizationRun& run, const LocalizeArguments& arguments,
                const LoneKills& kills) {
  fmt::print("{}", render_localization(run));
  const ExitCode code = exit_code_of(run);
  if (arguments.json.empty()) return code;
  const auto written = base::write_file(arguments.json, localization_json(run, kills.json()));
  if (written) return code;
  complain(command_name, written.error().message);
  return reports::worst(code, ExitCode::unreachable_or_harness_error);
}

ExitCode run(const LocalizeArguments& arguments) {
  const auto started = std::chrono::steady_clock::now();
  std::vector<DialectChoice> choices = choices_of(arguments);
  if (choices.empty()) return refuse(command_name, nothing_to_draw(arguments));
  LoneKills kills;
  if (const auto read = read_matrices(arguments.matrices, kills); !read)
    return refuse(command_name, read.error().message);
  if (arguments.only_known) keep_known(choices, kills);
  if (choices.empty())
    return refuse(command_name,
                  "--only-known draws bugs of --matrix files, and they have none of these dialects "
                  "and widths; leave --only-known out, or name other files");
  const auto rules = RulesFile::create();
  if (!rules)
    return refuse(command_name, rules.error().message, ExitCode::unreachable_or_harness_error);
  const std::vector<BugSetPlan> plans = plans_of(arguments, choices, kills);
  const auto players = players_for(plans, *rules);
  if (!players)
    return refuse(command_name, players.error(), ExitCode::unreachable_or_harness_error);
  listen_for_interrupts();
  LocalizationRun done;
  done.version = HALLMARK_VERSION;
  done.seed = arguments.seed;
  done.wanted = arguments.sets;
  done.most_bugs = arguments.most;
  done.sets = certify_all(plans, *players, arguments, kills);
  done.interrupted = was_interrupted();
  done.duration = std::chrono::steady_clock::now() - started;
  return report(done, arguments, kills);
}

void add_options(Command& command, LocalizeArguments& arguments) {
  command.add_option("--sets", arguments.sets, "Sets of bugs that are certified")
      ->range(std::uint64_t{1}, std::uint64_t{10'000})
      ->capture_default_str();
  command.add_option("--seed", arguments.seed,
                     "Draws the first set; each further one is drawn by the next number. "
                     "Default: random");
  command.add_option("--most", arguments.most, "Bugs in a set, at most")
      ->range(std::uint64_t{1}, std::uint64_t{100})
      ->capture_default_str();
  command.add_option("--dialect", arguments.dialects, "Dialects whose name matches, with * and ?")
      ->type_name("GLOB");
  command.add_option("--width", arguments.widths, "Widths whose name matches, with * and ?")
      ->type_name("GLOB");
  command
      .add_option("--repeat", arguments.repeat,
                  "How often each set is certified; cases that differ are told")
      ->range(1U, 1000U)
      ->capture_default_str();
  command.add_option("--jobs", arguments.jobs, "Sets at a time")
      ->range(1U, 64U)
      ->capture_default_str();
  command
      .add_option("--matrix", arguments.matrices,
                  "Which cases fail with a bug alone: a file of `mutants run --json` or of\n"
                  "`mutants localize --json`. Bugs that it does not have are certified alone")
      ->type_name("FILE");
  command.add_flag(
      "--only-known", arguments.only_known,
      "Draw only bugs that a --matrix file has, each in the dialects and at the widths\n"
      "that it has there: no bug is certified alone");
  command.add_output("--json", arguments.json, "Write all sets, findings and verdicts as JSON");
}

}  // namespace

void add_localize_command(Command& group, int& exit_code) {
  auto* command = group.add_subcommand(
      "localize", "Certify the reference with several bugs at once and match findings with bugs");
  const auto arguments = std::make_shared<LocalizeArguments>();
  arguments->seed = base::random_seed() % seed_bound;
  add_options(*command, *arguments);
  command->footer(
      "Prints the bugs that no finding names, the findings that match no bug, recall, precision\n"
      "and findings per bug (docs/localization.md). SIGINT ends it; the sets that were certified\n"
      "by then are reported. Exit codes: 0 recall and precision are at least 95 %, findings at\n"
      "most 1.3 times the bugs, and no case differs from run to run; 1 otherwise; 2 usage;\n"
      "3 a file cannot be read or written; 4 interrupted, and so far as for 0.\n\n"
      "Examples:\n"
      "  hallmark mutants localize --sets 200 --seed 1 --json sets.json\n"
      "  hallmark mutants localize --sets 1 --seed 17 --matrix sets.json\n"
      "  hallmark mutants localize --sets 20 --seed 1 --matrix kills.json --only-known\n"
      "  hallmark mutants localize --sets 10 --seed 1 --repeat 20 --dialect 'throttr-*'");
  command->callback([arguments, &exit_code] { exit_code = static_cast<int>(run(*arguments)); });
}

}  // namespace hallmark::cli
