#include <csignal>

#include "reference/faults/bugs.hpp"
#include "reference/faults/faults.hpp"
#include "reference/faults/processes/endings.hpp"

namespace hallmark::faults {
namespace {

constexpr std::size_t long_request = 800;
constexpr std::size_t long_id = 20;

}  // namespace

Bugs datagram_process_bugs() {
  return {
      {.id = "death.of-long-datagram",
       .breaks = "a request of more than 800 bytes is a segmentation fault",
       .violates = {{"ratelimit-udp", {"silence.long-request"}}},
       .code = of_datagram([](std::string_view request) {
         if (request.size() > long_request) die_of(SIGSEGV);
         return std::string(request);
       })},
      {.id = "death.of-empty-datagram",
       .breaks = "a datagram of no bytes ends the process with exit code 1",
       .violates = {{"ratelimit-udp", {"commands.unrecognised"}}},
       .code = of_datagram([](std::string_view request) {
         if (request.empty()) exit_at_once();
         return std::string(request);
       })},
      {.id = "hang.spins-on-newline",
       .breaks = "a newline in a request keeps the process busy for ever",
       .violates = {{"ratelimit-udp", {"silence.key-newline"}}},
       .code = of_datagram([](std::string_view request) {
         if (request.find('\n') != std::string_view::npos) spin();
         return std::string(request);
       })},
      {.id = "hang.sleeps-on-long-id",
       .breaks = "after a request whose id has more than 20 digits the process waits for ever",
       .violates = {{"ratelimit-udp", {"id.repeated"}}},
       .code = of_datagram([](std::string_view request) {
         if (parts_of(request).id.size() > long_id + 1) sleep_for_ever();
         return std::string(request);
       })},
      {.id = "loss.every-10th-datagram",
       .breaks = "every tenth reply is lost",
       .violates = {{"ratelimit-udp", {"transaction.one-reply"}}},
       .code =
           datagrams([](std::string_view request, const RightReply& right, DatagramMemory& memory) {
             const std::string reply = right(request);
             return ++memory.number % 10 == 0 ? "" : reply;
           })},
  };
}

}  // namespace hallmark::faults
