#include "cli/certify/certify_options.hpp"

#include <fmt/format.h>

#include <chrono>

#include "base/quantity.hpp"
#include "cli/live/live_page.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/interrupt.hpp"
#include "cli/options/or_reason.hpp"

namespace hallmark::cli {
namespace {

constexpr unsigned most_jobs = 64;
constexpr std::chrono::hours longest_deadline{1};

bool is_of(const conformance::Asked& asked, protocol::Transport transport) {
  return asked.dialect != nullptr && asked.dialect->transport == transport;
}

OrReason<conformance::CertifyOptions> read_options(const CertifyArguments& arguments) {
  if (arguments.polite && arguments.exclusive)
    return "--polite is for a target that others use, --exclusive for one that nobody else uses";
  if (arguments.jobs < 1 || arguments.jobs > most_jobs) {
    return fmt::format("--jobs {}; allowed: 1 to {}", arguments.jobs, most_jobs);
  }
  const auto deadline = base::parse_duration(arguments.deadline);
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
  options.schedule.polite = arguments.polite;
  options.schedule.stop = &interruption();
  return options;
}

void add_what(Command& command, CertifyArguments& arguments) {
  command.add_option(
      "TARGET", arguments.target,
      "tcp://HOST:PORT, udp://HOST:PORT, unix:///PATH, exec:COMMAND with {port} in it (and {dir},\n"
      "a directory of its own), or "
      "pipe:COMMAND that speaks the line protocol of docs/adapter.md");
  add_format_options(command, arguments.format, "the target", Follows::target, Automatic::all);
  command
      .add_option("--vectors", arguments.vectors,
                  "Other golden vectors than those that the program carries")
      ->type_name("DIR");
  command
      .add_option("--rules", arguments.rules,
                  "ratelimit-udp: the rules of the target; without them only messages are judged")
      ->type_name("FILE");
  command
      .add_option("--estimator", arguments.estimator,
                  "ratelimit-udp: how the target estimates rates: exponential; without it rates\n"
                  "are not judged")
      ->type_name("NAME");
  command
      .add_option(
          "--key-pattern", arguments.key_patterns,
          "ratelimit-udp: keys of one rule that nobody uses, where the server takes others\n"
          "than those that Hallmark makes: {} is digits, {ip}, {ip6}, {octet}; several\n"
          "allowed, one for each rule")
      ->type_name("TEXT")
      ->allow_extra_args(false);  // what follows is not another one
}

void add_which(Command& command, CertifyArguments& arguments) {
  command.add_flag("--list", arguments.list, "Print the cases instead of playing them");
  command.add_option("--filter", arguments.filter.ids, "Cases whose id matches, with * and ?")
      ->type_name("GLOB");
  command
      .add_option("--exclude", arguments.filter.excluded,
                  "Not the cases whose id matches, whatever else chooses them")
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
  command.add_flag("--polite", arguments.polite,
                   "Others use the target: only documented requests with documented values; what "
                   "is\nnot played is said");
}

void add_how(Command& command, CertifyArguments& arguments) {
  command
      .add_option("--jobs", arguments.jobs,
                  "Cases played at a time; half as many once one has failed")
      ->capture_default_str();
  command
      .add_option("--deadline", arguments.deadline,
                  "How long a target may say nothing; the waits of a run that end so take\n"
                  "at most four times that together")
      ->capture_default_str();
  command
      .add_option("--ports", arguments.ports,
                  "exec:COMMAND gets a free one of these as its {port}; default: 10000-32000")
      ->type_name("FIRST-LAST");
  command.add_option("--seed", arguments.seed,
                     "Of names that no other run may use; default: random");
  add_verbosity_options(
      command, arguments.verbosity,
      "A line for each case when it is judged, and all failures with their bytes");
  command.add_output("--json", arguments.json, "Write the result as JSON");
  command.add_output("--html", arguments.html, "Write the result as a page");
  add_live_option(command, arguments.live);
  command.add_output("--junit", arguments.junit, "Write the result as JUnit XML");
  command.add_output("--certificate", arguments.certificate,
                     "Write every transcript and verdict, for `hallmark verify`");
  command.add_output("--pcap", arguments.packets,
                     "Write every transcript as a pcapng capture, verdicts as comments");
  command
      .add_option("--reproductions", arguments.reproductions,
                  "Cut failures down and write each as a vector file and a script of its bytes")
      ->not_empty()
      ->type_name("DIR");
  command.add_output("--tap", arguments.tap, "Write the result as TAP version 14");
  command.add_output("--badge", arguments.badge, "Write the verdict as an SVG badge");
  command.add_flag("--github", arguments.github,
                   "In a step of GitHub Actions: annotate failures, and add to the step's summary");
}

}  // namespace

void add_certify_options(Command& command, CertifyArguments& arguments) {
  add_what(command, arguments);
  add_which(command, arguments);
  add_how(command, arguments);
  add_expectation_options(command, arguments.expectations);
  command.advanced({"--vectors", "--rules", "--estimator", "--key-pattern", "--operation",
                    "--level", "--clause", "--slow", "--jobs", "--deadline", "--ports", "--seed",
                    "--live", "--reproductions", "--tap", "--badge", "--write-known-failures"});
}

OrReason<conformance::CertifyOptions> read_certify_options(const CertifyArguments& arguments) {
  auto asked = read_asked(arguments.format);
  if (!asked) return asked.error().message;
  auto options = read_options(arguments);
  if (!options) return options.error();
  options->asked = std::move(*asked);
  if (!arguments.list || !arguments.target.empty()) {
    auto target = base::parse_endpoint<conformance::Target>(arguments.target);
    if (!target) return target.error().message;
    const bool over_pipes = std::holds_alternative<base::PipeEndpoint>(*target);
    if (over_pipes != is_of(options->asked, protocol::Transport::at_rest)) {
      return fmt::format(
          "{} with --dialect {}; allowed: ratelimit-state with pipe:COMMAND, other "
          "dialects with other targets",
          arguments.target, arguments.format.dialect);
    }
    if (over_pipes && !arguments.packets.empty())
      return "--pcap is for targets that are reached over a network; pipe:COMMAND is not";
    if (over_pipes && arguments.polite)
      return "--polite is for a target that others use; pipe:COMMAND starts one of its own";
    const bool over_udp = std::holds_alternative<base::UdpEndpoint>(*target);
    if (over_udp && !is_of(options->asked, protocol::Transport::datagram)) {
      return fmt::format(
          "{} is spoken over TCP; allowed: tcp://HOST:PORT, unix:///PATH, "
          "exec:COMMAND",
          arguments.format.dialect);
    }
    auto* const started_here = std::get_if<base::ExecEndpoint>(&*target);
    if (!arguments.ports.empty()) {
      if (started_here == nullptr) return fmt::format("--ports is for exec:COMMAND targets only");
      const auto ports = base::parse_ports(arguments.ports);
      if (!ports) return "--ports: " + ports.error().message;
      started_here->ports = *ports;
    }
    options->target = std::move(*target);
  }
  return options;
}

}  // namespace hallmark::cli
