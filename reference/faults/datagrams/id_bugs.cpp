#include <charconv>
#include <limits>

#include "reference/faults/bugs.hpp"
#include "reference/faults/datagrams/datagram_fault.hpp"

namespace hallmark::faults {
namespace {

/// Replies start with another id, told with its space; `memory` is between requests. A target whose
/// pings are spoilt would not be taken for one of this dialect at all, so some bugs spare them.
Code of_id(std::string (*spoilt)(std::string& id, std::string& memory), bool spares_pings = false) {
  return datagrams([=](std::string_view request, const RightReply& right, DatagramMemory& memory) {
    const std::string reply = right(request);
    if (reply.empty()) return reply;
    auto [id, rest] = parts_of(reply);
    const std::string spoilt_id = spoilt(id, memory.text);
    return spares_pings && rest == "pong" ? reply : spoilt_id + rest;
  });
}

template <class Number>
std::pair<Number, std::errc> number_in(const std::string& id) {
  Number number = 0;
  const auto error = std::from_chars(id.data(), id.data() + id.size(), number).ec;
  return {number, error};
}

}  // namespace

Bugs id_bugs() {
  return {
      {.id = "id.missing",
       .breaks = "replies never start with an id",
       .violates = {{"ratelimit-udp", {"id.repeated"}}},
       .code = of_id([](std::string&, std::string&) { return std::string(); }, true),
       .settles = "which id a reply starts with"},
      {.id = "id.of-the-last-request",
       .breaks = "replies start with the id of the request before",
       .violates = {{"ratelimit-udp", {"id.repeated", "transaction.independent"}}},
       .code = of_id(
           [](std::string& id, std::string& last) {
             std::swap(id, last);
             return id;
           },
           true),
       .settles = "which id a reply starts with"},
      {.id = "id.without-space",
       .breaks = "no space stands between the id and the reply",
       .violates = {{"ratelimit-udp", {"id.repeated"}}},
       .code = of_id(
           [](std::string& id, std::string&) {
             if (!id.empty()) id.pop_back();
             return id;
           },
           true),
       .settles = "which id a reply starts with"},
      {.id = "id.always",
       .breaks = "the reply to a request without an id starts with 0",
       .violates = {{"ratelimit-udp", {"id.none"}}},
       .code = of_id([](std::string& id, std::string&) { return id.empty() ? "0 " : id; }),
       .settles = "which id a reply starts with"},
      {.id = "id.number",
       .breaks = "an id is read as a number, and written without its leading zeros",
       .violates = {{"ratelimit-udp", {"silence.udp-id"}}},
       .code = of_id([](std::string& id, std::string&) {
         return id.empty() ? id : id.substr(std::min(id.find_first_not_of('0'), id.size() - 2));
       }),
       .settles = "which id a reply starts with"},
      {.id = "id.zero-is-none",
       .breaks = "an id of 0 is taken for none",
       .violates = {{"ratelimit-udp", {"id.repeated"}}},
       .code = of_id([](std::string& id, std::string&) { return id == "0 " ? "" : id; }),
       .settles = "which id a reply starts with"},
      {.id = "id.of-64-bits",
       .breaks = "an id beyond 64 bits is repeated as the largest of 64 bits",
       .violates = {{"ratelimit-udp", {"id.repeated"}}},
       .code = of_id([](std::string& id, std::string&) {
         const bool beyond = number_in<std::uint64_t>(id).second == std::errc::result_out_of_range;
         return beyond ? std::to_string(std::numeric_limits<std::uint64_t>::max()) + " " : id;
       }),
       .settles = "which id a reply starts with"},
      {.id = "id.of-16-bits",
       .breaks = "of an id of 32 bits its last 16 are repeated",
       .violates = {{"ratelimit-udp", {"id.repeated"}}},
       .code = of_id([](std::string& id, std::string&) {
         const auto [number, error] = number_in<std::uint32_t>(id);
         const bool wider =
             error == std::errc() && number > std::numeric_limits<std::uint16_t>::max();
         return wider ? std::to_string(static_cast<std::uint16_t>(number)) + " " : id;
       }),
       .settles = "which id a reply starts with"},
      {.id = "id.negative",
       .breaks = "an id may be negative",
       .violates = {{"ratelimit-udp", {"id.non-negative", "commands.unrecognised"}}},
       .code = datagrams([](std::string_view request, const RightReply& right, DatagramMemory&) {
         if (!request.starts_with('-')) return right(request);
         const std::string reply = right(request.substr(1));
         return reply.empty() ? reply : "-" + reply;
       })},
  };
}

}  // namespace hallmark::faults
