#include <fmt/format.h>

#include <algorithm>

#include "conformance/drivers/datagram/datagram_case.hpp"
#include "conformance/judgement/field_code.hpp"
#include "protocol/codec/encode.hpp"

namespace hallmark::conformance {
namespace {

using base::to_bytes;
using protocol::Level;
using protocol::Record;

constexpr std::size_t in_flight = 32;

Record of_key(std::string_view key) { return {{"key", to_bytes(key)}}; }

Letter letter(Attempt& attempt, const protocol::Operation& operation, Record fields,
              const std::string& id) {
  const auto& format = attempt.format();
  fields.set("request_id", to_bytes(id));
  const protocol::Layout layout = format.request(operation);
  return {protocol::encode(layout, fields).value(), id, layout, format.reply(operation)};
}

/// A path that doubles every datagram is none: then the target does.
void answered_once(Attempt& attempt) {
  for (std::size_t i = 0; i < in_flight; ++i) attempt.ask("ping");
  attempt.settle();
  const std::size_t repeated = attempt.mail().repeated();
  if (repeated == 0) return;
  if (repeated * 2 >= in_flight)
    attempt.fail_for_certain(
        {.kind = Code::Kind::surplus},
        fmt::format("{} pings were answered {} times more than once", in_flight, repeated));
  end_case(reports::Verdict::indeterminate,
           fmt::format("{} replies came twice, which the network may have done", repeated));
}

/// So few are under way at a time that no buffer overflows between Hallmark and a target on the
/// same machine: that loses what is missing. The buffer does overflow if the target answers each
/// of them many times.
void every_ping_answered(Attempt& attempt) {
  constexpr int rounds = 128;
  constexpr std::size_t at_a_time = 4;
  constexpr std::size_t most_lost = 2;
  constexpr std::size_t most_repeated = 128;  ///< in a round; a buffer holds some 270
  if (!attempt.context().started_here())
    attempt.skip("on its way to a target elsewhere a reply may get lost: runs with exec:");
  const protocol::Operation& ping = attempt.format().operation("ping");
  std::size_t lost = 0;
  for (int round = 0; round < rounds; ++round) {
    const std::size_t repeated_before = attempt.mail().repeated();
    std::vector<Correspondence::Ticket> asked;
    for (std::size_t i = 0; i < at_a_time; ++i)
      asked.push_back(attempt.mail().send(letter(attempt, ping, {}, attempt.mail().new_id())));
    attempt.settle();
    if (attempt.mail().repeated() - repeated_before > most_repeated)
      attempt.skip("the target answers a ping so often that replies to others may be crowded out");
    for (const auto ticket : asked) {
      if (attempt.mail().reply_to(ticket) != nullptr) continue;
      attempt.mail().give_up(ticket);
      ++lost;
    }
  }
  if (lost > most_lost)
    attempt.fail_for_certain(
        {.kind = Code::Kind::silent, .message = "ping"},
        fmt::format("{} of {} pings were not answered, and others behind them were", lost,
                    rounds * at_a_time));
}

/// All requests are sent before the first reply is read.
void in_flight_together(Attempt& attempt) {
  const protocol::Operation& stats = attempt.format().operation("get_stats");
  std::vector<std::pair<Correspondence::Ticket, std::string>> asked;
  for (std::size_t i = 0; i < in_flight; ++i) {
    const std::string key = attempt.own_key(std::to_string(i));
    asked.emplace_back(
        attempt.mail().send(letter(attempt, stats, of_key(key), attempt.mail().new_id())), key);
  }
  attempt.settle();
  std::size_t answered = 0;
  for (const auto& [ticket, key] : asked) {
    const Received* const received = attempt.mail().reply_to(ticket);
    if (received == nullptr) {
      attempt.mail().give_up(ticket);
      continue;
    }
    ++answered;
    const auto layout = attempt.format().reply(stats);
    const auto reply = protocol::decode(layout, received->bytes);
    if (!reply)
      attempt.fail(code_of_malformed(layout, reply.error()),
                   fmt::format("a reply to get_stats is malformed: {} {}", reply.error().field,
                               reply.error().reason));
    const auto& echoed = std::get<base::Bytes>(*reply->find("key"));
    if (base::as_text(echoed) != key)
      attempt.fail({.kind = Code::Kind::wrong_recipient, .message = "get_stats"},
                   "the reply to one request carries the key of another");
  }
  // Few may get lost on their way; most do not.
  if (answered * 2 < in_flight) throw Unanswered{"get_stats", false};
}

/// A reply must not reach any socket but the one that asked.
void answers_go_where_the_request_came_from(Attempt& attempt) {
  auto link = attempt.context().network.open();
  if (!link) end_unreachable(link.error());
  Correspondence other(attempt.context(), attempt.evidence(), "c2", std::move(*link));
  const protocol::Operation& ping = attempt.format().operation("ping");
  for (std::size_t i = 0; i < in_flight; ++i) {
    const auto ticket = other.send(letter(attempt, ping, {}, other.new_id()));
    attempt.ask("ping");
    attempt.settle();
    other.take_arrived();
    if (other.reply_to(ticket) == nullptr) other.give_up(ticket);
  }
  if (other.stray() != nullptr)
    attempt.fail({.kind = Code::Kind::wrong_recipient},
                 "a socket got the reply to what another one asked");
}

void unknown_requests_change_nothing(Attempt& attempt) {
  const std::string key = attempt.own_key();
  const auto before = attempt.ask("get_stats", of_key(key));
  for (const std::string_view wrong : {"OVER_LIMIT ", "over_limits ", " over_limit "})
    attempt.expect_silence(to_bytes(std::string(wrong) + key));
  const auto after = attempt.ask("get_stats", of_key(key));
  attempt.judge(after, {is("n_req", before.number("n_req")), is("n_over", before.number("n_over")),
                        any("last_max_rate"), is("key", key)});
}

void same_id_again(Attempt& attempt) {
  const std::string first = attempt.own_key("first");
  const std::string second = attempt.own_key("second");
  const std::string id = attempt.mail().new_id();
  attempt.ask_exactly("get_stats", to_bytes(fmt::format("{} get_stats {}", id, first)), id);
  // A socket of its own could not tell the second reply from the first one again.
  Correspondence& other = attempt.further_socket("c2");
  const protocol::Operation& stats = attempt.format().operation("get_stats");
  const auto ticket = other.send(letter(attempt, stats, of_key(second), id));
  attempt.settle();
  const auto reply = attempt.reply_on(other, ticket, "get_stats");
  if (!reply) throw Unanswered{"get_stats", false};
  attempt.require(base::as_text(reply->view().bytes_of("key")) == second,
                  "a request with an id that was used before is not answered for itself");
}

void statistics_of_an_unused_key(Attempt& attempt) {
  const std::string key = attempt.own_key();
  const Message reply = attempt.ask("get_stats", of_key(key));
  attempt.judge(reply, {is("n_req", 0), is("n_over", 0), is("last_max_rate", 0), is("key", key)});
}

void describes_the_limit(Attempt& attempt) {
  const std::string key = attempt.own_key();
  const Message first = attempt.ask("over_limit", of_key(key));
  const Message second = attempt.ask("over_limit", of_key(key));
  attempt.require(first.number("limit") == second.number("limit") &&
                      first.number("period") == second.number("period"),
                  "two uses of one key are told different limits");
  attempt.require(first.number("period") > 0, "the period is 0 seconds");
}

}  // namespace

DatagramCases transaction_cases(const std::string& prefix) {
  DatagramCases cases;
  const auto add = [&](std::string_view name, std::string_view title,
                       protocol::MessageName operation, Level level,
                       std::vector<std::string> clauses, auto run,
                       Danger danger = Danger::documented) {
    cases.push_back({{fmt::format("{}/behaviour/{}", prefix, name), std::string(title),
                      std::string(operation), level, std::move(clauses), Delivery::whole, danger},
                     run});
  };
  add("transactions/answered-once", "pings, one after the other", "ping", Level::must,
      {"transaction.one-reply"}, answered_once);
  add("transactions/all-answered", "pings, a few at a time, all have their reply", "ping",
      Level::should, {"transaction.one-reply"}, every_ping_answered);
  add("transactions/in-flight-together", "requests of many keys before the first reply is read",
      "get_stats", Level::must, {"transaction.independent", "id.repeated", "get_stats.key"},
      in_flight_together);
  add("transactions/to-its-sender", "requests from two sockets by turns", "ping", Level::must,
      {"transaction.one-reply"}, answers_go_where_the_request_came_from);
  add("transactions/same-id-again", "one id for two requests of different sockets", "get_stats",
      Level::must, {"transaction.independent", "id.repeated"}, same_id_again);
  add("transactions/unknown-changes-nothing", "requests that are nearly over_limit", "over_limit",
      Level::must, {"commands.unrecognised"}, unknown_requests_change_nothing, Danger::unlisted);
  add("statistics/unused-key", "statistics of a key that nobody used", "get_stats", Level::should,
      {"get_stats.format", "get_stats.key", "silence.statistics"}, statistics_of_an_unused_key);
  add("limits/described-alike", "two uses of one key", "over_limit", Level::must,
      {"over_limit.describes", "over_limit.format"}, describes_the_limit);
  return cases;
}

}  // namespace hallmark::conformance
