#include "conformance/suites/throttr/cases.hpp"

#include <fmt/format.h>

#include "conformance/suites/throttr/support.hpp"

namespace hallmark::conformance {
namespace {

using protocol::Level;
using Entry = protocol::MessageView::Entry;

std::string entry_is(const Entry& entry, std::uint64_t key_type, std::uint64_t ttl_type,
                     std::uint64_t used) {
  if (entry.number("key_type") != key_type)
    return fmt::format("key_type {}, expected {}", entry.number("key_type"), key_type);
  if (entry.number("ttl_type") != ttl_type)
    return fmt::format("ttl_type {}, expected {}", entry.number("ttl_type"), ttl_type);
  // 6.0 may leave it out.
  if (entry.find("bytes_used") != nullptr && entry.number("bytes_used") != used)
    return fmt::format("bytes_used {}, expected {}", entry.number("bytes_used"), used);
  return {};
}

void both_kinds(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string counter = stage.key("counter");
  const std::string buffer = stage.key("buffer");
  connection.ask(insert(counter, 3, minute), success());
  connection.ask(set(buffer, "value", {TtlUnit::minutes, 2}), success());
  const Message list = connection.ask(bare("LIST"));
  expect_fragments(connection, list);
  const auto width = protocol::bytes_of(stage.format().width());
  expect_listed_once(connection, list, "keys", "key", counter,
                     [&](const Entry& e) { return entry_is(e, 0, 4, width); });
  expect_listed_once(connection, list, "keys", "key", buffer,
                     [&](const Entry& e) { return entry_is(e, 1, 5, 5); });
}

void forgets_purged(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string stays = stage.key("stays");
  const std::string goes = stage.key("goes");
  connection.ask(insert(stays, 1), success());
  connection.ask(insert(goes, 1), success());
  connection.ask(purge(goes), success());
  const Message list = connection.ask(bare("LIST"));
  expect_not_listed(connection, list, "keys", "key", goes);
  expect_listed_once(connection, list, "keys", "key", stays);
}

void forgets_expired(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string stays = stage.key("stays");
  const std::string goes = stage.key("goes");
  const Ttl brief{TtlUnit::milliseconds, 40};
  connection.ask(insert(stays, 1), success());
  const Message made = connection.ask(insert(goes, 1, brief), success());
  const Expiry expiry = expiry_of(made.window(), brief);
  stage.wait_until(expiry.latest);
  if (stage.reads({"expired-when", "scheduler"}))
    expect_over(stage, connection, query(goes), expiry);
  for (const protocol::MessageName operation :
       std::initializer_list<protocol::MessageName>{"LIST", "STATS"}) {
    if (!stage.format().has(operation)) continue;
    const Message listing = connection.ask(bare(operation));
    expect_not_listed(connection, listing, "keys", "key", goes);
    expect_listed_once(connection, listing, "keys", "key", stays);
  }
}

/// 300 keys do not fit the fragments of released servers.
void many(Stage& stage) {
  Conversation& connection = stage.connection();
  std::vector<std::string> keys;
  std::vector<Outgoing> requests;
  for (int i = 0; i < 300; ++i) {
    keys.push_back(stage.key(fmt::format("{:03}", i)));
    requests.push_back(encoded(stage.format(), insert(keys.back(), 1, minute)));
  }
  connection.send_together(requests);
  for (std::size_t i = 0; i < requests.size(); ++i) connection.reply(success());
  for (const protocol::MessageName operation :
       std::initializer_list<protocol::MessageName>{"LIST", "STATS"}) {
    if (!stage.format().has(operation)) continue;
    const Message listing = connection.ask(bare(operation));
    expect_fragments(connection, listing);
    for (const std::string& key : keys) expect_listed_once(connection, listing, "keys", "key", key);
  }
}

/// TIMESTAMP of INFO before and after the INSERT encloses the server's clock.
void time_points(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Time before = connection.ask(bare("INFO")).number_or("timestamp", 0);
  connection.ask(insert(key, 1, minute), success());
  const Time after = connection.ask(bare("INFO")).number_or("timestamp", 0);
  const Message list = connection.ask(bare("LIST"));
  expect_listed_once(connection, list, "keys", "key", key, [&](const Entry& entry) -> std::string {
    const Time point = entry.number("time_point");
    const Time least = before * ns_per_second + minute.length();
    const Time most = (after + 1) * ns_per_second + minute.length();
    if (point >= least && point < most) return {};
    return fmt::format("time_point {}, expected {} to {}", point, least, most);
  });
}

/// Returns the record's time point as LIST tells it.
Time time_point_of(Conversation& connection, const std::string& key) {
  const Message list = connection.ask(bare("LIST"));
  Time point = 0;
  expect_listed_once(connection, list, "keys", "key", key, [&](const Entry& entry) {
    point = entry.number("time_point");
    return std::string();
  });
  return point;
}

/// Whatever clock time points are of: they are as far apart as the TTLs and the two requests.
void time_points_apart(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string one = stage.key("one");
  const std::string other = stage.key("other");
  const Message first = connection.ask(insert(one, 1, minute), success());
  const Message last = connection.ask(insert(other, 1, {TtlUnit::seconds, 120}), success());
  const vectors::Elapsed between = elapsed_between(first.window(), last.window());
  const auto expect = [&](Time difference, Time least, Time most) {
    if (difference >= least && difference <= most) return;
    stage.fail(fmt::format("LIST: two time points are {} apart, expected {} to {}", difference,
                           least, most));
  };
  expect(time_point_of(connection, other) - time_point_of(connection, one),
         60 * ns_per_second + between.least, 60 * ns_per_second + between.most);
  connection.ask(update(one, Attribute::ttl, Change::increase, 90), success());
  expect(time_point_of(connection, one) - time_point_of(connection, other),
         30 * ns_per_second - between.most, 30 * ns_per_second - between.least);
}

}  // namespace

BehaviourCases list_cases() {
  return {
      {"list/both-kinds",
       "LIST holds a counter and a buffer once each, with type, unit and size",
       "LIST",
       Level::must,
       {"list.code", "list.fragments", "list.fragment-head", "list.entry", "list.names-last",
        "list.both-kinds", "silence.key-types", "silence.bytes-used", "silence.status-prefix",
        "silence.list-bytes-used", "silence.fragments", "reply.status-first"},
       both_kinds},
      {"list/forgets-purged",
       "LIST does not hold what was purged",
       "LIST",
       Level::must,
       {"list.both-kinds", "purge.removes"},
       forgets_purged},
      {"list/forgets-expired",
       "LIST and STATS do not hold what has expired",
       "LIST",
       Level::must,
       {"ttl.expires", "silence.expired-when"},
       forgets_expired},
      {"list/many-keys",
       "LIST and STATS of many keys hold each once",
       "LIST",
       Level::must,
       {"list.fragments", "list.names-last", "stats.fragments", "stats.names-last",
        "silence.fragments"},
       many},
      {"list/time-points",
       "the time point is now and the TTL, on the clock of INFO",
       "LIST",
       Level::should,
       {"record.time-point", "silence.time-units"},
       time_points,
       {.operations = {"INFO"}}},
      {"list/time-points-apart",
       "time points are as far apart as the TTLs, and move with them",
       "LIST",
       Level::should,
       {"record.time-point", "silence.time-units", "update.ttl-reschedules"},
       time_points_apart},
  };
}

}  // namespace hallmark::conformance
