#include "conformance/cases/cases.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/cases/support.hpp"

namespace hallmark::conformance {
namespace {

using protocol::as_text;
using protocol::Level;
using Entry = protocol::MessageView::Entry;

void stable_id(Stage& stage) {
  Conversation& connection = stage.connection();
  const protocol::Bytes id = id_of(connection);
  connection.ask(bare("WHOAMI"), {is("status", 1), is("id", as_text(id))});
  connection.ask(insert(stage.key("k"), 1), success());
  connection.ask(bare("WHOAMI"), {is("status", 1), is("id", as_text(id))});
}

void different_ids(Stage& stage) {
  const protocol::Bytes first = id_of(stage.connection("c1"));
  const protocol::Bytes second = id_of(stage.connection("c2"));
  stage.require(first != second, "WHOAMI: two connections have one id");
  stage.close("c2");
  stage.require(id_of(stage.connection("c3")) != first,
                "WHOAMI: a new connection has the id of another that is open");
}

void found_by_id(Stage& stage) {
  Conversation& connection = stage.connection("c1");
  const protocol::Bytes other = id_of(stage.connection("c2"));
  for (const protocol::Bytes& id : {id_of(connection), other}) {
    const Message found = connection.ask(conformance::connection(id));
    if (!found.succeeded())
      connection.refuse(found, "status", "success",
                        "CONNECTION does not find an id that WHOAMI gave");
    if (found.bytes_of("id") != id)
      connection.refuse(found, "id", "the id asked for",
                        "CONNECTION answers with another id than asked for");
  }
}

void unknown_id(Stage& stage) {
  Conversation& connection = stage.connection();
  protocol::Bytes id = id_of(connection);
  for (std::uint8_t& byte : id) byte = static_cast<std::uint8_t>(~byte);
  connection.ask(conformance::connection(id), failure());
  connection.ask(conformance::connection(protocol::Bytes(16, 0)), failure());
}

/// All requests of a connection of its own are known: its entry has to count them exactly.
void counts_own(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  const auto ask = [&](const Request& request) {
    sent += encoded(stage.format(), request).bytes.size();
    const Message reply = connection.ask(request);
    received += reply.bytes().size();
    return reply;
  };
  const protocol::Bytes id = ask(bare("WHOAMI")).bytes_of("id");
  ask(insert(key, 1));
  for (int i = 0; i < 3; ++i) ask(query(key));
  for (int i = 0; i < 2; ++i) ask(update(key, Attribute::quota, Change::increase, 1));
  ask(get(key));
  const Request request = conformance::connection(id);
  const std::uint64_t before_this = sent;
  const Message found = ask(request);
  const auto expect = [&](std::string_view field, std::uint64_t least, std::uint64_t most) {
    const std::uint64_t number = found.number(field);
    if (number >= least && number <= most) return;
    connection.refuse(
        found, field,
        least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most),
        fmt::format("CONNECTION: {} is {}, expected {} to {}", field, number, least, most));
  };
  expect("insert_requests", 1, 1);
  expect("query_requests", 3, 3);
  expect("update_requests", 2, 2);
  expect("get_requests", 1, 1);
  expect("whoami_requests", 1, 1);
  expect("set_requests", 0, 0);
  expect("publish_requests", 0, 0);
  expect("connection_requests", 0, 1);
  expect("read_bytes", before_this, sent);
  expect("write_bytes", received - found.bytes().size(), received);
}

void in_connections_once(Stage& stage) {
  Conversation& connection = stage.connection("c1");
  const protocol::Bytes own = id_of(connection);
  const protocol::Bytes other = id_of(stage.connection("c2"));
  const Message all = connection.ask(bare("CONNECTIONS"));
  expect_fragments(connection, all);
  for (const protocol::Bytes& id : {own, other}) {
    expect_listed_once(connection, all, "connections", "id", as_text(id),
                       [](const Entry& entry) -> std::string {
                         return entry.number("whoami_requests") == 1
                                    ? std::string()
                                    : fmt::format("whoami_requests {}, expected 1",
                                                  entry.number("whoami_requests"));
                       });
  }
}

/// The target learns of a close when it looks; it has the run's deadline for that.
void loses_closed(Stage& stage) {
  Conversation& connection = stage.connection("c1");
  const protocol::Bytes id = id_of(stage.connection("c2"));
  const Message open = connection.ask(conformance::connection(id));
  if (!open.succeeded())
    connection.refuse(open, "status", "success", "CONNECTION does not find an open connection");
  stage.close("c2");
  const Time until = stage.now() + stage.context().patience.allowance();
  while (connection.ask(conformance::connection(id)).succeeded()) {
    if (stage.now() >= until)
      stage.fail("CONNECTION still finds a connection that was closed long ago");
    stage.wait_until(stage.now() + length_of(TtlUnit::milliseconds));
  }
  const Message all = connection.ask(bare("CONNECTIONS"));
  expect_not_listed(connection, all, "connections", "id", as_text(id));
}

void address_form(Stage& stage) {
  Conversation& connection = stage.connection();
  const Message found = connection.ask(conformance::connection(id_of(connection)));
  const protocol::Bytes ip = found.bytes_of("ip");
  const std::string text(ip.begin(), std::ranges::find(ip, 0));
  const bool padded = std::all_of(ip.begin() + static_cast<std::ptrdiff_t>(text.size()), ip.end(),
                                  [](std::uint8_t byte) { return byte == 0; });
  const bool address = text.find_first_not_of("0123456789abcdefABCDEF.:") == std::string::npos;
  if (!padded || !address)
    connection.refuse(found, "ip", "an address in text, padded with zeros",
                      "CONNECTION: ip is no address in text, padded with zeros");
}

void connected_at(Stage& stage) {
  constexpr Time second = 1'000'000'000;
  Conversation& connection = stage.connection("c1");
  const Time before = connection.ask(bare("INFO")).number("timestamp");
  const protocol::Bytes id = id_of(stage.connection("c2"));
  const Time after = connection.ask(bare("INFO")).number("timestamp");
  const Message found = connection.ask(conformance::connection(id));
  const Time point = found.number("connected_at");
  if (point >= before * second && point < (after + 1) * second) return;
  connection.refuse(found, "connected_at", "between the TIMESTAMPs of INFO before and after",
                    fmt::format("CONNECTION: connected_at is {}, expected {} to {}", point,
                                before * second, (after + 1) * second));
}

}  // namespace

BehaviourCases connections_cases() {
  return {
      {"connections/each-once",
       "CONNECTIONS holds each open connection once, with its requests",
       "CONNECTIONS",
       Level::must,
       {"connections.code", "connections.fragments", "connections.entry", "connections.counts"},
       in_connections_once},
      {"connections/loses-closed",
       "a closed connection is gone from CONNECTIONS and CONNECTION",
       "CONNECTIONS",
       Level::must,
       {"connections.fragments", "connection.missing"},
       loses_closed},
  };
}

BehaviourCases connection_cases() {
  return {
      {"connection/found-by-id",
       "CONNECTION finds what WHOAMI names",
       "CONNECTION",
       Level::must,
       {"connection.code", "connection.found", "silence.connection-id"},
       found_by_id},
      {"connection/unknown-id",
       "CONNECTION of an id that nobody has is one byte",
       "CONNECTION",
       Level::must,
       {"connection.missing"},
       unknown_id},
      {"connection/counts-its-own",
       "an entry counts the requests and bytes of its connection",
       "CONNECTION",
       Level::must,
       {"connections.counts", "connection.found"},
       counts_own},
      {"connection/address",
       "IP is text padded with zeros",
       "CONNECTION",
       Level::should,
       {"silence.ip-field"},
       address_form},
      {"connection/connected-at",
       "CONNECTED AT is on the clock of INFO",
       "CONNECTION",
       Level::should,
       {"silence.time-units"},
       connected_at},
  };
}

BehaviourCases whoami_cases() {
  return {
      {"whoami/stable",
       "the id of a connection does not change",
       "WHOAMI",
       Level::must,
       {"whoami.code", "whoami.id"},
       stable_id},
      {"whoami/different",
       "no two open connections have one id",
       "WHOAMI",
       Level::must,
       {"whoami.id"},
       different_ids},
  };
}

}  // namespace hallmark::conformance
