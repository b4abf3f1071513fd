#include "conformance/suites/throttr/cases.hpp"

#include <fmt/format.h>

#include "conformance/suites/throttr/identity.hpp"
#include "conformance/suites/throttr/support.hpp"

namespace hallmark::conformance {
namespace {

using protocol::Level;

/// Numbers that only grow: nobody else's requests can make them too small.
class Growth {
 public:
  Growth(Conversation& connection, const Message& before, const Message& after, bool exact)
      : connection_(connection), before_(before), after_(after), exact_(exact) {}

  void of(protocol::FieldName field, std::uint64_t done) const {
    const std::uint64_t grown = after_.number_or(field, 0) - before_.number_or(field, 0);
    if (exact_ ? grown == done
               : grown >= done && after_.number_or(field, 0) >= before_.number_or(field, 0))
      return;
    connection_.refuse(
        after_, field,
        fmt::format("{}{}", exact_ ? "" : "at least ", before_.number_or(field, 0) + done),
        fmt::format("INFO: {} grew by {}, expected {}{}", field, static_cast<std::int64_t>(grown),
                    exact_ ? "" : "at least ", done));
  }

 private:
  Conversation& connection_;
  const Message& before_;
  const Message& after_;
  bool exact_;
};

/// One request of every operation, and two QUERYs more.
std::vector<Request> one_of_each(Stage& stage, const base::Bytes& id) {
  const std::string counter = stage.key("counter");
  const std::string buffer = stage.key("buffer");
  const std::string name = stage.channel("ch");
  return {insert(counter, 5),
          query(counter),
          query(counter),
          query(counter),
          update(counter, Attribute::quota, Change::increase, 1),
          set(buffer, "value"),
          get(buffer),
          stat(counter),
          bare("STATS"),
          bare("LIST"),
          subscribe(name),
          publish(stage.channel("empty"), "payload"),
          channel(name),
          bare("CHANNELS"),
          unsubscribe(name),
          bare("WHOAMI"),
          existing_connection(stage.format(), id),
          bare("CONNECTIONS"),
          purge(counter),
          purge(buffer)};
}

void count_requests(Stage& stage, bool exact) {
  Conversation& connection = stage.connection();
  const auto requests = one_of_each(stage, id_of(stage, connection));
  const Message before = connection.ask(bare("INFO"));
  std::map<protocol::MessageName, std::uint64_t> done;
  for (const Request& request : requests) {
    connection.send(request);
    if (stage.format().reply(stage.format().operation(request.operation)).sent())
      connection.reply();
    ++done[request.operation];
  }
  const Message after = connection.ask(bare("INFO"));
  const Growth growth(connection, before, after, exact);
  for (const auto& [operation, count] : done) growth.of(total_field(operation), count);
  growth.of("total_info", 1);
  growth.of("total_requests", requests.size() + 1);
}

void counts_at_least(Stage& stage) { count_requests(stage, false); }
void counts_exactly(Stage& stage) { count_requests(stage, true); }

void traffic(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  connection.ask(set(key, "0123456789"), success());
  const Message before = connection.ask(bare("INFO"));
  const Message reply = connection.ask(get(key));
  const Message after = connection.ask(bare("INFO"));
  const Growth growth(connection, before, after, false);
  growth.of("total_read_bytes", encoded(stage.format(), get(key)).bytes.size() + 1);
  growth.of("total_write_bytes", reply.bytes().size() + before.bytes().size());
}

/// Bytes written do not count as bytes read: first much goes one way, then much the other.
void directions(Stage& stage) {
  constexpr int times = 20;
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const std::string value(200, 'v');
  const Message before_writing = connection.ask(bare("INFO"));
  for (int i = 0; i < times; ++i) connection.ask(set(stage.key(fmt::format("k{}", i)), value));
  const Message after_writing = connection.ask(bare("INFO"));
  Growth(connection, before_writing, after_writing, false)
      .of("total_read_bytes", std::uint64_t{times} * value.size());
  connection.ask(set(key, value), success());
  const Message before_reading = connection.ask(bare("INFO"));
  for (int i = 0; i < times; ++i) connection.ask(get(key));
  const Message after_reading = connection.ask(bare("INFO"));
  Growth(connection, before_reading, after_reading, false)
      .of("total_write_bytes", std::uint64_t{times} * value.size());
}

/// Others may use the target too: what the case did bounds the numbers from below.
struct AtLeast {
  Conversation& connection;
  const Message& info;
  void operator()(protocol::FieldName field, std::uint64_t least) const {
    if (info.number_or(field, 0) >= least) return;
    connection.refuse(info, field, fmt::format("at least {}", least),
                      fmt::format("INFO: {} is {}, expected at least {}", field,
                                  info.number_or(field, 0), least));
  }
};

void contents(Stage& stage) {
  Conversation& connection = stage.connection();
  connection.ask(insert(stage.key("counter"), 1), success());
  connection.ask(set(stage.key("buffer"), "0123456789"), success());
  const Message info = connection.ask(bare("INFO"));
  const AtLeast at_least{connection, info};
  at_least("total_counters", 1);
  at_least("total_buffers", 1);
  at_least("total_allocated_bytes_on_buffers", 10);
  at_least("total_allocated_bytes_on_counters", protocol::bytes_of(stage.format().width()));
  const std::uint64_t sum =
      info.number_or("total_counters", 0) + info.number_or("total_buffers", 0);
  if (info.number_or("total_keys", 0) != sum) {
    connection.refuse(info, "total_keys", fmt::format("{}", sum),
                      "INFO: total_keys is not total_counters and total_buffers together");
  }
}

void contents_exactly(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string counter = stage.key("counter");
  const std::string buffer = stage.key("buffer");
  const Message before = connection.ask(bare("INFO"));
  connection.ask(insert(counter, 1), success());
  connection.ask(set(buffer, "0123456789"), success());
  const Message between = connection.ask(bare("INFO"));
  const Growth growth(connection, before, between, true);
  growth.of("total_keys", 2);
  growth.of("total_counters", 1);
  growth.of("total_buffers", 1);
  growth.of("total_allocated_bytes_on_buffers", 10);
  growth.of("total_allocated_bytes_on_counters", protocol::bytes_of(stage.format().width()));
  connection.ask(purge(counter), success());
  connection.ask(purge(buffer), success());
  const Message after = connection.ask(bare("INFO"));
  Growth(connection, before, after, true).of("total_keys", 0);
}

void presence(Stage& stage) {
  Conversation& connection = stage.connection("c1");
  stage.connection("c2").ask(subscribe(stage.channel("a")), success());
  connection.ask(subscribe(stage.channel("a")), success());
  connection.ask(subscribe(stage.channel("b")), success());
  const Message info = connection.ask(bare("INFO"));
  const AtLeast at_least{connection, info};
  at_least("total_subscriptions", 3);
  at_least("total_channels", 2);
  at_least("total_connections", 2);
}

void units(Stage& stage) {
  Conversation& connection = stage.connection();
  const Message info = connection.ask(bare("INFO"));
  const Time now = info.number_or("timestamp", 0);
  const Time since = info.number_or("running_since", 0);
  // 2001 to 2100 in seconds: no other unit gives such a number.
  if (now < 1'000'000'000 || now > 4'102'444'800) {
    connection.refuse(info, "timestamp", "seconds since the Unix epoch",
                      "INFO: timestamp is not in seconds since the Unix epoch");
  }
  if (since / ns_per_second < 1'000'000'000 || since / ns_per_second > now) {
    connection.refuse(
        info, "running_since", "nanoseconds since the Unix epoch, not after timestamp",
        "INFO: running_since is not in nanoseconds since the Unix epoch, or is after timestamp");
  }
}

void constant(Stage& stage) {
  Conversation& connection = stage.connection("c1");
  const Message first = connection.ask(bare("INFO"));
  const Message second_time = stage.connection("c2").ask(bare("INFO"));
  stage.require(first.number_or("running_since", 0) == second_time.number_or("running_since", 0),
                "INFO: running_since changed between two requests");
  stage.require(first.bytes_of("version") == second_time.bytes_of("version"),
                "INFO: version changed between two requests");
  stage.require(first.number_or("timestamp", 0) <= second_time.number_or("timestamp", 0),
                "INFO: timestamp went back");
}

/// A minute after the requests, the last full minute or the one before holds them.
void per_minute(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Time full_minute = length_of(TtlUnit::minutes);
  const Message start = connection.ask(bare("INFO"));
  // Minutes count from when the server started: the requests are put at the start of one.
  const Time into = (start.number_or("timestamp", 0) * ns_per_second -
                     start.number_or("running_since", 0) % full_minute) %
                    full_minute;
  if (into > full_minute / 2) stage.wait_until(stage.now() + full_minute - into + ns_per_second);
  const Message asked = connection.ask(insert(key, 1), success());
  for (int i = 0; i < 9; ++i) connection.ask(query(key));
  stage.wait_until(asked.window().latest + full_minute);
  const Message info = connection.ask(bare("INFO"));
  if (info.number_or("query_per_minute", 0) >= 9 && info.number_or("requests_per_minute", 0) >= 10)
    return;
  connection.refuse(info, "query_per_minute", "at least 9",
                    "INFO: a minute after 9 QUERYs query_per_minute does not count them");
}

/// These cases are played alone: others would make up for what a target does not count.
const Needs own_share{.alone = true};

}  // namespace

BehaviourCases info_cases() {
  return {
      {"info/counts-requests",
       "totals grow by at least what was asked",
       "INFO",
       Level::must,
       {"info.code", "info.layout", "info.requests", "silence.metrics"},
       counts_at_least,
       own_share},
      {"info/counts-requests-exactly",
       "totals grow by exactly what was asked",
       "INFO",
       Level::should,
       {"info.requests", "silence.metrics"},
       counts_exactly,
       {.slow = false, .exclusive = true}},
      {"info/traffic",
       "bytes read and written grow by at least what passed",
       "INFO",
       Level::must,
       {"info.traffic"},
       traffic,
       own_share},
      {"info/directions",
       "bytes written are not taken for bytes read, nor the other way round",
       "INFO",
       Level::must,
       {"info.traffic"},
       directions,
       own_share},
      {"info/contents",
       "keys, counters, buffers and their bytes are those that exist",
       "INFO",
       Level::must,
       {"info.contents"},
       contents,
       own_share},
      {"info/contents-exactly",
       "contents move by exactly what was added and removed",
       "INFO",
       Level::should,
       {"info.contents", "silence.bytes-used"},
       contents_exactly,
       {.slow = false, .exclusive = true}},
      {"info/presence",
       "subscriptions, channels and connections are counted",
       "INFO",
       Level::must,
       {"info.presence"},
       presence,
       own_share},
      {"info/units",
       "TIMESTAMP is in seconds, RUNNING SINCE in nanoseconds",
       "INFO",
       Level::should,
       {"silence.time-units"},
       units},
      {"info/constant",
       "what should not change does not",
       "INFO",
       Level::should,
       {"info.layout", "silence.time-units"},
       constant},
      {"info/per-minute",
       "numbers per minute are of the last minute",
       "INFO",
       Level::must,
       {"info.requests", "silence.metrics"},
       per_minute,
       {.slow = true, .exclusive = false}},
  };
}

}  // namespace hallmark::conformance
