#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "cli/format_options.hpp"
#include "cli/identified.hpp"
#include "cli/names.hpp"
#include "cli/store_load.hpp"
#include "loadgen/arrival_times.hpp"
#include "loadgen/duration.hpp"
#include "loadgen/run.hpp"
#include "reference/protocol/ratelimit_rules.hpp"
#include "reports/atomic_file.hpp"
#include "reports/json_report.hpp"
#include "reports/slo.hpp"
#include "reports/terminal_report.hpp"
#include "reports/text.hpp"

namespace hallmark::cli {
namespace {

using loadgen::LoadOptions;
using loadgen::Result;
using reports::ExitCode;
using Objectives = std::vector<reports::Objective>;

constexpr std::string_view arrivals[] = {"constant", "poisson"};
constexpr std::chrono::seconds identifying_takes_at_most{2};
constexpr std::uint32_t most_depth = 65'536;
constexpr std::uint32_t most_connections = 60'000;
constexpr double most_churn = 100'000;
constexpr std::uint32_t most_threads = 1'024;
/// Each has a thread, and histograms of its own.
constexpr std::uint32_t most_store_connections = 256;
/// Of each the oracle keeps what it has admitted.
constexpr std::uint32_t most_store_keys = 10'000'000;
constexpr std::uint64_t most_receive_buffer = std::uint64_t{1} << 30;
constexpr std::string_view usual_duration = "10s";
constexpr std::string_view usual_mix = "query=90,update=9,insert=1";
constexpr std::string_view usual_datagram_mix = "over_limit=1";
constexpr std::string_view store_mix = "decide=1";
constexpr std::string_view usual_prefix = "load:";
constexpr std::string_view usual_store_prefix = "hallmark:";

/// The command line as it was typed; everything is checked when the command runs.
struct LoadArguments {
  std::string target;
  FormatArguments format;
  StoreArguments store;
  std::string mix = {};  ///< empty: the usual one of the dialect
  std::string arrivals = "constant";
  std::string duration = {};  ///< empty: the usual one, or that of a replay
  std::string warmup = "0s";
  std::string timeout = "1s";
  std::string lag_bound = "1ms";
  std::uint64_t requests_per_connection = 0;
  double churn = 0;
  bool stages = false;
  std::string rate = "1k";
  std::string replay = {};
  std::uint32_t connections = 16;
  std::uint32_t threads = 1;
  std::uint32_t depth = 1;
  bool closed = false;
  std::uint32_t keys = 10'000;
  std::optional<std::string> key_prefix = {};  ///< nothing: the usual one
  std::string value_sizes = "64";
  std::string key_choice = "uniform";
  std::string keys_from = {};
  std::uint32_t subscribers = 0;
  std::vector<std::string> key_patterns;
  std::string rules;
  std::uint64_t receive_buffer = std::uint64_t{4} << 20;
  std::uint64_t seed = 1;
  bool live = false;
  std::string slo;
  std::string json;
  std::string hlog;
};

void complain(const std::string& message) { fmt::print(stderr, "hallmark load: {}\n", message); }

loadgen::Error unknown(std::string_view what, std::string_view came, const std::string& allowed) {
  return {fmt::format("unknown {} '{}'; allowed: {}", what, came, allowed)};
}

template <class Names>
Result<std::size_t> position_of(std::string_view what, std::string_view came, const Names& names) {
  for (std::size_t i = 0; i < std::size(names); ++i) {
    if (names[i] == came) return i;
  }
  return unknown(what, came, fmt::format("{}", fmt::join(names, ", ")));
}

template <class Number>
Result<void> in_range(std::string_view what, Number came, Number least, Number most) {
  if (came >= least && came <= most) return {};
  return loadgen::Error{fmt::format("{} {}; allowed: {} to {}", what, came, least, most)};
}

std::string mix_of(const LoadArguments& arguments, const protocol::Dialect& dialect) {
  if (!arguments.mix.empty()) return arguments.mix;
  if (is_store(arguments.target)) return std::string{store_mix};
  const bool datagrams = dialect.transport == protocol::Transport::datagram;
  return std::string{datagrams ? usual_datagram_mix : usual_mix};
}

/// When requests are sent in the open loop. The durations have been read.
Result<void> read_arrivals(const LoadArguments& arguments, LoadOptions& options) {
  const auto arriving = position_of("arrivals", arguments.arrivals, arrivals);
  if (!arriving) return arriving.error();
  options.arrivals = *arriving == 0 ? loadgen::Arrivals::constant : loadgen::Arrivals::poisson;
  auto rate = loadgen::RateProfile::parse(arguments.rate, options.duration);
  if (!rate) return rate.error();
  options.rate = std::move(*rate);
  return {};
}

/// Of a file of times, which say how long the run is where nothing else does.
Result<void> read_replay(const LoadArguments& arguments, LoadOptions& options) {
  if (arguments.replay.empty()) return {};
  if (options.warmup.count() != 0)
    return loadgen::Error{"--warmup is not for --replay: all of its requests are measured"};
  auto times = loadgen::read_arrival_times(arguments.replay);
  if (!times) return times.error();
  options.arrivals = loadgen::Arrivals::replay;
  options.times_name = arguments.replay;
  if (arguments.duration.empty()) options.duration = std::chrono::nanoseconds(times->back() + 1);
  options.times = std::make_shared<const loadgen::ArrivalTimes>(std::move(*times));
  return {};
}

std::string prefix_of(const LoadArguments& arguments) {
  if (arguments.key_prefix) return *arguments.key_prefix;
  return std::string{is_store(arguments.target) ? usual_store_prefix : usual_prefix};
}

/// What is for stores alone, and what is for all targets but those.
Result<void> read_store(const LoadArguments& arguments, LoadOptions& options) {
  if (!is_store(arguments.target)) {
    if (arguments.store.strategy.strategy.empty()) return {};
    return loadgen::Error{fmt::format("--strategy is for redis:// and postgres://; '{}' is neither",
                                      arguments.target)};
  }
  if (!arguments.mix.empty()) return loadgen::Error{"--mix is not for stores: all requests decide"};
  if (arguments.depth != 1) {
    return loadgen::Error{"--depth is not for stores: a connection decides one request at a time"};
  }
  for (const auto& check :
       {in_range("--connections", arguments.connections, 1U, most_store_connections),
        in_range("--keys", arguments.keys, 1U, most_store_keys)}) {
    if (!check) return check;
  }
  auto store = read_store_options(arguments.target, arguments.store, options.timeout);
  if (!store) return store.error();
  options.store = std::move(*store);
  options.threads = options.connections;
  return {};
}

/// What is for datagrams alone.
Result<void> read_datagram(const LoadArguments& arguments, LoadOptions& options) {
  const bool given = !arguments.rules.empty() || !arguments.key_patterns.empty();
  if (given && (options.store || !loadgen::of_datagrams(options.target))) {
    return loadgen::Error{fmt::format("{} is for udp:// targets; '{}' is none",
                                      arguments.rules.empty() ? "--key-pattern" : "--rules",
                                      arguments.target)};
  }
  options.datagram.key_patterns = arguments.key_patterns;
  options.datagram.receive_buffer = arguments.receive_buffer;
  for (const std::string& reading : arguments.format.readings) {
    if (reading.starts_with("over-when=")) options.datagram.over_when_known = true;
  }
  if (arguments.rules.empty()) return {};
  auto rules = protocol::ratelimit::read_rules_file(arguments.rules);
  if (!rules) return rules.error();
  options.datagram.rules = std::make_shared<protocol::ratelimit::Rules>(std::move(*rules));
  options.datagram.rules_name = arguments.rules;
  return {};
}

/// Nothing where no file names them.
Result<std::shared_ptr<const loadgen::NamedKeys>> read_keys(const LoadArguments& arguments) {
  std::shared_ptr<const loadgen::NamedKeys> none;
  if (arguments.keys_from.empty()) return none;
  auto named = loadgen::read_named_keys(arguments.keys_from);
  if (!named) return named.error();
  return std::make_shared<const loadgen::NamedKeys>(std::move(*named));
}

Result<loadgen::Workload> read_workload(const LoadArguments& arguments) {
  const auto format = read_format(arguments.format);
  if (!format) return format.error();
  auto sizes = loadgen::ValueSizes::parse(arguments.value_sizes);
  if (!sizes) return sizes.error();
  const auto choice = loadgen::KeyChoice::parse(arguments.key_choice);
  if (!choice) return choice.error();
  const auto named = read_keys(arguments);
  if (!named) return named.error();
  const auto keys = *named ? static_cast<std::uint32_t>((*named)->names.size()) : arguments.keys;
  return loadgen::Workload{.readings = format->readings,
                           .width = format->width,
                           .mix = mix_of(arguments, format->dialect()),
                           .keys = keys,
                           .key_prefix = prefix_of(arguments),
                           .key_choice = *choice,
                           .named_keys = *named,
                           .value_sizes = std::move(*sizes),
                           .subscribers = arguments.subscribers,
                           .seed = arguments.seed};
}

Result<void> read_durations(const LoadArguments& arguments, LoadOptions& options) {
  const auto duration =
      loadgen::parse_duration(arguments.duration.empty() ? usual_duration : arguments.duration);
  if (!duration) return duration.error();
  const auto warmup = loadgen::parse_duration(arguments.warmup);
  if (!warmup) return warmup.error();
  const auto timeout = loadgen::parse_duration(arguments.timeout);
  if (!timeout) return timeout.error();
  const auto lag_bound = loadgen::parse_duration(arguments.lag_bound);
  if (!lag_bound) return lag_bound.error();
  if (duration->count() == 0) return loadgen::Error{"--duration 0; allowed: more than 0"};
  if (timeout->count() == 0) return loadgen::Error{"--timeout 0; allowed: more than 0"};
  options.duration = *duration;
  options.warmup = *warmup;
  options.timeout = *timeout;
  options.lag_bound = *lag_bound;
  return {};
}

Result<void> check_ranges(const LoadArguments& arguments) {
  const Result<void> checks[] = {
      in_range("--connections", arguments.connections, 1U, most_connections),
      in_range("--threads", arguments.threads, 1U, most_threads),
      in_range("--depth", arguments.depth, 1U, most_depth),
      in_range("--subscribers", arguments.subscribers, 0U, most_connections),
      in_range("--receive-buffer", arguments.receive_buffer, std::uint64_t{1},
               most_receive_buffer)};
  for (const auto& check : checks) {
    if (!check) return check;
  }
  return {};
}

Result<Objectives> read_objectives(const LoadArguments& arguments) {
  if (arguments.slo.empty()) return Objectives{};
  auto objectives = reports::parse_objectives(arguments.slo);
  if (!objectives) return loadgen::Error{objectives.error().message};
  for (const reports::Objective& one : *objectives) {
    if (arguments.closed && one.metric == "rate")
      return loadgen::Error{"--slo rate: a closed loop is asked for none; allowed: throughput"};
  }
  return std::move(*objectives);
}

/// The URL of a store may hold a password.
std::string shown(const std::string& target) {
  const auto address = is_store(target) ? stores::parse_address(target)
                                        : stores::Result<stores::Address>(stores::Error{});
  return address ? stores::to_string(*address) : target;
}

/// What is for streams alone.
Result<void> read_streams(const LoadArguments& arguments, LoadOptions& options) {
  const bool streams = !options.store && !loadgen::of_datagrams(options.target);
  const std::pair<bool, std::string_view> given[] = {
      {arguments.requests_per_connection != 0, "--requests-per-connection"},
      {arguments.churn != 0, "--churn"},
      {arguments.stages, "--stages"},
      {arguments.subscribers != 0, "--subscribers"},
      {!arguments.keys_from.empty(), "--keys-from"}};
  for (const auto& [is_given, flag] : given) {
    if (is_given && !streams)
      return loadgen::Error{fmt::format("{} is for tcp:// and unix:// targets; '{}' is neither",
                                        flag, arguments.target)};
  }
  if (!(arguments.churn >= 0 && arguments.churn <= most_churn))
    return loadgen::Error{
        fmt::format("--churn {}; allowed: 0 to {} per second", arguments.churn, most_churn)};
  options.churn = {arguments.requests_per_connection, arguments.churn};
  options.staged = arguments.stages;
  return {};
}

Result<LoadOptions> read(const LoadArguments& arguments) {
  // A store is no target: it is reached through `LoadOptions::store`.
  const auto target = is_store(arguments.target) ? Result<loadgen::Target>(loadgen::UnixTarget{})
                                                 : loadgen::parse_target(arguments.target);
  if (!target) return target.error();
  const auto workload = read_workload(arguments);
  if (!workload) return workload.error();
  const auto profile = profile_named(arguments.format.profile);
  if (!profile) return profile.error();
  LoadOptions options{.target_text = shown(arguments.target),
                      .target = *target,
                      .workload = *workload,
                      .profile = *profile};
  options.closed = arguments.closed;
  options.depth = arguments.depth;
  options.connections = arguments.connections;
  options.threads = arguments.threads;
  for (const auto& step : {check_ranges(arguments), read_durations(arguments, options),
                           read_arrivals(arguments, options), read_replay(arguments, options),
                           read_store(arguments, options), read_datagram(arguments, options),
                           read_streams(arguments, options)}) {
    if (!step) return step.error();
  }
  return options;
}

std::string live_text(const reports::SecondSample& sample) {
  const auto time = [](std::optional<std::uint64_t> ns) {
    return ns ? reports::human_duration(std::chrono::nanoseconds(*ns)) : "unknown";
  };
  return fmt::format("{:>4} s  {} sent/s  {} answered/s  {} errors  p50 {}  p99 {}  max {}",
                     sample.second + 1, reports::grouped(sample.sent),
                     reports::grouped(sample.completed), reports::grouped(sample.errors),
                     time(sample.p50), time(sample.p99), time(sample.max));
}

/// Runs with a line a second: in place on a terminal, one below the other where `live` asks for it.
Result<reports::LoadResult> run_watched(const LoadOptions& options, bool live,
                                        std::ostream* interval_log) {
  const bool terminal = reports::is_terminal(stderr);
  reports::ProgressLine line{stderr, terminal && !live, reports::style_for(stderr).width,
                             std::chrono::milliseconds(0)};
  loadgen::LoadOutputs outputs;
  outputs.interval_log = interval_log;
  outputs.second = [&](const reports::SecondSample& sample) {
    if (live) {
      fmt::print(stderr, "{}\n", live_text(sample));
    } else {
      line.update(live_text(sample));
    }
  };
  return loadgen::run_load(options, outputs);
}

ExitCode report(const LoadArguments& arguments, const Objectives& objectives,
                reports::LoadResult& result) {
  result.header.version = HALLMARK_VERSION;
  result.objectives = reports::judge(objectives, result);
  const auto code = reports::exit_code(result);
  fmt::print("{}", reports::render_terminal(result, reports::style_for(stdout)));
  if (arguments.json.empty()) return code;
  const auto written = reports::write_file_atomically(arguments.json, reports::render_json(result));
  if (written) return code;
  complain(written.error().message);
  return ExitCode::unreachable_or_harness_error;
}

ExitCode refuse(const std::string& message, ExitCode code) {
  complain(message);
  return code;
}

ExitCode measure(const LoadArguments& arguments, const LoadOptions& options,
                 const Objectives& objectives) {
  std::ofstream interval_log;
  if (!arguments.hlog.empty()) {
    interval_log.open(arguments.hlog, std::ios::trunc);
    if (!interval_log) {
      return refuse(fmt::format("cannot write {}", arguments.hlog),
                    ExitCode::unreachable_or_harness_error);
    }
  }
  auto result =
      run_watched(options, arguments.live, arguments.hlog.empty() ? nullptr : &interval_log);
  if (!result) return refuse(result.error().message, ExitCode::usage);
  if (interval_log.is_open() && !interval_log.flush()) {
    complain(fmt::format("cannot write {}", arguments.hlog));
    report(arguments, objectives, *result);
    return ExitCode::unreachable_or_harness_error;
  }
  return report(arguments, objectives, *result);
}

ExitCode run(LoadArguments arguments) {
  if (leave_open(arguments.format)) {
    auto format = settled(arguments.format, arguments.target, identifying_takes_at_most);
    if (!format) {
      return refuse(format.error().message, ExitCode::unreachable_or_harness_error);
    }
    arguments.format = std::move(*format);
  }
  const auto options = read(arguments);
  if (!options) return refuse(options.error().message, ExitCode::usage);
  const auto objectives = read_objectives(arguments);
  if (!objectives) return refuse(objectives.error().message, ExitCode::usage);
  return measure(arguments, *options, *objectives);
}

void add_what(CLI::App& command, LoadArguments& arguments) {
  command
      .add_option(
          "TARGET", arguments.target,
          "tcp://HOST:PORT, udp://HOST:PORT or unix:///PATH; redis://… or postgres://… for\n"
          "limiters whose states are in a store")
      ->required();
  add_format_options(command, arguments.format, "the target", Automatic::format);
  command.add_option("--mix", arguments.mix,
                     fmt::format("Operations and their weights [{}; of ratelimit-udp {}]",
                                 usual_mix, usual_datagram_mix));
  auto* keys =
      command.add_option("--keys", arguments.keys, "Keys of each kind")->capture_default_str();
  auto* choice = command
                     .add_option("--key-choice", arguments.key_choice,
                                 "uniform, sequential, zipf:0.99, or hotspot:1%=90%: so many of "
                                 "the keys\nget so many of the requests")
                     ->capture_default_str();
  command
      .add_option("--keys-from", arguments.keys_from,
                  "Over tcp:// and unix://: keys, a line each, used in this order over and over")
      ->type_name("FILE")
      ->excludes(keys)
      ->excludes(choice);
  command.add_option("--key-prefix", arguments.key_prefix,
                     fmt::format("What all keys start with [{}; on a store {}]", usual_prefix,
                                 usual_store_prefix));
  command
      .add_option("--key-pattern", arguments.key_patterns,
                  "Over udp://: a key, in which {} stands for digits; several share the uses")
      ->type_name("TEXT")
      ->take_all();
  command
      .add_option("--rules", arguments.rules,
                  "Over udp://: the target's rule file; its keys are used and held to their limits")
      ->type_name("FILE");
  command
      .add_option("--value-bytes", arguments.value_sizes,
                  "Size of values and payloads: 64; 16..1024; 64=90,4096=10 with weights;\n"
                  "lognormal:256,1.5 by median and sigma. A key keeps its size")
      ->capture_default_str();
  command
      .add_option("--subscribers", arguments.subscribers,
                  "Over tcp:// and unix://: connections that receive what is published")
      ->capture_default_str();
  command.add_option("--seed", arguments.seed, "Same seed, same requests")->capture_default_str();
}

void add_when(CLI::App& command, LoadArguments& arguments) {
  auto* closed = command.add_flag(
      "--closed", arguments.closed,
      "Closed loop: a request is sent when a reply has come; hides what a slow target costs");
  command.add_option("--depth", arguments.depth, "Closed loop: requests in flight per connection")
      ->needs(closed)
      ->capture_default_str();
  command
      .add_option("--rate", arguments.rate,
                  "Open loop: requests per second in all, such as 50k; 1k..50k for a ramp;\n"
                  "1k@5s,10k@5s for steps, 50k@100ms,0@900ms for bursts, over and over again")
      ->excludes(closed)
      ->capture_default_str();
  command
      .add_option("--replay", arguments.replay,
                  "Open loop: when requests are sent, a line each, in seconds")
      ->type_name("FILE")
      ->excludes(closed)
      ->excludes(command.get_option("--rate"));
  command.add_option("--arrivals", arguments.arrivals, "Open loop: constant or poisson")
      ->excludes(closed)
      ->excludes(command.get_option("--replay"))
      ->capture_default_str();
  command.add_option("--connections", arguments.connections)->capture_default_str();
  command.add_option("--threads", arguments.threads)->capture_default_str();
  command
      .add_option("--requests-per-connection", arguments.requests_per_connection,
                  "Over tcp:// and unix://: after so many a connection is replaced; 0: never")
      ->capture_default_str();
  command
      .add_option("--churn", arguments.churn,
                  "Over tcp:// and unix://: connections to replace per second, of all")
      ->capture_default_str();
  command.add_option(
      "--duration", arguments.duration,
      fmt::format("Of the measured part, such as 10s, 1.5m [{}; of a replay all]", usual_duration));
  command.add_option("--warmup", arguments.warmup, "Before it, sent but not counted")
      ->capture_default_str();
  command.add_option("--timeout", arguments.timeout, "For a reply, from its planned send")
      ->capture_default_str();
  command
      .add_option("--lag-bound", arguments.lag_bound,
                  "Open loop: 99 % of the requests leave within so much of their plan, or the run\n"
                  "is inconclusive (exit code 4)")
      ->excludes(closed)
      ->capture_default_str();
  command
      .add_option("--receive-buffer", arguments.receive_buffer,
                  "Over udp://: bytes to ask the system for, of each socket")
      ->capture_default_str();
}

void add_outputs(CLI::App& command, LoadArguments& arguments) {
  command
      .add_option("--slo", arguments.slo,
                  "What the run has to show, such as p99<5ms,errors<0.01%,rate>=0.99; exit code 1\n"
                  "where it does not, 4 where the client was too busy to say")
      ->type_name("OBJECTIVES");
  command.add_flag("--stages", arguments.stages,
                   "Over tcp://: where the time of each request went, by the times of the kernel");
  command.add_flag("--live", arguments.live, "A line a second even where stderr is no terminal");
  command.add_option("--json", arguments.json, "Write the result as JSON")->type_name("FILE");
  command.add_option("--hlog", arguments.hlog, "Write an HdrHistogram V2 interval log")
      ->type_name("FILE");
}

}  // namespace

void add_load_command(CLI::App& app, int& exit_code) {
  auto* command = app.add_subcommand("load", "Send requests at a rate and measure the replies");
  const auto arguments = std::make_shared<LoadArguments>();
  add_what(*command, *arguments);
  add_store_options(*command, arguments->store);
  add_when(*command, *arguments);
  add_outputs(*command, *arguments);
  command->footer(
      "An open loop is the default: requests are sent when they are planned, whatever the target\n"
      "does, and latency counts from the planned send.\n\n"
      "Examples:\n"
      "  hallmark load tcp://127.0.0.1:9000 --width u16 --rate 50000 --connections 64\n"
      "  hallmark load tcp://127.0.0.1:9000 --dialect auto --width auto --rate 20000\n"
      "  hallmark load tcp://127.0.0.1:9000 --mix query=90,update=9,insert=1 --arrivals poisson\n"
      "  hallmark load tcp://127.0.0.1:9000 --rate 1k..50k --duration 1m\n"
      "  hallmark load tcp://127.0.0.1:9000 --rate 20k --slo 'p99<5ms,errors<0.01%,rate>=0.99'\n"
      "  hallmark load tcp://127.0.0.1:9000 --dialect throttr-2.0 --profile literal --rate 20000\n"
      "  hallmark load unix:///run/throttr.sock --closed --depth 64 --mix query=1 --json run.json\n"
      "  hallmark load udp://127.0.0.1:2000 --dialect ratelimit-udp --rate 50k --timeout 100ms\n"
      "  hallmark load udp://127.0.0.1:2000 --dialect ratelimit-udp --rules FILE --rate 5k\n"
      "  hallmark load udp://127.0.0.1:2000 --dialect ratelimit-udp --closed --depth 64\n"
      "  hallmark load redis://127.0.0.1 --strategy token-bucket:burst=10,rate=5 --rate 20k");
  command->callback([command, arguments, &exit_code] {
    follow_target(*command, arguments->target, arguments->format);
    exit_code = static_cast<int>(run(*arguments));
  });
}

}  // namespace hallmark::cli
