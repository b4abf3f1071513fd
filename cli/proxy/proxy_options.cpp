#include "cli/proxy/proxy_options.hpp"

#include <fmt/format.h>

#include "base/quantity.hpp"
#include "cli/options/command_line.hpp"

namespace hallmark::cli {
namespace {

using base::Error;
using base::Result;
using proxy::Delay;
using proxy::FaultPlan;

constexpr std::string_view between = "..";
const std::string usual_reorder = "1%";

struct RateOption {
  const char* name;
  FaultText ProxyArguments::*text;
  double FaultPlan::*rate;
  const char* what;
};

constexpr RateOption rate_options[] = {
    {"drop", &ProxyArguments::drop, &FaultPlan::drop, "How many never arrive"},
    {"duplicate", &ProxyArguments::duplicate, &FaultPlan::duplicate,
     "How many arrive twice; the copy has a delay and damage of its own"},
    {"reorder", &ProxyArguments::reorder, &FaultPlan::reorder,
     "How many are held back until later ones of the same client have passed"},
    {"corrupt", &ProxyArguments::corrupt, &FaultPlan::corrupt, "How many have one byte changed"},
    {"truncate", &ProxyArguments::truncate, &FaultPlan::truncate, "How many lose their end"}};

/// Fails for an option that was given and cannot be read.
template <class Value, class Parse>
Result<void> read_one(const std::string& option, const std::optional<std::string>& text,
                      Parse parse, Value& value) {
  if (!text) return {};
  const auto parsed = parse(*text);
  if (!parsed) return Error{fmt::format("--{} {}", option, parsed.error().message)};
  value = *parsed;
  return {};
}

/// Into the plans of both directions; what is said of one of them goes before.
template <class Value, class Parse>
Result<void> read_fault(const std::string& name, const FaultText& text, Parse parse,
                        Value FaultPlan::*member, proxy::ProxyOptions& options) {
  Value& requests = options.requests.*member;
  Value& replies = options.replies.*member;
  if (const auto read = read_one(name, text.both, parse, requests); !read) return read;
  replies = requests;
  if (const auto read = read_one(name + "-requests", text.requests, parse, requests); !read) {
    return read;
  }
  return read_one(name + "-replies", text.replies, parse, replies);
}

Result<void> read_faults(const ProxyArguments& given, proxy::ProxyOptions& options) {
  ProxyArguments arguments = given;
  // CLI11 gives an empty text for `--reorder` alone.
  if (arguments.reorder.both && arguments.reorder.both->empty())
    arguments.reorder.both = usual_reorder;
  for (const RateOption& one : rate_options) {
    const auto read =
        read_fault(one.name, arguments.*one.text, base::parse_share, one.rate, options);
    if (!read) return read;
  }
  return read_fault("delay", arguments.delay, parse_delay, &FaultPlan::delay, options);
}

Result<void> read_reordering(const ProxyArguments& arguments, proxy::ProxyOptions& options) {
  const auto hold = base::parse_duration(arguments.reorder_hold);
  if (!hold) return Error{fmt::format("--reorder-hold: {}", hold.error().message)};
  for (FaultPlan* const plan : {&options.requests, &options.replies}) {
    plan->overtaken_by_at_most = arguments.reorder_by;
    plan->held_back_at_most = *hold;
  }
  return {};
}

void add_fault(Command& command, const std::string& name, FaultText& text, const char* type,
               const std::string& what) {
  const auto add = [&](const std::string& option, std::optional<std::string>& value,
                       const std::string& says) {
    command.add_option("--" + option, value, says)->type_name(type)->group("Faults");
  };
  add(name, text.both, what);
  add(name + "-requests", text.requests, "Of requests only");
  add(name + "-replies", text.replies, "Of replies only");
}

void add_faults(Command& command, ProxyArguments& arguments) {
  for (const RateOption& one : rate_options) {
    add_fault(command, one.name, arguments.*one.text, "RATE", one.what);
  }
  command.get_option("--reorder")
      ->expected(0, 1)
      ->type_name(fmt::format("[RATE={}]", usual_reorder));
  add_fault(command, "delay", arguments.delay, "TIME", "Of every datagram: 5ms, or 1ms..5ms");
  command
      .add_option("--reorder-by", arguments.reorder_by,
                  "One that is held back waits for 1 to N others to pass")
      ->range(1U, 1000U)
      ->capture_default_str()
      ->type_name("N")
      ->group("Faults");
  command
      .add_option("--reorder-hold", arguments.reorder_hold,
                  "The longest that it waits for them, beyond its delay")
      ->capture_default_str()
      ->type_name("TIME")
      ->group("Faults");
}

void add_limits(Command& command, ProxyArguments& arguments) {
  const auto add = [&command](const char* name, std::size_t& value, std::size_t most,
                              const char* text) {
    command.add_option(name, value, text)
        ->range(std::size_t{1}, most)
        ->capture_default_str()
        ->type_name("N")
        ->group("Limits");
  };
  add("--max-flows", arguments.max_flows, 1'000'000,
      "Clients at a time, a socket each. Beyond: the one idle the longest is forgotten");
  add("--max-held", arguments.max_held, 100'000'000,
      "Datagrams that wait. Beyond: discarded, and counted apart from those dropped");
  add("--max-held-bytes", arguments.max_held_bytes, std::size_t{1} << 40,
      "Their bytes. Beyond: the same");
}

}  // namespace

Result<Delay> parse_delay(std::string_view text) {
  const auto dots = text.find(between);
  const bool is_range = dots != std::string_view::npos;
  const auto shortest = base::parse_duration(text.substr(0, dots));
  const auto longest =
      is_range ? base::parse_duration(text.substr(dots + between.size())) : shortest;
  if (shortest && longest && *shortest <= *longest) return Delay{*shortest, *longest};
  return Error{fmt::format(
      "'{}'; allowed: a time such as 5ms, or a range such as 1ms..5ms, the shorter one first",
      text)};
}

Result<proxy::ProxyOptions> read_proxy_options(const ProxyArguments& arguments) {
  const auto listen =
      base::parse_endpoint<proxy::Endpoint>(arguments.listen, base::Ports::to_listen);
  if (!listen) return Error{fmt::format("--listen: {}", listen.error().message)};
  const auto target = base::parse_endpoint<proxy::Endpoint>(arguments.target);
  if (!target) return Error{fmt::format("--target: {}", target.error().message)};
  proxy::ProxyOptions options{.listen = *listen, .target = *target, .seed = arguments.seed};
  for (const auto read : {read_faults, read_reordering}) {
    if (const auto done = read(arguments, options); !done) return done.error();
  }
  options.held = {arguments.max_held, arguments.max_held_bytes};
  options.max_flows = arguments.max_flows;
  return options;
}

void add_proxy_options(Command& command, ProxyArguments& arguments) {
  command
      .add_option("--listen", arguments.listen,
                  "udp://host:port or udp://[ipv6]:port; port 0 lets the system choose")
      ->type_name("ENDPOINT")
      ->capture_default_str();
  command
      .add_option("--target", arguments.target, "udp://host:port; nobody has to listen there yet")
      ->type_name("ENDPOINT")
      ->required();
  command.add_option("--seed", arguments.seed, "Same seed, same faults")
      ->type_name("N")
      ->capture_default_str();
  add_faults(command, arguments);
  add_limits(command, arguments);
  command.add_output("--json", arguments.json, "Write the counts as JSON at the end");
  command.add_output("--log", arguments.log, "Write what was decided, a line of JSON per datagram");
}

}  // namespace hallmark::cli
