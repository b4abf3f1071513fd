#include "cli/certify/identified.hpp"

#include <fmt/format.h>

#include "base/random.hpp"
#include "conformance/drivers/stream/socket_network.hpp"
#include "conformance/engine/target.hpp"
#include "conformance/identify/containment.hpp"
#include "conformance/identify/identify.hpp"
#include "conformance/supervisor/process.hpp"

namespace hallmark::cli {
namespace {

using base::Error;
using base::Result;
using conformance::Asked;
using conformance::Identification;
using conformance::Process;
using conformance::SocketNetwork;
using conformance::Time;
using protocol::Profile;
using protocol::Readings;

std::string random_nonce() { return fmt::format("{:016x}", base::random_seed()); }

Identification unreachable(std::string reason) {
  Identification made;
  made.unreachable = std::move(reason);
  return made;
}

Identification ask(conformance::Network& network, const conformance::IdentifyOptions& options,
                   Depth depth) {
  return depth == Depth::layouts ? identify_layouts(network, options) : identify(network, options);
}

template <class Target>
Identification ask_at(const Target& target, const conformance::IdentifyOptions& options,
                      Depth depth) {
  const auto network = SocketNetwork::to(target);
  return network ? ask(**network, options, depth) : unreachable(network.error());
}

Identification ask_process(const base::ExecEndpoint& target,
                           const conformance::IdentifyOptions& options, Depth depth) {
  const auto process = Process::start(target);
  if (!process) return unreachable(process.error());
  const auto network = SocketNetwork::to(base::TcpEndpoint{"127.0.0.1", (*process)->port()});
  if (!network) return unreachable(network.error());
  const auto listens =
      wait_until_it_listens(**process, **network, (*network)->now() + options.deadline);
  return listens ? ask(**network, options, depth) : unreachable(listens.error());
}

/// The target's answers to the readings of the dialect that was asked for, or of its own if none
/// was; nothing if the target speaks something else.
std::optional<Readings> read_as_asked(const Asked& asked, const Identification& made) {
  if (asked.width && asked.width != made.width) return std::nullopt;
  if (asked.dialect == nullptr) return made.readings;
  return conformance::contained(*asked.dialect, *made.readings, *made.width);
}

/// The answers that are not as released servers give them, as --reading takes them.
std::vector<std::string> as_options(const Readings& readings) {
  std::vector<std::string> all;
  const Readings deployed(readings.dialect(), Profile::deployed);
  for (const protocol::Reading& one : readings.dialect().readings) {
    const std::string_view answer = readings.answer(one);
    if (answer != deployed.answer(one)) all.push_back(fmt::format("{}={}", one.id, answer));
  }
  return all;
}

}  // namespace

Result<Identification> identified(const std::string& text, std::chrono::nanoseconds deadline,
                                  Depth depth) {
  const auto target = base::parse_endpoint<conformance::Target>(text);
  if (!target) return target.error();
  if (std::holds_alternative<base::UdpEndpoint>(*target)) {
    return Error{
        "over UDP one dialect is spoken, ratelimit-udp: nothing to identify; `hallmark certify` "
        "finds out how the target reads it"};
  }
  if (std::holds_alternative<base::PipeEndpoint>(*target)) {
    return Error{
        "over pipes one dialect is spoken, ratelimit-state: nothing to identify; `hallmark "
        "certify` "
        "asks the adapter what it has"};
  }
  const conformance::IdentifyOptions options{.deadline = static_cast<Time>(deadline.count()),
                                             .nonce = random_nonce()};
  if (const auto* const tcp = std::get_if<base::TcpEndpoint>(&*target))
    return ask_at(*tcp, options, depth);
  if (const auto* const local = std::get_if<base::UnixEndpoint>(&*target))
    return ask_at(*local, options, depth);
  return ask_process(std::get<base::ExecEndpoint>(*target), options, depth);
}

Result<bool> leave_open(const FormatArguments& arguments) {
  const auto asked = read_asked(arguments);
  if (!asked) return asked.error();
  return asked->dialect == nullptr || !asked->width;
}

Result<std::optional<Settled>> settled(const FormatArguments& arguments, const std::string& target,
                                       std::chrono::nanoseconds deadline) {
  const auto asked = read_asked(arguments);
  if (!asked) return asked.error();
  const auto made = identified(target, deadline, Depth::layouts);
  if (!made) return made.error();
  if (!made->unreachable.empty()) return std::optional<Settled>();
  if (!made->known()) return Error{made->why_unknown(true)};
  const auto readings = read_as_asked(*asked, *made);
  if (!readings) return Error{made->advice()};
  Settled found{{.dialect = std::string(readings->dialect().name),
                 .width = std::string(protocol::name_of(*made->width))},
                conformance::found_line(readings->dialect(), *made->width)};
  auto& pins = found.format.readings;
  if (asked->profile) {
    found.format.profile = arguments.profile;
  } else {
    pins = as_options(*readings);
  }
  pins.insert(pins.end(), arguments.readings.begin(), arguments.readings.end());
  return std::optional(std::move(found));
}

std::string advice_on(const Format& format, const std::string& target,
                      std::chrono::nanoseconds deadline) {
  const auto made = identified(target, deadline, Depth::layouts);
  if (!made || !made->known()) return {};
  const Asked asked{.dialect = &format.dialect(), .width = format.width};
  return read_as_asked(asked, *made) ? std::string() : made->advice();
}

}  // namespace hallmark::cli
