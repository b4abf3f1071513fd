#include "e2e/hostile/targets.hpp"

namespace hallmark::e2e {
namespace {

using enum Kind;

/// Enough to see who kills and who does not; a whole suite takes its time with a target that dies.
const std::vector<std::string> some{"--filter", "*/set/typical*",     "--filter", "*/get/found*",
                                    "--filter", "*/publish/typical*", "--filter", "*/query/found*",
                                    "--filter", "*/insert/t*"};
const std::vector<std::string> few{"--filter",         "*/over_limit/*", "--filter",
                                   "*/transactions/*", "--filter",       "*/ping/o*"};

/// Servers of streams that answer nothing properly.
std::vector<HostileTarget> rude_servers() {
  return {
      {"silent", stream, "silent", 1, "silent"},
      {"deaf", stream, "deaf", 1, "silent"},
      {"never accepts", stream, "never-accepts", 3, "no answer in time"},
      {"closes", stream, "closes", 1, "closed the connection"},
      {"resets", stream, "resets", 1, "it closed the connection without a byte"},
      {"echo", stream, "echo", 1, "a key that nobody has with 02 19 00"},
      {"speaks HTTP", stream, "http", 1, "HTTP"},
      {"speaks TLS", stream, "tls", 1, "15 03 01"},
      {"greets", stream, "greets", 1, "220 mail"},
      {"random bytes 1", stream, "random:1", 1, "is no Throttr: it answered"},
      {"random bytes 2", stream, "random:2", 1, "is no Throttr: it answered"},
      {"random bytes 3", stream, "random:3", 1, "is no Throttr: it answered"},
      {"endless bytes", stream, "endless", 1, "with 01 01 01 01 01 01"},
      {"endless zeros", stream, "endless-zeros", 1, "with 00 00 00 00 00 00"},
      {"claims 2^64, stops", stream, "claims-and-stops", 1, "with 01 ff ff ff ff"},
      {"claims 2^64, trickles", stream, "claims-and-trickles", 1, "with 01 ff ff ff ff"},
      {"claims 2^64, floods", stream, "claims-and-floods", 1, "with 01 ff ff ff ff"},
      {"dies first", stream, "dies-first", 3, "exited with code 9"},
      {"never listens", stream, "no-such-behaviour", 3, "exited with code 2"},
  };
}

/// Servers of streams that spoil what they would answer properly.
std::vector<HostileTarget> spoilt_servers() {
  std::vector<HostileTarget> servers{
      {"other width", stream, "passes", 1, "throttr-7.1 u32", "throttr-7.1 u32"},
      {"other dialect", stream, "passes", 1, "throttr-2.0", "throttr-2.0 u64"},
      {"one client at a time", stream, "one-at-a-time", 1, "silent"},
      {"dies of SET", stream, "segv:5", 1, "died of it: killed by signal 11", {}, some},
      {"aborts on PUBLISH", stream, "abort:0x13", 1, "died of it: killed by signal 6", {}, some},
      {"exits on GET", stream, "exit:6", 1, "died of it: exited with code 9", {}, some},
      {"dies soon after GET", stream, "segv-later:6", 1, "killed by signal 11", {}, some},
      {"dies of INSERT", stream, "segv:1", 1, "died of it: killed by signal 11", {}, some},
      {"dies after 400 requests", stream, "dies-after:400", 1, "signal 11", {}, some},
      {"ends by itself", stream, "ends-by-itself:300", 3, "it ends by itself", {}, some},
      {"hangs at once", stream, "hangs-after:0", 1, "silent"},
      {"hangs in the middle", stream, "hangs-after:300", 1, "silent"},
      {"loses its state", stream, "restarts-after:40", 1, "closed the connection"},
      {"answers late", stream, "delays:250", 4, "too late to tell"},
      {"answers too late", stream, "delays:1000", 1, "silent"},
      {"answers twice", stream, "doubles", 1, "is no Throttr: it answered"},
      {"halves replies", stream, "halves", 1, "was silent"},
      {"floods replies", stream, "floods-replies", 1, "00 00 00 00 00"},
      {"trickles", stream, "trickles:1", 1, "was silent"},
      {"closes after 0 bytes", stream, "closes-after:0", 1, "closed"},
      {"closes after 1 byte", stream, "closes-after:1", 1, "closed"},
      {"closes after 2 bytes", stream, "closes-after:2", 1, "closed"},
      {"closes after 5 bytes", stream, "closes-after:5", 1, "closed"},
      {"closes after 9 bytes", stream, "closes-after:9", 1, "closed"},
      {"closes after 14 bytes", stream, "closes-after:14", 1, "closed"},
      {"closes after 30 bytes", stream, "closes-after:30", 1, "closed"},
      {"closes after 100 bytes", stream, "closes-after:100", 1, "closed"},
      {"closes after 1000 bytes", stream, "closes-after:1000", 1, "closed"},
  };
  for (HostileTarget& one : servers) {
    if (one.spoken.empty()) one.spoken = "throttr-7.1 u16";
  }
  return servers;
}

std::vector<HostileTarget> limiters() {
  return {
      {"UDP: silent", datagram, "silent", 3, "no answer"},
      {"UDP: hangs",
       datagram,
       "hangs-after:150",
       1,
       "the target hung during the run: hangs, sleeping",
       {},
       few},
      {"UDP: hangs of get_size", datagram, "hangs-of-size", 1,
       "after it the target hangs, sleeping"},
      {"UDP: dies of over_limit", datagram, "segv", 1, "killed by signal 11", {}, few},
      {"UDP: dies after 200", datagram, "dies-after:200", 1, "killed by signal 6", {}, few},
      {"UDP: 60 kB answers", datagram, "large", 1, "answers no request: 60000 bytes"},
      {"UDP: empty answers", datagram, "empty", 1, "answers no request: 0 bytes"},
      {"UDP: garbage", datagram, "garbage", 1, "answers no request: 9 bytes"},
      {"UDP: answers twice", datagram, "doubles", 1, "times more than once", {}, few},
      {"UDP: answers 500 times", datagram, "floods:500", 1, "times more than once", {}, few},
      {"UDP: another port", datagram, "other-port", 3, "no answer"},
      {"UDP: other ids", datagram, "other-ids", 1, "answers no request"},
      {"UDP: too late", datagram, "late:1000", 3, "no answer"},
  };
}

std::vector<HostileTarget> adapters() {
  return {
      {"pipe: endless line", lines, "endless-line:3", 1, "without an end"},
      {"pipe: no newline", lines, "no-newline:3", 1, "without a newline"},
      {"pipe: garbage", lines, "garbage:3", 1, "no JSON"},
      {"pipe: nested 200,000 deep", lines, "deep:3", 1, "no JSON"},
      {"pipe: dies after 5", lines, "segv-after:5", 1, "killed by signal 11"},
      {"pipe: exits after 5", lines, "exits-after:5", 1, "exited with code 9"},
      {"pipe: sleeps", lines, "sleeps:3", 1, "did not answer within"},
      {"pipe: ignores SIGTERM", lines, "ignores-sigterm:3", 1, "did not answer within"},
      {"pipe: closes its output", lines, "closes-output:3", 1, "closed its output"},
      {"pipe: floods its errors", lines, "floods-errors:3", 1, "did not answer within"},
      {"pipe: answers twice", lines, "two-lines:3", 1, "another answer to request"},
      {"pipe: says more", lines, "unasked:3", 1, "999999"},
      {"pipe: dies first", lines, "dies-first", 3, "exited with code 9"},
  };
}

}  // namespace

const std::vector<HostileTarget>& hostile_targets() {
  static const std::vector<HostileTarget> all = [] {
    std::vector<HostileTarget> made;
    for (const auto& part : {rude_servers(), spoilt_servers(), limiters(), adapters()})
      made.insert(made.end(), part.begin(), part.end());
    return made;
  }();
  return all;
}

}  // namespace hallmark::e2e
