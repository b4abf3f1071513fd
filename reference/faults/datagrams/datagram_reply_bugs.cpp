#include <algorithm>

#include "reference/faults/bugs.hpp"
#include "reference/faults/faults.hpp"

namespace hallmark::faults {
namespace {

/// Something follows every reply but those to pings: a target whose pings are spoilt would not be
/// taken for one of this dialect at all.
Code of_end(const std::string& end) {
  return datagrams([end](std::string_view request, const RightReply& right, DatagramMemory&) {
    const std::string reply = right(request);
    return reply.empty() || parts_of(reply).rest == "pong" ? reply : reply + end;
  });
}

/// Answers to over_limit: ok, verdict, rate, limit, period.
Code of_over_limit(void (*spoil)(std::string& text)) {
  return datagrams([spoil](std::string_view request, const RightReply& right, DatagramMemory&) {
    auto [id, rest] = parts_of(right(request));
    if (rest.starts_with("ok ") && rest.size() > 3) spoil(rest);
    return id + rest;
  });
}

/// The places of the spaces before the last two words.
struct LastWords {
  std::size_t limit;
  std::size_t period;
};
LastWords words_of(const std::string& text) {
  const std::size_t period = text.rfind(' ');
  return {text.rfind(' ', period - 1), period};
}

/// The key that get_stats tells; `memory` is between requests.
Code of_told_key(void (*spoil)(std::string& key, std::string& memory)) {
  return datagrams(
      [spoil](std::string_view request, const RightReply& right, DatagramMemory& memory) {
        const std::string reply = right(request);
        const std::size_t key = reply.find(" key=");
        if (key == std::string::npos || !parts_of(reply).rest.starts_with("n_req=")) return reply;
        std::string told = reply.substr(key + 5);
        spoil(told, memory.text);
        return reply.substr(0, key + 5) + told;
      });
}

}  // namespace

Bugs datagram_reply_bugs() {
  return {
      {.id = "reply.twice",
       .breaks = "every reply is sent twice",
       .violates = {{"ratelimit-udp", {"transaction.one-reply"}}},
       .code = [](Faults& faults) { faults.transport.copies = 2; }},
      {.id = "race.senders-mixed",
       .breaks = "replies to datagrams that are read together all go to who sent the last of them",
       .violates = {{"ratelimit-udp", {"transaction.one-reply", "transaction.independent"}}},
       .code =
           [](Faults& faults) {
             faults.transport.pause = std::chrono::milliseconds(2);
             faults.transport.to_last_sender = true;
           }},
      {.id = "reply.newline",
       .breaks = "replies end with a newline",
       .violates = {{"ratelimit-udp", {"over_limit.format", "get_size.format"}}},
       .code = of_end("\n"),
       .settles = "how a reply ends"},
      {.id = "reply.nul",
       .breaks = "replies end with a zero byte",
       .violates = {{"ratelimit-udp", {"over_limit.format"}}},
       .code = of_end(std::string(1, '\0')),
       .settles = "how a reply ends"},
      {.id = "ping.capitals",
       .breaks = "ping is answered with PONG",
       .violates = {{"ratelimit-udp", {"ping.pong"}}},
       .code = of_rest([](std::string& text) {
         if (text == "pong") text = "PONG";
       })},
      {.id = "over.inverted",
       .breaks = "a key that is over its limit gets N and others Y",
       .violates = {{"ratelimit-udp", {"over_limit.verdict"}}},
       .code = of_over_limit([](std::string& text) { text[3] = text[3] == 'Y' ? 'N' : 'Y'; }),
       .settles = "which letter a verdict is"},
      {.id = "over.small-letters",
       .breaks = "verdicts are y and n",
       .violates = {{"ratelimit-udp", {"over_limit.format"}}},
       .code = of_over_limit([](std::string& text) { text[3] = text[3] == 'Y' ? 'y' : 'n'; }),
       .settles = "which letter a verdict is"},
      {.id = "over.two-decimals",
       .breaks = "rates have two decimals",
       .violates = {{"ratelimit-udp", {"over_limit.format"}}},
       .code = of_over_limit([](std::string& text) { text.insert(words_of(text).limit, "0"); })},
      {.id = "over.limit-and-period-swapped",
       .breaks = "the period is told before the limit",
       .violates = {{"ratelimit-udp", {"over_limit.describes", "over_limit.format"}}},
       .code = of_over_limit([](std::string& text) {
         const auto [limit, period] = words_of(text);
         text = text.substr(0, limit) + text.substr(period) + text.substr(limit, period - limit);
       }),
       .settles = "which words follow the verdict"},
      {.id = "over.without-period",
       .breaks = "the period is not told",
       .violates = {{"ratelimit-udp", {"over_limit.format"}}},
       .code = of_over_limit([](std::string& text) { text.resize(words_of(text).period); }),
       .settles = "which words follow the verdict"},
      {.id = "keys.small-letters",
       .breaks = "keys are told in small letters",
       .violates = {{"ratelimit-udp", {"get_stats.key"}}},
       .code = of_told_key([](std::string& key, std::string&) { key = small(key); }),
       .settles = "which key get_stats tells"},
      {.id = "stats.without-key",
       .breaks = "the key is not told",
       .violates = {{"ratelimit-udp", {"get_stats.format"}}},
       .code = of_rest([](std::string& text) {
         if (text.starts_with("n_req=")) text.resize(std::min(text.find(" key="), text.size()));
       }),
       .settles = "which key get_stats tells"},
      {.id = "stats.of-the-last-key",
       .breaks = "get_stats tells the key of the request before",
       .violates = {{"ratelimit-udp", {"get_stats.key", "transaction.independent"}}},
       .code = of_told_key([](std::string& key, std::string& last) { std::swap(key, last); }),
       .settles = "which key get_stats tells"},
      {.id = "size.without-keys",
       .breaks = "get_size does not tell the number of keys",
       .violates = {{"ratelimit-udp", {"get_size.format"}}},
       .code = of_rest([](std::string& text) {
         if (text.starts_with("size=")) text.resize(text.find(' '));
       }),
       .settles = "what get_size tells of keys"},
      {.id = "size.negative",
       .breaks = "get_size tells a negative number of keys",
       .violates = {{"ratelimit-udp", {"get_size.format"}}},
       .code = of_rest([](std::string& text) {
         const std::size_t keys = text.find(" keys=");
         if (keys != std::string::npos) text.insert(keys + 6, "-");
       }),
       .settles = "what get_size tells of keys"},
      {.id = "stats.field-varies",
       .breaks = "every second reply to get_stats calls its second field otherwise",
       .violates = {{"ratelimit-udp", {"get_stats.format"}}},
       .code =
           datagrams([](std::string_view request, const RightReply& right, DatagramMemory& memory) {
             std::string reply = right(request);
             const std::size_t field = reply.find(" n_over=");
             if (field != std::string::npos && ++memory.number % 2 == 0)
               reply.replace(field, 8, " n_denied=");
             return reply;
           })},
  };
}

}  // namespace hallmark::faults
