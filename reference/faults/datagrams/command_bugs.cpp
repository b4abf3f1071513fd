#include <algorithm>

#include "reference/faults/bugs.hpp"
#include "reference/faults/datagrams/datagram_fault.hpp"

namespace hallmark::faults {
namespace {

/// The command behind the id of a request is read as something else.
Code of_command(std::string (*change)(const std::string& rest)) {
  return datagrams([change](std::string_view request, const RightReply& right, DatagramMemory&) {
    const auto [id, rest] = parts_of(request);
    return right(id + change(rest));
  });
}

}  // namespace

Bugs command_bugs() {
  return {
      {.id = "commands.error-reply",
       .breaks = "what is not recognised is answered with error",
       .violates = {{"ratelimit-udp", {"commands.unrecognised"}}},
       .code = datagrams([](std::string_view request, const RightReply& right, DatagramMemory&) {
         const std::string reply = right(request);
         return reply.empty() ? "error" : reply;
       })},
      {.id = "commands.by-prefix",
       .breaks = "whatever starts with ping is answered with pong",
       .violates = {{"ratelimit-udp", {"commands.unrecognised"}}},
       .code = of_command(
           [](const std::string& rest) { return rest.starts_with("ping") ? "ping" : rest; })},
      {.id = "commands.ignore-case",
       .breaks = "commands in capitals are recognised",
       .violates = {{"ratelimit-udp", {"commands.unrecognised"}}},
       .code = of_command([](const std::string& rest) {
         const std::size_t command = std::min(rest.find(' '), rest.size());
         return small(rest.substr(0, command)) + rest.substr(command);
       })},
      {.id = "commands.blanks-before",
       .breaks = "blanks before a command are skipped",
       .violates = {{"ratelimit-udp", {"request.form", "commands.unrecognised"}}},
       .code = of_command([](const std::string& rest) {
         return rest.substr(std::min(rest.find_first_not_of(' '), rest.size()));
       })},
      {.id = "commands.no-id-before-over_limit",
       .breaks = "over_limit is not recognised behind an id",
       .violates = {{"ratelimit-udp", {"request.form"}}},
       .code = of_datagram([](std::string_view request) {
         const auto [id, rest] = parts_of(request);
         return !id.empty() && rest.starts_with("over_limit") ? "" : std::string(request);
       })},
      {.id = "keys.end-at-a-space",
       .breaks = "a key ends at its first space",
       .violates = {{"ratelimit-udp", {"silence.udp-key"}}},
       .code = of_command([](const std::string& rest) {
         const std::size_t key = rest.find(' ');
         return key == std::string::npos ? rest : rest.substr(0, rest.find(' ', key + 1));
       })},
  };
}

}  // namespace hallmark::faults
