#include "cli/certify_client/client_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/quantity.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/interrupt.hpp"
#include "cli/options/names.hpp"

namespace hallmark::cli {
namespace {

constexpr unsigned most_jobs = 64;
constexpr std::chrono::hours longest_timeout{1};

base::Result<std::optional<std::chrono::nanoseconds>> read_timeout(const std::string& text) {
  if (text.empty()) return std::optional<std::chrono::nanoseconds>{};
  const auto timeout = base::parse_duration(text);
  if (!timeout) return base::Error{"--timeout: " + timeout.error().message};
  if (timeout->count() <= 0 || *timeout > longest_timeout)
    return base::Error{fmt::format("--timeout {}; allowed: more than 0, at most 1h", text)};
  return std::optional<std::chrono::nanoseconds>(*timeout);
}

base::Result<void> check_filters(const clients::RunOptions& options) {
  if (!clients::chosen(options.format, options.filters).empty()) return {};
  return base::Error{fmt::format(
      "--filter {} matches no perturbation of {}; `hallmark certify-client --list` prints them",
      fmt::join(options.filters, " "), options.format.dialect().name)};
}

}  // namespace

void add_certify_client_options(Command& command, CertifyClientArguments& arguments) {
  command.add_option("COMMAND", arguments.command,
                     "The client's own tests, after `--`: {host} and {port} in it stand for the\n"
                     "server, as do HALLMARK_HOST and HALLMARK_PORT in its environment");
  add_format_options(command, arguments.format, "the client", Follows::nothing);
  command.add_flag("--list", arguments.list, "Print the perturbations instead of playing them");
  command.add_option("--filter", arguments.filters, "Perturbations whose id matches, with * and ?")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  command.add_option("--jobs", arguments.jobs, "Runs of the command at a time")
      ->range(1U, most_jobs)
      ->capture_default_str();
  command
      .add_option("--timeout", arguments.timeout,
                  "The longest that one run of the command takes; default: ten times as long as\n"
                  "undisturbed, at least 5s")
      ->type_name("TIME");
  command.add_option("--seed", arguments.seed, "Of everything that is drawn")
      ->capture_default_str();
  add_verbosity_options(command, arguments.verbosity,
                        "A line for each perturbation when it is judged, and all that were not "
                        "judged or not met");
  command.add_output("--json", arguments.json, "Write the result as JSON");
  command.add_output("--junit", arguments.junit, "Write the result as JUnit XML");
  command.add_output("--html", arguments.html, "Write the result as a page");
  command.add_output(
      "--pcap", arguments.packets,
      "Write all that crossed the servers as a pcapng capture, changes and verdicts\n"
      "as comments");
}

base::Result<clients::RunOptions> read_certify_client_options(
    const CertifyClientArguments& arguments) {
  const auto format = read_format(arguments.format);
  if (!format) return format.error();
  if (format->dialect().transport == protocol::Transport::at_rest) {
    return base::Error{fmt::format(
        "--dialect {}: nobody sends it; allowed: a dialect that clients and servers speak",
        format->dialect().name)};
  }
  const auto profile = profile_named(arguments.format.profile);
  if (!profile) return profile.error();
  const auto timeout = read_timeout(arguments.timeout);
  if (!timeout) return timeout.error();
  if (arguments.command.empty() && !arguments.list) {
    return base::Error{
        "no command; expected the client's tests after --, such as `hallmark certify-client -- "
        "./client-tests --port {port}`"};
  }
  clients::RunOptions options{{format->width, format->readings}};
  options.profile = *profile;
  options.command = arguments.command;
  options.filters = arguments.filters;
  options.seed = arguments.seed;
  options.jobs = arguments.jobs;
  options.timeout = *timeout;
  options.stop = &interruption();
  if (const auto checked = check_filters(options); !checked) return checked.error();
  return options;
}

}  // namespace hallmark::cli
