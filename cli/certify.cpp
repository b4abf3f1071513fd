#include <fmt/format.h>
#include <signal.h>
#include <time.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <cstdio>
#include <memory>
#include <random>
#include <string>

#include "cli/commands.hpp"
#include "cli/names.hpp"
#include "cli/vectors_directory.hpp"
#include "conformance/certify.hpp"
#include "loadgen/duration.hpp"
#include "reports/atomic_file.hpp"
#include "reports/json_report.hpp"
#include "reports/junit_report.hpp"
#include "reports/terminal_report.hpp"
#include "vectors/format/json.hpp"

namespace hallmark::cli {
namespace {

using reports::ExitCode;

template <class T>
using Result = boost::system::result<T, std::string>;

constexpr unsigned most_jobs = 64;
constexpr std::chrono::hours longest_deadline{1};

/// The command line as it was typed; everything is checked when the command runs.
struct CertifyArguments {
  std::string target;
  std::string dialect = "throttr-7.1";
  std::string width = "u16";
  std::string profile = "deployed";
  std::string vectors;
  conformance::Filter filter;
  unsigned jobs = 4;  // most of what a case does is wait for the target
  std::string deadline = "5s";
  bool list = false;
  bool slow = false;
  bool exclusive = false;
  std::uint64_t seed = 0;
  std::string json;
  std::string junit;
};

std::atomic<bool> interrupted{false};
std::atomic<std::int64_t> interrupted_at{0};

/// The first Ctrl-C ends the run between two cases, another one a second later ends the program:
/// what sends signals to a process and to its group means one.
extern "C" void on_interrupt(int signal) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (!interrupted.exchange(true)) {
    interrupted_at = now.tv_sec;
  } else if (now.tv_sec > interrupted_at + 1) {
    ::signal(signal, SIG_DFL);
    raise(signal);
  }
}

void listen_for_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

void complain(const std::string& message) { fmt::print(stderr, "hallmark certify: {}\n", message); }

/// The cases are written for the readings of released servers.
Result<protocol::Profile> profile_named(std::string_view came) {
  if (came == protocol::name_of(protocol::Profile::deployed)) return protocol::Profile::deployed;
  return fmt::format("unknown profile '{}'; allowed: deployed", came);
}

/// What the command line means.
struct Plan {
  std::unique_ptr<conformance::WireFormat> format;
  conformance::Suite suite;
  conformance::CertifyOptions options;
};

Result<std::unique_ptr<conformance::WireFormat>> read_format(const CertifyArguments& arguments) {
  const auto dialect = dialect_named(arguments.dialect);
  if (!dialect) return dialect.error().message;
  const auto width = width_named(**dialect, arguments.width);
  if (!width) return width.error().message;
  const auto profile = profile_named(arguments.profile);
  if (!profile) return profile.error();
  return std::make_unique<conformance::WireFormat>(*width, protocol::Readings(**dialect, *profile));
}

Result<conformance::Suite> read_suite(const CertifyArguments& arguments,
                                      const conformance::WireFormat& format) {
  const std::string directory =
      arguments.vectors.empty() ? default_vectors_directory() : arguments.vectors;
  const auto files = vectors::load_directory(directory, format.dialect().name, format.width());
  if (!files) return files.error().message;
  conformance::Suite suite = conformance::suite_of_vectors(*files, format);
  const std::string prefix = fmt::format("{}/{}", arguments.dialect, arguments.width);
  for (auto& unit : conformance::suite_of_behaviours(conformance::behaviour_cases(), prefix)) {
    suite.push_back(std::move(unit));
  }
  return conformance::chosen(std::move(suite), arguments.filter);
}

Result<conformance::CertifyOptions> read_options(const CertifyArguments& arguments) {
  if (arguments.jobs < 1 || arguments.jobs > most_jobs) {
    return fmt::format("--jobs {}; allowed: 1 to {}", arguments.jobs, most_jobs);
  }
  const auto deadline = loadgen::parse_duration(arguments.deadline);
  if (!deadline) return deadline.error().message;
  if (deadline->count() <= 0 || *deadline > longest_deadline) {
    return fmt::format("--deadline {}; allowed: more than 0, at most 1h", arguments.deadline);
  }
  conformance::CertifyOptions options;
  options.target_text = arguments.target;
  options.deadline = static_cast<conformance::Time>(deadline->count());
  options.exclusive = arguments.exclusive;
  options.seed = arguments.seed;
  options.schedule.jobs = arguments.jobs;
  options.schedule.slow = arguments.slow;
  options.schedule.stop = &interrupted;
  return options;
}

Result<Plan> read(const CertifyArguments& arguments) {
  Plan plan;
  auto format = read_format(arguments);
  if (!format) return format.error();
  plan.format = std::move(*format);
  auto options = read_options(arguments);
  if (!options) return options.error();
  plan.options = std::move(*options);
  if (!arguments.list || !arguments.target.empty()) {
    auto target = conformance::parse_target(arguments.target);
    if (!target) return target.error();
    plan.options.target = std::move(*target);
  }
  auto suite = read_suite(arguments, *plan.format);
  if (!suite) return suite.error();
  plan.suite = std::move(*suite);
  return plan;
}

void list(const conformance::Suite& suite) {
  for (const auto& unit : suite) {
    for (const auto& entry : unit.cases) {
      fmt::print("{:<6} {}  {}\n", protocol::name_of(entry.level), entry.id, entry.title);
    }
  }
}

reports::CertifyResult play(const Plan& plan) {
  reports::ProgressLine line(stderr, reports::is_terminal(stderr),
                             reports::style_for(stderr).width);
  conformance::CertifyOptions options = plan.options;
  options.schedule.on_progress = [&](const conformance::Progress& progress) {
    line.update(progress.done, progress.total, fmt::format("cases · {} failed", progress.failed));
  };
  listen_for_interrupts();
  reports::CertifyResult result = conformance::certify(*plan.format, plan.suite, options);
  result.header.version = HALLMARK_VERSION;
  return result;
}

bool write(const std::string& path, const std::string& content) {
  if (path.empty()) return true;
  const auto written = reports::write_file_atomically(path, content);
  if (!written) complain(written.error().message);
  return static_cast<bool>(written);
}

ExitCode run(const CertifyArguments& arguments) {
  const auto plan = read(arguments);
  if (!plan) {
    complain(plan.error());
    return ExitCode::usage;
  }
  if (arguments.list) {
    list(plan->suite);
    return ExitCode::as_expected;
  }
  const reports::CertifyResult result = play(*plan);
  const bool json =
      write(arguments.json, arguments.json.empty() ? "" : reports::render_json(result));
  const bool junit =
      write(arguments.junit, arguments.junit.empty() ? "" : reports::render_junit(result));
  if (result.cases.empty() && !result.run_error.empty()) {
    complain(result.run_error);
  } else {
    fmt::print("{}", reports::render_terminal(result, reports::style_for(stdout)));
  }
  const ExitCode code = reports::exit_code(result);
  return json && junit ? code : reports::worst(code, ExitCode::unreachable_or_harness_error);
}

void add_what(CLI::App& command, CertifyArguments& arguments) {
  command.add_option("TARGET", arguments.target,
                     "tcp://HOST:PORT, unix:///PATH, or exec:COMMAND with {port} in it");
  command.add_option("--dialect", arguments.dialect, "What the target has to speak")
      ->capture_default_str();
  command.add_option("--width", arguments.width, "Value width of the target: u8, u16, u32, u64")
      ->capture_default_str();
  command
      .add_option("--profile", arguments.profile,
                  "How it reads its document: deployed (as released servers)")
      ->capture_default_str();
  command.add_option("--vectors", arguments.vectors, "Where the golden vectors are")
      ->type_name("DIR");
}

void add_which(CLI::App& command, CertifyArguments& arguments) {
  command.add_flag("--list", arguments.list, "Print the cases instead of playing them");
  command.add_option("--filter", arguments.filter.ids, "Cases whose id matches, with * and ?")
      ->type_name("GLOB");
  command.add_option("--operation", arguments.filter.operations, "Cases of that operation")
      ->type_name("NAME");
  command.add_option("--level", arguments.filter.levels, "Cases of that level: MUST, SHOULD, MAY")
      ->type_name("LEVEL");
  command.add_option("--clause", arguments.filter.clauses, "Cases that cite a clause that matches")
      ->type_name("GLOB");
  command.add_flag("--slow", arguments.slow, "Also the cases that wait out a minute");
  command.add_flag("--exclusive", arguments.exclusive,
                   "Nobody else uses the target: also the cases that need that");
}

void add_how(CLI::App& command, CertifyArguments& arguments) {
  command.add_option("--jobs", arguments.jobs, "Cases played at a time")->capture_default_str();
  command
      .add_option("--deadline", arguments.deadline,
                  "How long a target may say nothing; the waits of a run that end so take\n"
                  "at most four times that together")
      ->capture_default_str();
  command.add_option("--seed", arguments.seed,
                     "Of names that no other run may use; default: random");
  command.add_option("--json", arguments.json, "Write the result as JSON")->type_name("FILE");
  command.add_option("--junit", arguments.junit, "Write the result as JUnit XML")
      ->type_name("FILE");
}

}  // namespace

void add_certify_command(CLI::App& app, int& exit_code) {
  auto* command =
      app.add_subcommand("certify", "Play vectors and cases against a server and judge");
  const auto arguments = std::make_shared<CertifyArguments>();
  arguments->seed = (std::uint64_t{std::random_device{}()} << 32) | std::random_device{}();
  add_what(*command, *arguments);
  add_which(*command, *arguments);
  add_how(*command, *arguments);
  command->footer(
      "Options that choose may be given several times; the cases that all of them choose are\n"
      "played. A choice without a case is an error.\n\n"
      "Examples:\n"
      "  hallmark certify tcp://127.0.0.1:9000 --width u16\n"
      "  hallmark certify 'exec:./server --port {port}' --width u8 --junit certify.xml\n"
      "  hallmark certify --list --operation insert --level MUST\n"
      "  hallmark certify tcp://127.0.0.1:9000 --filter '*/query/*' --clause 'ttl.*'");
  command->callback([arguments, &exit_code] { exit_code = static_cast<int>(run(*arguments)); });
}

}  // namespace hallmark::cli
