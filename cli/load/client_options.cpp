#include "cli/load/client_options.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>

#include "cli/options/command_line.hpp"

namespace hallmark::cli {
namespace {

using base::Error;

bool is_address(const std::string& text) {
  in6_addr bytes{};  // room for either
  return inet_pton(AF_INET, text.c_str(), &bytes) == 1 ||
         inet_pton(AF_INET6, text.c_str(), &bytes) == 1;
}

}  // namespace

void add_client_options(Command& command, ClientArguments& arguments) {
  command
      .add_option("--max-in-flight", arguments.most_in_flight,
                  "Open loop: a request that is due while so many wait on its connection fails;\n"
                  "0: as many as memory allows")
      ->excludes(command.get_option("--closed"))
      ->capture_default_str();
  command.add_flag("--pin", arguments.pinned,
                   "Keep each thread on a processor of its own, as far as there are enough");
  command.add_flag("--spin", arguments.spinning,
                   "Threads never sleep: each takes a whole processor, and is never woken late");
  command
      .add_option("--from", arguments.sources,
                  "Addresses of this machine to connect from, taken in turn: each has some 28,000\n"
                  "ports for a target")
      ->type_name("ADDRESS");
  command.advanced({"--max-in-flight", "--pin", "--spin", "--from"});
}

base::Result<void> read_client_options(const ClientArguments& arguments,
                                       loadgen::LoadOptions& options) {
  for (const std::string& source : arguments.sources) {
    if (!is_address(source))
      return Error{
          fmt::format("--from {}: expected an IPv4 or IPv6 address of this machine, such "
                      "as 127.0.0.2",
                      source)};
  }
  const bool local = std::holds_alternative<base::UnixEndpoint>(options.target);
  if (!arguments.sources.empty() && (options.store || local))
    return Error{fmt::format("--from is for tcp:// and udp:// targets; '{}' is neither",
                             options.target_text)};
  if (arguments.most_in_flight != 0 && options.store)
    return Error{"--max-in-flight is not for stores: a connection decides one request at a time"};
  options.most_in_flight = arguments.most_in_flight;
  options.pinned = arguments.pinned;
  options.spinning = arguments.spinning;
  options.sources = arguments.sources;
  return {};
}

}  // namespace hallmark::cli
