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
#include "cli/load/load_options.hpp"
#include "cli/load/load_process.hpp"
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

std::string live_text(const reports::SecondSample& sample) {
  return fmt::format("{:>4} s  {} sent/s  {} answered/s  {} errors  p50 {}  p99 {}  max {}",
                     sample.second + 1, base::grouped(sample.sent), base::grouped(sample.completed),
                     base::grouped(sample.errors), text_of(sample.p50), text_of(sample.p99),
                     text_of(sample.max));
}

/// A run, or a series of runs, that was asked for.
struct LoadTask {
  const LoadProcess& process;
  const LoadArguments& arguments;
  LoadOptions options;
  Objectives objectives;
  std::optional<loadgen::AbortCondition> abort_on;
  std::string found;  ///< one line on a format that nobody said; empty if somebody did
  MetricsPublication& metrics;
};

/// One run, alone or in a series: tells its metrics, and aborts it where that was asked for.
Result<reports::LoadResult> run_once(const LoadTask& task, LoadOptions options,
                                     loadgen::LoadOutputs outputs) {
  std::stop_source stop;
  std::string aborted;
  options.stop = stop.get_token();
  if (task.metrics.wanted()) {
    outputs.operations = [&](std::span<const std::string> names, const loadgen::Tally& second) {
      task.metrics.add(names, second);
    };
  }
  if (task.abort_on) {
    outputs.second = [&, told = outputs.second](const reports::SecondSample& second) {
      if (told) told(second);
      if (!aborted.empty()) return;
      aborted = task.abort_on->reached(second).value_or("");
      if (!aborted.empty()) stop.request_stop();
    };
  }
  auto result = task.process.run(options, outputs);
  if (result) {
    result->header.version = HALLMARK_VERSION;
    result->aborted = aborted;
  }
  return result;
}

/// Runs with a line a second: in place on a terminal, one below the other where it is asked for.
Result<reports::LoadResult> run_watched(const LoadTask& task, const LoadOptions& options,
                                        base::LogFile* interval_log) {
  const bool live = task.arguments.live;
  const bool terminal = reports::is_terminal(stderr);
  reports::ProgressLine line{stderr, terminal && !live, reports::style_for(stderr).width,
                             std::chrono::milliseconds(0)};
  loadgen::LoadOutputs outputs;
  if (interval_log != nullptr) {
    outputs.interval_log = [interval_log](std::string_view lines) {
      interval_log->write(lines);
      static_cast<void>(interval_log->flush());  // an error is kept, and told in the end
    };
  }
  outputs.second = [&](const reports::SecondSample& sample) {
    if (live) {
      fmt::print(stderr, "{}\n", live_text(sample));
    } else {
      line.update(live_text(sample));
    }
  };
  return run_once(task, options, std::move(outputs));
}

/// Returns false if the file was requested and could not be written.
bool write_if_requested(const std::string& path, const std::string& content) {
  return path.empty() || write_or_complain("load", path, content);
}

ExitCode report(const LoadArguments& arguments, const Objectives& objectives,
                reports::LoadResult& result) {
  result.objectives = reports::judge(objectives, result);
  fmt::print("{}", reports::render_terminal(result, reports::style_for(stdout)));
  const bool json = write_if_requested(arguments.json, reports::render_json(result));
  const bool csv = write_if_requested(arguments.csv, reports::render_csv(result.series));
  HtmlFile page(Origin::this_run);
  if (!arguments.html.empty()) page.add("load", result);
  const bool html = page.write_or_complain("load", arguments.html);
  return json && csv && html ? reports::exit_code(result) : ExitCode::unreachable_or_harness_error;
}

/// A series of runs as a page. Returns false if it was requested and could not be written.
template <class Result>
bool write_page(const LoadArguments& arguments, const Result& result) {
  HtmlFile page(Origin::this_run);
  page.add("load", reports::render_terminal(result, {}), reports::render_json(result));
  return page.write_or_complain("load", arguments.html);
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
  const ExitCode code = report(arguments, task.objectives, *result);
  const auto logged = interval_log ? interval_log->flush() : base::Result<void>();
  return logged ? code
                : refuse("load", logged.error().message, ExitCode::unreachable_or_harness_error);
}

/// A line about the runs of a series: in place on a terminal, else one below the other.
void tell(const std::string& text) {
  if (!reports::is_terminal(stderr)) {
    if (!text.empty()) fmt::print(stderr, "{}\n", text);
    return;
  }
  const auto line =
      base::excerpt(text, std::max<std::size_t>(reports::style_for(stderr).width, 2) - 1);
  fmt::print(stderr, "\r\033[K{}", line);
}

ExitCode search(const LoadTask& task) {
  const LoadArguments& arguments = task.arguments;
  const auto confirm = base::parse_duration(arguments.confirm);
  if (!confirm) return refuse("load", "--confirm: " + confirm.error().message, ExitCode::usage);
  const SearchGoal goal{task.objectives, arguments.search, *confirm};
  const auto run = [&](const LoadOptions& one) { return run_once(task, one, {}); };
  const auto knee = search_knee(task.options, goal, run, tell);
  tell("");
  if (!knee) return refuse("load", knee.error().message, ExitCode::unreachable_or_harness_error);
  fmt::print("{}", reports::render_terminal(*knee, reports::style_for(stdout)));
  const bool json = write_if_requested(arguments.json, reports::render_json(*knee));
  const bool csv = write_if_requested(arguments.csv, reports::render_csv(*knee));
  const bool html = write_page(arguments, *knee);
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
  const auto run = [&](const LoadOptions& one) {
    tell(fmt::format("run {} of {}: {}", ++done, runs_of(arguments.rounds), one.target_text));
    return run_once(task, one, {});
  };
  const auto comparison =
      compare_targets(task.options, against, arguments.rounds, arguments.at_least / 100, run);
  tell("");
  if (!comparison)
    return refuse("load", comparison.error().message, ExitCode::unreachable_or_harness_error);
  fmt::print("{}", reports::render_terminal(*comparison, reports::style_for(stdout)));
  const bool json = write_if_requested(arguments.json, reports::render_json(*comparison));
  const bool html = write_page(arguments, *comparison);
  return json && html ? reports::exit_code(*comparison) : ExitCode::unreachable_or_harness_error;
}

/// The run, its name, and what is done with each second of it.
Result<LoadTask> read_task(const LoadProcess& process, const LoadArguments& arguments,
                           const std::string& found, MetricsPublication& metrics) {
  auto options = read_load_options(arguments);
  if (!options) return options.error();
  const bool searches = !arguments.search.empty();
  auto objectives = read_objectives(searches ? "--search" : "--slo",
                                    searches ? arguments.search : arguments.slo, arguments);
  if (!objectives) return objectives.error();
  LoadTask task{process, arguments, std::move(*options), std::move(*objectives), std::nullopt,
                found,   metrics};
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
  const auto task = read_task(process, arguments, found, metrics);
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

/// What several ranks can do instead.
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
    arguments.csv = arguments.hlog = arguments.html = "";
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
  command.add_flag("--live", arguments.live, "A line a second even where stderr is no terminal");
  command.add_output("--json", arguments.json, "Write the result as JSON");
  command.add_output("--html", arguments.html, "Write the result as a page with charts");
  command
      .add_output("--csv", arguments.csv,
                  "Write the seconds of the run, or the runs of a search, as CSV")
      ->excludes(command.get_option("--versus"));
  command.add_output("--hlog", arguments.hlog, "Write an HdrHistogram V2 interval log")
      ->excludes(command.get_option("--search"))
      ->excludes(command.get_option("--versus"));
  add_metrics_options(command, arguments.metrics);
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
