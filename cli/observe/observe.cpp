#include <fmt/format.h>
#include <fmt/ranges.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <csignal>
#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/output_file.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/decode/format_options.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/complaint.hpp"
#include "observe/observation_report.hpp"
#include "observe/session.hpp"
#include "protocol/dialects.hpp"
#include "reports/result.hpp"

namespace hallmark::cli {
namespace {

using base::Error;
using base::Result;
using observe::Session;
using reports::ExitCode;

constexpr std::chrono::milliseconds redraw_every{50};
constexpr std::uint64_t mebibyte = 1 << 20;

struct ObserveArguments {
  std::string listen = "tcp://127.0.0.1:0";
  std::string target;
  FormatArguments format;
  std::uint64_t queue = 16;
  std::uint64_t most_clients = 4096;
  std::string json;
  std::string packets;
};

/// The output on a terminal while the observation lasts; used by two threads.
class LiveFindings {
 public:
  void tell(const observe::FindingGroup& group) {
    const std::lock_guard lock(mutex_);
    progress_.clear();
    fmt::print("{}", observe::render_first(group, reports::style_for(stdout)));
    std::fflush(stdout);
  }

  void show(const Session& session) {
    const auto& relayed = session.relayed();
    const auto& observed = session.observed();
    std::string line =
        fmt::format("{} open · {} requests · {} replies · {}", base::grouped(relayed.open),
                    base::grouped(observed.requests), base::grouped(observed.replies),
                    base::counted(observed.violations, "violation", "violations"));
    if (relayed.missed_bytes > 0)
      line += fmt::format(" · {} bytes not looked at", base::grouped(relayed.missed_bytes));
    const std::lock_guard lock(mutex_);
    progress_.update(line);
  }

  void clear() {
    const std::lock_guard lock(mutex_);
    progress_.clear();
  }

 private:
  std::mutex mutex_;
  reports::ProgressLines progress_{stderr};
};

ExitCode cannot_go_on(const Error& error) {
  return refuse("observe", error.message, ExitCode::unreachable_or_harness_error);
}

std::vector<std::string_view> sent_dialects() {
  std::vector<std::string_view> names;
  for (const protocol::Dialect* const one : protocol::all_dialects)
    if (one->transport != protocol::Transport::at_rest) names.push_back(one->name);
  return names;
}

/// Both ends have to be of the transport that the dialect has.
Result<void> check_transport(const observe::SessionOptions& options, const Format& spoken) {
  const bool datagrams = spoken.dialect().transport == protocol::Transport::datagram;
  if (spoken.dialect().transport == protocol::Transport::at_rest) {
    return Error{fmt::format("--dialect {}: its states are not sent over a network; allowed: {}",
                             spoken.dialect().name, fmt::join(sent_dialects(), ", "))};
  }
  const auto check = [&](const char* option, const observe::Endpoint& endpoint) -> Result<void> {
    if (observe::is_datagram(endpoint) == datagrams) return {};
    return Error{fmt::format("{} {}: {} is spoken over {}; allowed: {}", option,
                             base::to_string(endpoint), spoken.dialect().name,
                             datagrams ? "UDP" : "streams",
                             datagrams ? "udp://HOST:PORT" : "tcp://HOST:PORT, unix:///PATH")};
  };
  if (const auto listen = check("--listen", options.listen); !listen) return listen;
  return check("--target", options.target);
}

Result<observe::SessionOptions> read_session_options(const ObserveArguments& arguments,
                                                     const Format& spoken) {
  const auto listen =
      base::parse_endpoint<observe::Endpoint>(arguments.listen, base::Ports::to_listen);
  if (!listen) return Error{fmt::format("--listen: {}", listen.error().message)};
  const auto target = base::parse_endpoint<observe::Endpoint>(arguments.target);
  if (!target) return Error{fmt::format("--target: {}", target.error().message)};
  observe::SessionOptions options;
  options.listen = *listen;
  options.target = *target;
  options.queue_bytes = arguments.queue * mebibyte;
  options.most_clients = arguments.most_clients;
  if (const auto checked = check_transport(options, spoken); !checked) return checked.error();
  return options;
}

/// Notices SIGINT and SIGTERM from its making on: a signal must not find a session half started and
/// leave a socket behind.
class Watch {
 public:
  /// Shows the session's progress until a signal comes; a second one then ends the process at once.
  void wait(const Session& session, LiveFindings& live) {
    signals_.async_wait([this](const boost::system::error_code&, int) { context_.stop(); });
    redraw(session, live);
    context_.run();
    signals_.clear();
    live.clear();
  }

 private:
  void redraw(const Session& session, LiveFindings& live) {
    live.show(session);
    timer_.expires_after(redraw_every);
    timer_.async_wait([&](const boost::system::error_code&) { redraw(session, live); });
  }

  boost::asio::io_context context_;
  boost::asio::signal_set signals_{context_, SIGINT, SIGTERM};
  boost::asio::steady_timer timer_{context_};
};

ExitCode report(const ObserveArguments& arguments, const observe::Observation& seen,
                std::optional<pcapng::Writer>& packets) {
  ExitCode code = seen.violation_count() > 0 ? ExitCode::failures : ExitCode::as_expected;
  fmt::print("\n{}", observe::render_terminal(seen, reports::style_for(stdout)));
  if (packets) {
    const auto written = packets->commit();
    if (!written) code = reports::worst(code, cannot_go_on(written.error()));
  }
  if (arguments.json.empty()) return code;
  const auto written = base::write_file(
      arguments.json, observe::render_json(seen, HALLMARK_VERSION, static_cast<int>(code)));
  return written ? code : reports::worst(code, cannot_go_on(written.error()));
}

void describe(const ObserveArguments& arguments, const Format& spoken, observe::Observation& seen) {
  seen.dialect = spoken.dialect().name;
  if (spoken.width != protocol::Width::none) seen.width = protocol::name_of(spoken.width);
  seen.profile = arguments.format.profile;
  seen.readings = arguments.format.readings;
  seen.target = arguments.target;
}

ExitCode run(const ObserveArguments& arguments) {
  const auto spoken = read_format(arguments.format);
  if (!spoken) return refuse("observe", spoken.error().message);
  auto options = read_session_options(arguments, *spoken);
  if (!options) return refuse("observe", options.error().message);
  const captures::Format format(spoken->width, spoken->readings);
  std::optional<pcapng::Writer> packets;
  if (!arguments.packets.empty()) {
    auto opened = pcapng::Writer::create(arguments.packets, "hallmark " HALLMARK_VERSION);
    if (!opened) return cannot_go_on(opened.error());
    packets.emplace(std::move(*opened));
    options->observer.packets = &*packets;
  }
  LiveFindings live;
  options->observer.on_first = [&live](const auto& group) { live.tell(group); };
  const auto started = std::chrono::system_clock::now();
  options->observer.epoch = started.time_since_epoch();
  Watch watch;
  Session session(format);
  if (const auto listening = session.listen(*options); !listening)
    return refuse("observe", listening.error().message);
  if (const auto reached = session.reach_target(); !reached) return cannot_go_on(reached.error());
  session.start();
  fmt::print("listening on {}\n", session.listens_on());
  std::fflush(stdout);
  watch.wait(session, live);
  session.stop();
  observe::Observation seen = session.observation();
  describe(arguments, *spoken, seen);
  seen.started = std::chrono::floor<std::chrono::milliseconds>(started);
  seen.duration = std::chrono::system_clock::now() - started;
  return report(arguments, seen, packets);
}

constexpr const char* observe_footer =
    "Prints `listening on ENDPOINT`, then passes on between clients and the target, unchanged,\n"
    "until SIGINT or SIGTERM. What passes is decoded beside that; what could not be decoded in\n"
    "time is counted as not looked at, and nothing is concluded from it.\n\n"
    "Exit code 0: no violation was seen; 1: one was; 2: usage, or the address to listen at is in\n"
    "use; 3: the target cannot be reached, or a file cannot be written.\n\n"
    "Examples:\n"
    "  hallmark observe --listen tcp://127.0.0.1:9001 --target tcp://127.0.0.1:9000\n"
    "  hallmark observe --listen unix:///run/observed.sock --target unix:///run/throttr.sock\n"
    "  hallmark observe --listen udp://127.0.0.1:2001 --target udp://127.0.0.1:2000\n"
    "  hallmark observe --target tcp://127.0.0.1:9000 --width u32 --json seen.json --pcap "
    "seen.pcapng";

void add_observe_options(Command& command, ObserveArguments& arguments) {
  command
      .add_option("--listen", arguments.listen,
                  "tcp://HOST:PORT, unix:///PATH or udp://HOST:PORT; port 0 lets the system choose")
      ->type_name("ENDPOINT")
      ->capture_default_str();
  command
      .add_option("--target", arguments.target,
                  "The server: tcp:// and unix:// go with each other, udp:// with itself")
      ->type_name("ENDPOINT")
      ->required();
  add_format_options(command, arguments.format, "the target", Follows::datagrams);
  command
      .add_option("--queue", arguments.queue,
                  "MiB of what passed that may wait to be decoded; beyond: not looked at")
      ->range(std::uint64_t{1}, std::uint64_t{4096})
      ->capture_default_str()
      ->type_name("N");
  command
      .add_option("--max-clients", arguments.most_clients,
                  "Clients of UDP at a time. Beyond: the one idle the longest is forgotten")
      ->range(std::uint64_t{1}, std::uint64_t{1'000'000})
      ->capture_default_str()
      ->type_name("N");
  command.add_output("--json", arguments.json, "Write the report as JSON at the end");
  command.add_output("--pcap", arguments.packets,
                     "Write all that passed as a pcapng capture, violations as comments");
}

}  // namespace

void add_observe_command(Command& app, int& exit_code) {
  auto* command = app.add_subcommand(
      "observe", "Pass on between clients and a server, and name what either does wrong");
  const auto arguments = std::make_shared<ObserveArguments>();
  add_observe_options(*command, *arguments);
  command->footer(observe_footer);
  command->callback([command, arguments, &exit_code] {
    follow_target(*command, arguments->target, arguments->format);
    // A target of UDP is observed over UDP, on a port that the system chooses.
    if (command->count("--listen") == 0 &&
        base::has_scheme_of<base::UdpEndpoint>(arguments->target))
      arguments->listen = "udp://127.0.0.1:0";
    exit_code = static_cast<int>(run(*arguments));
  });
}

}  // namespace hallmark::cli
