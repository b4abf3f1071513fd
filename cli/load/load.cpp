#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "base/endpoint.hpp"
#include "base/log_file.hpp"
#include "base/output_file.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"
#include "cli/certify/identified.hpp"
#include "cli/commands.hpp"
#include "cli/decode/format_options.hpp"
#include "cli/html/html_file.hpp"
#include "cli/live/live_load.hpp"
#include "cli/live/live_page.hpp"
#include "cli/load/load_options.hpp"
#include "cli/load/load_process.hpp"
#include "cli/load/load_progress.hpp"
#include "cli/load/load_series.hpp"
#include "cli/load/search.hpp"
#include "cli/load/workload_file.hpp"
#include "cli/metrics/metrics_publication.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/complaint.hpp"
#include "loadgen/engine/run.hpp"
#include "loadgen/results/abort_condition.hpp"
#include "loadgen/results/run_identity.hpp"
#include "reports/json_report.hpp"
#include "reports/load/slo.hpp"
#include "reports/terminal_report.hpp"

namespace hallmark::cli {
namespace {

using base::Result;
using loadgen::LoadOptions;
using reports::ExitCode;
using Objectives = std::vector<reports::Objective>;

constexpr std::chrono::seconds identifying_takes_at_most{2};

/// A run, or a series of runs, that was asked for.
struct LoadTask {
  const LoadProcess& process;
  const LoadArguments& arguments;
  LoadOptions options;
  Objectives objectives;
  std::optional<loadgen::AbortCondition> abort_on;
  std::string found;  ///< one line on a format that nobody said; empty if somebody did
  MetricsPublication& metrics;
  LiveLoad& live;
  LivePage& live_page;
};

/// Takes a second of a run.
using ProgressTold = std::function<void(const reports::SecondSample&, const loadgen::Tally&)>;

/// Each second of a run goes to all who want it.
loadgen::LoadOutputs told_to_all(const LoadTask& task, const ProgressTold& progress,
                                 std::function<void(const reports::SecondSample&)> judge) {
  auto last = std::make_shared<reports::SecondSample>();
  loadgen::LoadOutputs outputs;
  outputs.second = [&task, last, judge = std::move(judge)](const reports::SecondSample& second) {
    if (judge) judge(second);
    if (task.live_page.wanted()) task.live.add(second);
    *last = second;
  };
  outputs.operations = [&task, last, progress](std::span<const std::string> names,
                                               const loadgen::Tally& second) {
    if (task.metrics.wanted()) task.metrics.add(names, second);
    if (task.live_page.wanted()) task.live.add(names, second);
    if (progress) progress(*last, second);
  };
  return outputs;
}

/// One run, alone or in a series: tells its seconds, and aborts it where that was asked for.
Result<reports::LoadResult> run_once(const LoadTask& task, LoadOptions options,
                                     const ProgressTold& progress = {},
                                     base::LogFile* interval_log = nullptr) {
  std::stop_source stop;
  std::string aborted;
  options.stop = stop.get_token();
  task.live.begin(options);
  auto outputs = told_to_all(task, progress, [&](const reports::SecondSample& second) {
    if (!task.abort_on || !aborted.empty()) return;
    aborted = task.abort_on->reached(second).value_or("");
    if (!aborted.empty()) stop.request_stop();
  });
  if (interval_log != nullptr) {
    outputs.interval_log = [interval_log](std::string_view lines) {
      interval_log->write(lines);
      static_cast<void>(interval_log->flush());  // an error is kept, and told in the end
    };
  }
  auto result = task.process.run(options, outputs);
  if (result) {
    result->header.version = HALLMARK_VERSION;
    result->aborted = aborted;
  }
  return result;
}

/// Runs and shows the last minute on a terminal, or a line a second where that is asked for.
Result<reports::LoadResult> run_watched(const LoadTask& task, const LoadOptions& options,
                                        base::LogFile* interval_log) {
  const Verbosity& verbosity = task.arguments.verbosity;
  reports::ProgressLines lines(stderr, !verbosity.verbose && !verbosity.quiet,
                               std::chrono::milliseconds(0));
  LoadProgress progress(options.duration, !options.closed);
  const auto show = [&](const reports::SecondSample& sample, const loadgen::Tally& second) {
    if (verbosity.verbose) return fmt::print(stderr, "{}\n", second_in_words(sample));
    progress.add(sample, second);
    const auto style = reports::style_for(stderr);
    lines.update(style.dumb ? std::vector{second_in_words(sample)} : progress.lines(style.width));
  };
  return run_once(task, options, show, interval_log);
}

/// Returns false if the file was requested and could not be written.
bool write_if_requested(const std::string& path, const std::string& content) {
  return path.empty() || write_or_complain("load", path, content);
}

void print_report(const LoadArguments& arguments, const std::string& text) {
  fmt::print("{}", told(text, arguments.verbosity));
}

/// Writes the page and shows it to those who watch. Returns false if it could not be written.
bool publish(const LoadTask& task, HtmlFile& page) {
  const bool written = page.write_or_complain("load", task.arguments.html);
  std::fflush(stdout);  // the results are there while readers take the page
  task.live_page.finish(page);
  return written;
}

bool wants_page(const LoadTask& task) {
  return !task.arguments.html.empty() || task.live_page.wanted();
}

ExitCode report(const LoadTask& task, reports::LoadResult& result) {
  const LoadArguments& arguments = task.arguments;
  result.objectives = reports::judge(task.objectives, result);
  print_report(arguments, reports::render_terminal(result, reports::style_for(stdout)));
  const bool json = write_if_requested(arguments.json, reports::render_json(result));
  const bool csv = write_if_requested(arguments.csv, reports::render_csv(result.series));
  HtmlFile page(Origin::this_run);
  if (wants_page(task)) page.add("load", result);
  const bool html = publish(task, page);
  return json && csv && html ? reports::exit_code(result) : ExitCode::unreachable_or_harness_error;
}

/// A series of runs as a page. Returns false if it was requested and could not be written.
template <class Result>
bool write_page(const LoadTask& task, const Result& result) {
  HtmlFile page(Origin::this_run);
  page.add("load", reports::render_terminal(result, {}), reports::render_json(result));
  return publish(task, page);
}

/// A run that could not be made in the format that was asked for may only need another one.
void advise(const LoadArguments& arguments, reports::LoadResult& result) {
  const auto format = read_format(arguments.format);
  if (!format || format->dialect().transport != protocol::Transport::stream) return;
  const auto advice = advice_on(*format, arguments.target, identifying_takes_at_most);
  if (!advice.empty()) result.run_error += "; " + advice;
}

ExitCode measure(const LoadTask& task) {
  const LoadArguments& arguments = task.arguments;
  std::optional<base::LogFile> interval_log;
  if (!arguments.hlog.empty()) {
    auto log = base::LogFile::open(arguments.hlog, base::LogFile::Start::empty);
    if (!log) return refuse("load", log.error().message, ExitCode::unreachable_or_harness_error);
    interval_log.emplace(std::move(*log));
  }
  const auto run = [&](const LoadOptions& options) {
    return run_watched(task, options, interval_log ? &*interval_log : nullptr);
  };
  auto result =
      arguments.repeat == 1 ? run(task.options) : repeat(task.options, arguments.repeat, run);
  if (!result) return refuse("load", result.error().message, ExitCode::usage);
  if (!task.process.reports && result->run_error.empty()) return ExitCode::as_expected;
  if (!task.found.empty()) result->header.notes.push_back(task.found);
  const bool not_begun = !result->run_error.empty() && result->counts.planned == 0;
  if (task.found.empty() && not_begun) advise(arguments, *result);
  const ExitCode code = report(task, *result);
  const auto logged = interval_log ? interval_log->flush() : base::Result<void>();
  return logged ? code
                : refuse("load", logged.error().message, ExitCode::unreachable_or_harness_error);
}

/// Tells of the runs of a series, a line each: in place on a terminal, else one below the other.
class SeriesProgress {
 public:
  explicit SeriesProgress(const Verbosity& verbosity)
      : one_by_one_(!verbosity.quiet && (verbosity.verbose || !reports::is_terminal(stderr))),
        line_(stderr, !verbosity.quiet && !one_by_one_, std::chrono::milliseconds(0)) {}

  void tell(const std::string& text) {
    if (one_by_one_) fmt::print(stderr, "{}\n", text);
    line_.update(text);
  }

 private:
  bool one_by_one_;
  reports::ProgressLines line_;
};

ExitCode search(const LoadTask& task) {
  const LoadArguments& arguments = task.arguments;
  const auto confirm = base::parse_duration(arguments.confirm);
  if (!confirm) return refuse("load", "--confirm: " + confirm.error().message, ExitCode::usage);
  const SearchGoal goal{task.objectives, arguments.search, *confirm};
  const auto run = [&](const LoadOptions& one) { return run_once(task, one); };
  const auto knee = [&] {
    SeriesProgress progress(arguments.verbosity);
    return search_knee(task.options, goal, run,
                       [&](const std::string& text) { progress.tell(text); });
  }();
  if (!knee) return refuse("load", knee.error().message, ExitCode::unreachable_or_harness_error);
  print_report(arguments, reports::render_terminal(*knee, reports::style_for(stdout)));
  const bool json = write_if_requested(arguments.json, reports::render_json(*knee));
  const bool csv = write_if_requested(arguments.csv, reports::render_csv(*knee));
  const bool html = write_page(task, *knee);
  return json && csv && html ? reports::exit_code(*knee) : ExitCode::unreachable_or_harness_error;
}

ExitCode versus(const LoadTask& task) {
  const LoadArguments& arguments = task.arguments;
  const auto other = base::parse_endpoint<loadgen::Target>(arguments.versus);
  if (!other) return refuse("load", other.error().message, ExitCode::usage);
  LoadOptions against = task.options;
  against.target = *other;
  against.target_text = arguments.versus;
  std::size_t done = 0;
  std::optional<SeriesProgress> progress(arguments.verbosity);
  const auto run = [&](const LoadOptions& one) {
    progress->tell(
        fmt::format("run {} of {}: {}", ++done, runs_of(arguments.rounds), one.target_text));
    return run_once(task, one);
  };
  const auto comparison =
      compare_targets(task.options, against, arguments.rounds, arguments.at_least / 100, run);
  progress.reset();
  if (!comparison)
    return refuse("load", comparison.error().message, ExitCode::unreachable_or_harness_error);
  print_report(arguments, reports::render_terminal(*comparison, reports::style_for(stdout)));
  const bool json = write_if_requested(arguments.json, reports::render_json(*comparison));
  const bool html = write_page(task, *comparison);
  return json && html ? reports::exit_code(*comparison) : ExitCode::unreachable_or_harness_error;
}

/// The run, its name, and what is done with each second of it.
Result<LoadTask> read_task(const LoadProcess& process, const LoadArguments& arguments,
                           const std::string& found, MetricsPublication& metrics, LiveLoad& live,
                           LivePage& live_page) {
  auto options = read_load_options(arguments);
  if (!options) return options.error();
  const bool searches = !arguments.search.empty();
  auto objectives = read_objectives(searches ? "--search" : "--slo",
                                    searches ? arguments.search : arguments.slo, arguments);
  if (!objectives) return objectives.error();
  LoadTask task{
      process, arguments, std::move(*options), std::move(*objectives), std::nullopt, found, metrics,
      live,    live_page};
  if (!arguments.abort_on.empty()) {
    auto condition = loadgen::AbortCondition::parse(arguments.abort_on);
    if (!condition) return condition.error();
    task.abort_on = std::move(*condition);
  }
  if (task.options.run_id.empty()) {
    const auto now =
        std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
    task.options.run_id = loadgen::identity_of(task.options, now).run;
  }
  return task;
}

/// `found`: one line on a format that nobody said; empty if somebody did.
ExitCode run_settled(const LoadProcess& process, const LoadArguments& arguments,
                     const std::string& found, MetricsPublication& metrics) {
  LiveLoad live;
  auto live_page = LivePage::open("load", arguments.live, live);
  if (!live_page) return refuse("load", live_page.error().message, ExitCode::usage);
  const auto task = read_task(process, arguments, found, metrics, live, *live_page);
  if (!task) return refuse("load", task.error().message, ExitCode::usage);
  const LoadOptions& options = task->options;
  if (metrics.wanted()) {
    metrics.begin({.target = options.target_text,
                   .dialect = std::string(options.workload.readings.dialect().name),
                   .run = options.run_id,
                   .rank = options.share ? options.share->number : 0});
  }
  const bool series = !arguments.search.empty() || !arguments.versus.empty();
  if (series && !found.empty()) fmt::print("{}\n", found);
  if (!arguments.search.empty()) return search(*task);
  return series ? versus(*task) : measure(*task);
}

/// Refuses at once what no dialect and no width allow, before the target is asked for its own.
base::Result<void> check_open(LoadArguments arguments) {
  const std::string dialect = arguments.format.dialect;
  arguments.format = {.width = "u64"};
  if (dialect != automatic) arguments.format.dialect = dialect;
  const auto options = read_load_options(arguments);
  if (!options) return options.error();
  return {};
}

ExitCode run_open(const LoadProcess& process, LoadArguments arguments,
                  MetricsPublication& metrics) {
  if (const auto checked = check_open(arguments); !checked)
    return refuse("load", checked.error().message, ExitCode::usage);
  const auto found = settled(arguments.format, arguments.target, identifying_takes_at_most);
  if (!found) return refuse("load", found.error().message, ExitCode::unreachable_or_harness_error);
  // The run itself reports a target that is not there, whichever format it has.
  arguments.format = *found ? (*found)->format : without_auto(arguments.format);
  return run_settled(process, arguments, *found ? (*found)->found : std::string(), metrics);
}

ExitCode run_published(const LoadProcess& process, LoadArguments arguments,
                       MetricsPublication& metrics) {
  const auto open = leave_open(arguments.format);
  if (!open) return refuse("load", open.error().message, ExitCode::usage);
  // Only streams have several dialects; others are refused where their options are read.
  const bool stream = !base::has_scheme_of<base::UdpEndpoint>(arguments.target) &&
                      !base::names_store(arguments.target);
  if (*open && stream) return run_open(process, std::move(arguments), metrics);
  arguments.format = without_auto(arguments.format);
  return run_settled(process, arguments, {}, metrics);
}

/// The option that makes several runs; empty if there is none.
std::string_view series_option(const LoadArguments& arguments) {
  if (!arguments.search.empty()) return "--search";
  if (!arguments.versus.empty()) return "--versus";
  return arguments.repeat != 1 ? "--repeat" : "";
}

/// Several ranks can do this instead.
std::string_view instead_of(std::string_view series) {
  if (series == "--repeat")
    return "Start them as often with --json, and add up with `hallmark report merge`";
  if (series == "--versus")
    return "Run them on each target with --json, and use `hallmark report compare`";
  return "Search with `hallmark load`, or start them once for each --rate with --slo";
}

ExitCode run(const LoadProcess& process, LoadArguments arguments) {
  const auto series = series_option(arguments);
  if (!process.alone && !series.empty())
    return refuse("load", fmt::format("{} is for one process: several ranks make one run. {}",
                                      series, instead_of(series)));
  if (!process.reports) {
    arguments.json = process.orphan_file ? process.orphan_file(arguments.json) : "";
    arguments.csv = arguments.hlog = arguments.html = arguments.live = "";
    arguments.metrics = {};
  }
  const auto metrics = MetricsPublication::open(arguments.metrics);
  if (!metrics) return refuse("load", metrics.error().message, ExitCode::usage);
  const ExitCode code = run_published(process, std::move(arguments), **metrics);
  std::fflush(stdout);  // the results are there while the metrics linger
  const auto finished = (*metrics)->finish();
  if (finished) return code;
  complain("load", finished.error().message);
  return reports::worst(code, ExitCode::unreachable_or_harness_error);
}

/// Options of several runs that answer one question.
void add_series(Command& command, LoadArguments& arguments) {
  auto* slo = command.get_option("--slo");
  auto* search =
      command
          .add_option("--search", arguments.search,
                      "Instead of one run: the highest rate, from --rate upwards, at which these "
                      "hold,\nby runs of --duration each [1s]")
          ->type_name("OBJECTIVES")
          ->excludes(slo)
          ->excludes(command.get_option("--closed"))
          ->excludes(command.get_option("--replay"));
  command
      .add_option("--confirm", arguments.confirm,
                  "Of --search: the length of the run at the rate that was found; 0s: none")
      ->needs(search)
      ->capture_default_str();
  auto* versus =
      command
          .add_option("--versus", arguments.versus,
                      "Instead of one run: another target, compared with TARGET by runs of "
                      "--duration\neach in turns; exit code 1 where it is worse")
          ->type_name("TARGET")
          ->excludes(slo)
          ->excludes(search);
  command.add_option("--rounds", arguments.rounds, "Of --versus: A B B A, so many times")
      ->needs(versus)
      ->range(1U, 1000U)
      ->capture_default_str();
  command
      .add_option("--at-least", arguments.at_least,
                  "Of --versus: percent below which no difference counts")
      ->needs(versus)
      ->range(0.0, 1000.0)
      ->capture_default_str();
  command
      .add_option("--repeat", arguments.repeat,
                  "So many runs, one after the other, as one result with the spread between them")
      ->range(1U, 1000U)
      ->excludes(search)
      ->excludes(versus)
      ->excludes(command.get_option("--share"))
      ->capture_default_str();
}

void add_outputs(Command& command, LoadArguments& arguments) {
  command
      .add_option("--slo", arguments.slo,
                  "What the run has to show, such as p99<5ms,errors<0.01%,rate>=0.99; "
                  "exit code 1\nwhere it does not, 4 where a busy client or lost replies "
                  "leave it open")
      ->type_name("OBJECTIVES");
  add_series(command, arguments);
  command
      .add_option(
          "--abort-on", arguments.abort_on,
          "End the run after a second in which this is so, such as errors>10%; exit code 4\n"
          "if nothing else fails it")
      ->type_name("CONDITIONS");
  command.add_flag("--stages", arguments.stages,
                   "Over tcp://: where the time of each request went, by the times of the kernel");
  add_verbosity_options(
      command, arguments.verbosity,
      "A line a second, one below the other, also where stderr is not a terminal");
  command.add_output("--json", arguments.json, "Write the result as JSON");
  command.add_output("--html", arguments.html, "Write the result as a page with charts");
  command
      .add_output("--csv", arguments.csv,
                  "Write the seconds of the run, or the runs of a search, as CSV")
      ->excludes(command.get_option("--versus"));
  command.add_output("--hlog", arguments.hlog, "Write an HdrHistogram V2 interval log")
      ->excludes(command.get_option("--search"))
      ->excludes(command.get_option("--versus"));
  add_live_option(command, arguments.live);
  add_metrics_options(command, arguments.metrics);
  command.advanced(
      {"--confirm", "--rounds", "--at-least", "--abort-on", "--stages", "--csv", "--hlog"});
}

}  // namespace

void add_load_command(Command& app, int& exit_code) {
  add_load_command(app, exit_code, LoadProcess());
}

void add_load_command(Command& app, int& exit_code, const LoadProcess& process) {
  auto* command = app.add_subcommand("load", "Send requests at a rate and measure the replies");
  const auto arguments = std::make_shared<LoadArguments>();
  add_load_options(*command, *arguments);
  add_outputs(*command, *arguments);
  if (process.add_options) process.add_options(*command);
  command
      ->add_option(
          "--workload", arguments->workload,
          fmt::format("Options from a JSON file, or one of those that come with this: {};\n"
                      "what else is given here goes before them",
                      shipped_workloads()))
      ->type_name("NAME|FILE");
  command->footer(
      "An open loop is the default: requests are sent when they are planned, whatever the target\n"
      "does, and latency counts from the planned send.\n\n"
      "Examples:\n"
      "  hallmark load tcp://127.0.0.1:9000 --rate 50000 --connections 64\n"
      "  hallmark load tcp://127.0.0.1:9000 --dialect throttr-7.3 --width u16 --rate 20000\n"
      "  hallmark load tcp://127.0.0.1:9000 --mix query=90,update=9,insert=1 --arrivals poisson\n"
      "  hallmark load tcp://127.0.0.1:9000 --workload api-gateway --rate 20k\n"
      "  hallmark load tcp://127.0.0.1:9000 --rate 1k..50k --duration 1m\n"
      "  hallmark load tcp://127.0.0.1:9000 --rate 20k --slo 'p99<5ms,errors<0.01%,rate>=0.99'\n"
      "  hallmark load tcp://127.0.0.1:9000 --search 'p99<2ms'\n"
      "  hallmark load tcp://127.0.0.1:9000 --versus tcp://127.0.0.1:9001 --rate 20k\n"
      "  hallmark load tcp://127.0.0.1:9000 --dialect throttr-2.0 --profile literal --rate 20000\n"
      "  hallmark load unix:///run/throttr.sock --closed --depth 64 --mix query=1 --json run.json\n"
      "  hallmark load udp://127.0.0.1:2000 --dialect ratelimit-udp --rate 50k --timeout 100ms\n"
      "  hallmark load udp://127.0.0.1:2000 --dialect ratelimit-udp --rules FILE --rate 5k\n"
      "  hallmark load udp://127.0.0.1:2000 --dialect ratelimit-udp --closed --depth 64\n"
      "  hallmark load redis://127.0.0.1 --strategy token-bucket:burst=10,rate=5 --rate 20k");
  command->callback([command, arguments, process, &exit_code] {
    if (!arguments->workload.empty()) {
      if (const auto read = apply_workload(*command, arguments->workload); !read) {
        exit_code = static_cast<int>(refuse("load", read.error().message, ExitCode::usage));
        return;
      }
    }
    follow_target(*command, arguments->target, arguments->format);
    exit_code = static_cast<int>(run(process, *arguments));
  });
}

}  // namespace hallmark::cli
