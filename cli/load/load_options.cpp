#include "cli/load/load_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/quantity.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/names.hpp"
#include "loadgen/arrivals/arrival_times.hpp"
#include "protocol/rules/ratelimit_rules.hpp"

namespace hallmark::cli {
namespace {

using base::Result;
using loadgen::LoadOptions;

constexpr std::string_view arrivals[] = {"constant", "poisson"};
constexpr std::uint32_t most_depth = 65'536;
constexpr std::uint32_t most_connections = 60'000;
constexpr double most_churn = 100'000;
constexpr std::uint32_t most_watched = 100'000;
constexpr std::uint32_t most_threads = 1'024;
/// Each has a thread, and histograms of its own.
constexpr std::uint32_t most_store_connections = 256;
/// The oracle keeps the admissions of each.
constexpr std::uint32_t most_store_keys = 10'000'000;
constexpr std::size_t longest_run_id = 100;
constexpr std::uint64_t most_receive_buffer = std::uint64_t{1} << 30;
constexpr std::string_view usual_duration = "10s";
constexpr std::string_view usual_probe = "1s";
constexpr std::string_view usual_mix = "query=90,update=9,insert=1";
constexpr std::string_view usual_datagram_mix = "over_limit=1";
constexpr std::string_view store_mix = "decide=1";
constexpr std::string_view usual_prefix = "load:";
constexpr std::string_view usual_store_prefix = "hallmark:";

base::Error unknown(std::string_view what, std::string_view came, const std::string& allowed) {
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
  return base::Error{fmt::format("{} {}; allowed: {} to {}", what, came, least, most)};
}

std::string mix_of(const LoadArguments& arguments, const protocol::Dialect& dialect) {
  if (!arguments.mix.empty()) return arguments.mix;
  if (base::names_store(arguments.target)) return std::string{store_mix};
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

/// Reads a file of times. They say how long the run is if no option does.
Result<void> read_replay(const LoadArguments& arguments, LoadOptions& options) {
  if (arguments.replay.empty()) return {};
  if (options.warmup.count() != 0)
    return base::Error{"--warmup is not for --replay: all of its requests are measured"};
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
  return std::string{base::names_store(arguments.target) ? usual_store_prefix : usual_prefix};
}

/// Reads the options for stores alone, and those for all targets but stores.
Result<void> read_store(const LoadArguments& arguments, LoadOptions& options) {
  if (!base::names_store(arguments.target)) {
    if (arguments.store.strategy.strategy.empty()) return {};
    return base::Error{fmt::format("--strategy is for redis:// and postgres://; '{}' is neither",
                                   arguments.target)};
  }
  if (!arguments.mix.empty()) return base::Error{"--mix is not for stores: all requests decide"};
  if (arguments.depth != 1) {
    return base::Error{"--depth is not for stores: a connection decides one request at a time"};
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

/// Reads the options for datagrams alone.
Result<void> read_datagram(const LoadArguments& arguments, LoadOptions& options) {
  const bool given = !arguments.rules.empty() || !arguments.key_patterns.empty();
  if (given && (options.store || !loadgen::of_datagrams(options.target))) {
    return base::Error{fmt::format("{} is for udp:// targets; '{}' is none",
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

/// The named keys; null if no file names them.
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
      base::parse_duration(!arguments.duration.empty() ? std::string_view(arguments.duration)
                           : arguments.search.empty()  ? usual_duration
                                                       : usual_probe);
  if (!duration) return duration.error();
  const auto warmup = base::parse_duration(arguments.warmup);
  if (!warmup) return warmup.error();
  const auto timeout = base::parse_duration(arguments.timeout);
  if (!timeout) return timeout.error();
  const auto lag_bound = base::parse_duration(arguments.lag_bound);
  if (!lag_bound) return lag_bound.error();
  if (duration->count() == 0) return base::Error{"--duration 0; allowed: more than 0"};
  if (timeout->count() == 0) return base::Error{"--timeout 0; allowed: more than 0"};
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
      in_range("--watch", arguments.watched, 0U, most_watched),
      in_range("--receive-buffer", arguments.receive_buffer, std::uint64_t{1},
               most_receive_buffer)};
  for (const auto& check : checks) {
    if (!check) return check;
  }
  return {};
}

/// The URL of a store may hold a password.
std::string shown(const std::string& target) {
  if (!base::names_store(target)) return target;
  const auto endpoint = base::parse_endpoint<stores::Address>(target);
  return endpoint ? base::to_string(*endpoint) : base::without_password(target);
}

/// `I/N`: one of several processes that are one run.
Result<void> read_share(const LoadArguments& arguments, LoadOptions& options) {
  if (arguments.share.empty()) {
    if (arguments.start_at != 0) return base::Error{"--start-at; allowed: with --share I/N"};
    return {};
  }
  unsigned number = 0;
  unsigned of = 0;
  char rest = 0;
  // NOLINTNEXTLINE(cert-err34-c): what is out of range is refused below
  const int read = std::sscanf(arguments.share.c_str(), "%u/%u%c", &number, &of, &rest);
  if (read != 2 || number < 1 || number > of || of > options.connections)
    return base::Error{
        fmt::format("--share {}; allowed: I/N, with I from 1 to N, and N at most {} connections",
                    arguments.share, options.connections)};
  if (arguments.start_at <= 0)
    return base::Error{
        "--share without a time for all to begin; say --start-at \"$(date -d '+5 sec' +%s)\""};
  if (arguments.subscribers != 0)
    return base::Error{"--share with --subscribers; allowed: one of them"};
  const std::chrono::duration<double> since(arguments.start_at);
  options.share =
      loadgen::Share{number - 1, of,
                     std::chrono::system_clock::time_point(
                         std::chrono::duration_cast<std::chrono::system_clock::duration>(since))};
  return {};
}

/// The name of a run stands in addresses and labels.
Result<void> read_run_id(const LoadArguments& arguments, LoadOptions& options) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._-").find(c) != std::string_view::npos;
  };
  if (!std::ranges::all_of(arguments.run_id, is_plain) || arguments.run_id.size() > longest_run_id)
    return base::Error{
        fmt::format("--run-id {}: expected up to {} letters, digits and ._- without blanks",
                    arguments.run_id, longest_run_id)};
  options.run_id = arguments.run_id;
  return {};
}

/// Reads the options for streams alone.
Result<void> read_streams(const LoadArguments& arguments, LoadOptions& options) {
  const bool streams = !options.store && !loadgen::of_datagrams(options.target);
  const std::pair<bool, std::string_view> given[] = {
      {arguments.requests_per_connection != 0, "--requests-per-connection"},
      {arguments.churn != 0, "--churn"},
      {arguments.stages, "--stages"},
      {!arguments.share.empty(), "--share"},
      {arguments.subscribers != 0, "--subscribers"},
      {!arguments.keys_from.empty(), "--keys-from"}};
  for (const auto& [is_given, flag] : given) {
    if (is_given && !streams)
      return base::Error{fmt::format("{} is for tcp:// and unix:// targets; '{}' is neither", flag,
                                     arguments.target)};
  }
  if (!(arguments.churn >= 0 && arguments.churn <= most_churn))
    return base::Error{
        fmt::format("--churn {}; allowed: 0 to {} per second", arguments.churn, most_churn)};
  options.churn = {arguments.requests_per_connection, arguments.churn};
  options.staged = arguments.stages;
  options.watched = arguments.watched;
  return read_share(arguments, options);
}

}  // namespace

Result<std::vector<reports::Objective>> read_objectives(std::string_view option,
                                                        std::string_view text,
                                                        const LoadArguments& arguments) {
  if (text.empty()) return std::vector<reports::Objective>{};
  auto objectives = reports::parse_objectives(text, option);
  if (!objectives) return base::Error{objectives.error().message};
  for (const reports::Objective& one : *objectives) {
    if (arguments.closed && one.metric == "rate")
      return base::Error{
          fmt::format("{} rate: a closed loop is asked for none; allowed: throughput", option)};
  }
  return std::move(*objectives);
}

Result<LoadOptions> read_load_options(const LoadArguments& arguments) {
  // A store is no target: it is reached through `LoadOptions::store`.
  const auto target = base::names_store(arguments.target)
                          ? Result<loadgen::Target>(base::UnixEndpoint{})
                          : base::parse_endpoint<loadgen::Target>(arguments.target);
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
  for (const auto& step :
       {check_ranges(arguments), read_durations(arguments, options),
        read_arrivals(arguments, options), read_replay(arguments, options),
        read_store(arguments, options), read_datagram(arguments, options),
        read_streams(arguments, options), read_client_options(arguments.client, options),
        read_run_id(arguments, options)}) {
    if (!step) return step.error();
  }
  return options;
}

namespace {

void add_what(Command& command, LoadArguments& arguments) {
  command
      .add_option(
          "TARGET", arguments.target,
          "tcp://HOST:PORT, udp://HOST:PORT or unix:///PATH; redis://… or postgres://… for\n"
          "limiters whose states are in a store")
      ->required();
  add_format_options(command, arguments.format, "the target", Follows::target, Automatic::all);
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
  command
      .add_option("--watch", arguments.watched,
                  "Over tcp:// and unix://: keys of each kind of which all requests are held\n"
                  "against each other; 0: none")
      ->capture_default_str();
  command.add_option("--seed", arguments.seed, "Same seed, same requests")->capture_default_str();
}

void add_when(Command& command, LoadArguments& arguments) {
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
  add_client_options(command, arguments.client);
  command
      .add_option(
          "--share", arguments.share,
          "Over tcp:// and unix://: one of N processes that are one run, wherever they are;\n"
          "all with the same options. `hallmark report merge` puts their results together")
      ->type_name("I/N");
  command.add_option("--start-at", arguments.start_at, "When all shares begin: seconds since 1970")
      ->type_name("SECONDS");
  command
      .add_option("--run-id", arguments.run_id,
                  "The name of the run in its results and metrics, the same for all shares")
      ->type_name("NAME");
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

}  // namespace

void add_load_options(Command& command, LoadArguments& arguments) {
  add_what(command, arguments);
  add_store_options(command, arguments.store);
  add_when(command, arguments);
  command.advanced({"--keys-from", "--key-prefix", "--key-pattern", "--rules", "--subscribers",
                    "--watch", "--seed", "--replay", "--arrivals", "--share", "--start-at",
                    "--run-id", "--requests-per-connection", "--churn", "--lag-bound",
                    "--receive-buffer"});
}

}  // namespace hallmark::cli
