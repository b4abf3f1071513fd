#include <fmt/format.h>

#include <algorithm>

#include "conformance/suites/throttr/cases.hpp"
#include "conformance/suites/throttr/identity.hpp"
#include "conformance/suites/throttr/support.hpp"

namespace hallmark::conformance {
namespace {

using base::as_text;
using protocol::Level;
using Entry = protocol::MessageView::Entry;

void stable_id(Stage& stage) {
  Conversation& connection = stage.connection();
  const base::Bytes id = id_of(stage, connection);
  connection.ask(bare("WHOAMI"), {is("status", 1), is("id", as_text(id))});
  connection.ask(insert(stage.key("k"), 1), success());
  connection.ask(bare("WHOAMI"), {is("status", 1), is("id", as_text(id))});
}

/// The place may change, what stands there may not.
void stable_by_index(Stage& stage) {
  Conversation& connection = stage.connection();
  const base::Bytes id = id_of(stage, connection);
  connection.ask(insert(stage.key("k"), 1), success());
  stage.require(id_of(stage, connection) == id,
                "WHOAMI gives the index of another connection than before");
}

void different_ids(Stage& stage) {
  const base::Bytes first = id_of(stage, stage.connection("c1"));
  const base::Bytes second = id_of(stage, stage.connection("c2"));
  stage.require(first != second, "WHOAMI: two connections have one id");
  stage.close("c2");
  stage.require(id_of(stage, stage.connection("c3")) != first,
                "WHOAMI: a new connection has the id of another that is open");
}

void found(Stage& stage) {
  Conversation& connection = stage.connection("c1");
  const base::Bytes other = id_of(stage, stage.connection("c2"));
  entry_of(stage, connection, id_of(stage, connection));
  entry_of(stage, connection, other);
}

void unknown_id(Stage& stage) {
  Conversation& connection = stage.connection();
  base::Bytes id = id_of(stage, connection);
  for (std::uint8_t& byte : id) byte = static_cast<std::uint8_t>(~byte);
  connection.ask(conformance::connection(id), failure());
  connection.ask(conformance::connection(base::Bytes(16, 0)), failure());
}

/// There is at least the connection that asks, wherever it stands.
void ends_of_indices(Stage& stage) {
  Conversation& connection = stage.connection();
  connection.ask(absent_connection(stage.format()), failure());
  const bool from_1 = first_index(stage.format()) == 1;
  const Message at_0 = connection.ask(connection_at(0));
  if (at_0.succeeded() == from_1) {
    connection.refuse(at_0, "status", from_1 ? "failure" : "success",
                      fmt::format("CONNECTION: index 0 is {}, expected indices from {}",
                                  from_1 ? "found" : "not found", first_index(stage.format())));
  }
  const Message at_1 = from_1 ? connection.ask(connection_at(1)) : at_0;
  stage.require(at_1.succeeded(), "CONNECTION does not find the first connection");
}

/// The growth of the counts in the entry of a connection.
class EntryGrowth {
 public:
  EntryGrowth(Conversation& asker, const Message& before, const Message& after)
      : asker_(asker), before_(before), after_(after) {}

  void expect(protocol::FieldName field, std::uint64_t least, std::uint64_t most) const {
    const std::uint64_t number = after_.number(field) - before_.number(field);
    if (number >= least && number <= most) return;
    asker_.refuse(
        after_, field, fmt::format("{} to {} more", least, most),
        fmt::format("CONNECTION: {} grew by {}, expected {} to {}", field, number, least, most));
  }

 private:
  Conversation& asker_;
  const Message& before_;
  const Message& after_;
};

/// The bytes that passed on a connection.
struct Passed {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  std::uint64_t last_reply = 0;

  void ask(Stage& stage, Conversation& connection, const Request& request) {
    sent += encoded(stage.format(), request).bytes.size();
    last_reply = connection.ask(request).bytes().size();
    received += last_reply;
  }
};

/// All requests of a connection of its own are known: its entry has to count them exactly.
void counts_own(Stage& stage) {
  Conversation& connection = stage.connection("c1");
  Conversation& asker = stage.connection("c2");
  const std::string key = stage.key("k");
  const base::Bytes id = id_of(stage, connection);
  const Message before = entry_of(stage, asker, id);
  Passed passed;
  const Request query_it = query(key);
  const Request add = update(key, Attribute::quota, Change::increase, 1);
  // The reply to WHOAMI is random: none comes behind it on a connection that is out of step.
  for (const Request& request :
       {insert(key, 1), query_it, query_it, query_it, add, add, get(key), bare("WHOAMI")})
    passed.ask(stage, connection, request);
  const Message after = entry_of(stage, asker, id);
  const EntryGrowth counted(asker, before, after);
  struct Expected {
    Expected(protocol::FieldName name, std::uint64_t times) : field(name), count(times) {}
    protocol::FieldName field;
    std::uint64_t count;
  };
  for (const auto& [field, count] : std::initializer_list<Expected>{{"insert_requests", 1},
                                                                    {"query_requests", 3},
                                                                    {"update_requests", 2},
                                                                    {"whoami_requests", 1},
                                                                    {"get_requests", 1},
                                                                    {"set_requests", 0},
                                                                    {"publish_requests", 0},
                                                                    {"connection_requests", 0},
                                                                    {"read_bytes", passed.sent}})
    counted.expect(field, count, count);
  // The last reply may be counted once it has left.
  counted.expect("write_bytes", passed.received - passed.last_reply, passed.received);
}

/// Returns what is wrong in CONNECTIONS with the entry of a connection that has sent so many
/// QUERYs; empty if nothing is.
std::string entry_is(const Entry& entry, std::uint64_t queries) {
  if (entry.number("query_requests") != queries) {
    return fmt::format("query_requests {}, expected {}", entry.number("query_requests"), queries);
  }
  // 7.3 tells clients from agents.
  if (entry.find("type") != nullptr && entry.number("type") != 0)
    return fmt::format("type {}, expected 0", entry.number("type"));
  return {};
}

void in_connections_once(Stage& stage) {
  Conversation& connection = stage.connection("c1");
  Conversation& other = stage.connection("c2");
  const std::string key = stage.key("k");
  const base::Bytes own_id = id_of(stage, connection);
  const base::Bytes other_id = id_of(stage, other);
  for (int i = 0; i < 2; ++i) connection.ask(query(key));
  for (int i = 0; i < 5; ++i) other.ask(query(key));
  const Message all = connection.ask(bare("CONNECTIONS"));
  expect_fragments(connection, all);
  std::vector<std::uint64_t> kinds;
  const auto expect = [&](const base::Bytes& id, std::uint64_t queries) {
    expect_listed_once(connection, all, "connections", "id", as_text(id), [&](const Entry& entry) {
      kinds.push_back(entry.number_or("kind", 0));
      return entry_is(entry, queries);
    });
  };
  expect(own_id, 2);
  expect(other_id, 5);
  stage.require(kinds.front() == kinds.back(),
                "CONNECTIONS: two connections to one address differ in kind");
}

/// The target learns of a close when it looks; it has the run's deadline for that.
void listing_loses_closed(Stage& stage) {
  Conversation& connection = stage.connection("c1");
  const base::Bytes id = id_of(stage, stage.connection("c2"));
  entry_of(stage, connection, id);
  stage.close("c2");
  const Time until = stage.now() + stage.context().allowance();
  const auto listed = [&] {
    return times_listed(connection.ask(bare("CONNECTIONS")), "connections", "id", as_text(id));
  };
  while (listed() != 0) {
    if (stage.now() >= until)
      stage.fail("CONNECTIONS still holds a connection that was closed long ago");
    stage.wait_until(stage.now() + length_of(TtlUnit::milliseconds));
  }
  if (!stage.reads({"connection-id", "index"}))
    connection.ask(conformance::connection(id), failure());
}

bool is_padded_from(base::ByteView ip, std::size_t length) {
  return std::ranges::all_of(ip.subspan(length), [](std::uint8_t byte) { return byte == 0; });
}

bool is_text(base::ByteView ip) {
  const std::string_view text = as_text(ip).substr(0, as_text(ip).find('\0'));
  return is_padded_from(ip, text.size()) &&
         text.find_first_not_of("0123456789abcdefABCDEF.:") == std::string_view::npos;
}

/// Returns true if the field may hold a raw address. An IPv6 address may look like anything.
bool is_raw(base::ByteView ip, std::uint64_t version) {
  return version != 4 || is_padded_from(ip, 4);
}

void address_form(Stage& stage) {
  Conversation& connection = stage.connection();
  const Message entry = entry_of(stage, connection, id_of(stage, connection));
  const base::Bytes ip = entry.bytes_of("ip");
  const bool raw = stage.reads({"ip-field", "raw"});
  if (raw ? is_raw(ip, entry.number("ip_version")) : is_text(ip)) return;
  connection.refuse(entry, "ip",
                    raw ? "an address in its first 4 bytes" : "an address in text, then zeros",
                    raw ? "CONNECTION: ip holds more than the 4 bytes of an address"
                        : "CONNECTION: ip is no address in text, padded with zeros");
}

void connected_at(Stage& stage) {
  Conversation& connection = stage.connection("c1");
  const Time before = connection.ask(bare("INFO")).number_or("timestamp", 0);
  const base::Bytes id = id_of(stage, stage.connection("c2"));
  const Time after = connection.ask(bare("INFO")).number_or("timestamp", 0);
  const Message entry = entry_of(stage, connection, id);
  const Time point = entry.number("connected_at");
  if (point >= before * ns_per_second && point < (after + 1) * ns_per_second) return;
  connection.refuse(entry, "connected_at", "between the TIMESTAMPs of INFO before and after",
                    fmt::format("CONNECTION: connected_at is {}, expected {} to {}", point,
                                before * ns_per_second, (after + 1) * ns_per_second));
}

}  // namespace

BehaviourCases connections_cases() {
  return {
      {"connections/each-once",
       "CONNECTIONS holds each open connection once, with its requests",
       "CONNECTIONS",
       Level::must,
       {"connections.code", "connections.fragments", "connections.entry", "connections.counts",
        "silence.ip-version"},
       in_connections_once},
      {"connections/loses-closed",
       "a closed connection is gone from CONNECTIONS and CONNECTION",
       "CONNECTIONS",
       Level::must,
       {"connections.fragments", "connection.missing"},
       listing_loses_closed},
  };
}

BehaviourCases connection_cases() {
  return {
      {"connection/found-by-id",
       "CONNECTION finds every open connection, by what it asks by",
       "CONNECTION",
       Level::must,
       {"connection.code", "connection.found", "silence.connection-id"},
       found},
      {"connection/unknown-id",
       "CONNECTION of an id that nobody has is one byte",
       "CONNECTION",
       Level::must,
       {"connection.missing"},
       unknown_id,
       {.unless = {{"connection-id", "index"}}}},
      {"connection/ends-of-indices",
       "CONNECTION of an index before the first or behind the last is one byte",
       "CONNECTION",
       Level::must,
       {"connection.missing", "silence.connection-index"},
       ends_of_indices,
       {.when = {{"connection-id", "index"}}}},
      {"connection/counts-its-own",
       "an entry counts the requests and bytes of its connection",
       "CONNECTION",
       Level::must,
       {"connections.counts", "connection.found"},
       counts_own},
      {"connection/address",
       "IP is text padded with zeros, or the address itself, as the target says",
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
       {"whoami.code", "whoami.id", "reply.status-first", "silence.status-prefix"},
       stable_id,
       {.unless = {{"whoami", "index"}}}},
      {"whoami/index",
       "the index of a connection is its place in CONNECTIONS",
       "WHOAMI",
       Level::must,
       {"whoami.code", "whoami.id", "silence.connection-index"},
       stable_by_index,
       {.when = {{"whoami", "index"}}}},
      {"whoami/different",
       "no two open connections have one id",
       "WHOAMI",
       Level::must,
       {"whoami.id"},
       different_ids},
  };
}

}  // namespace hallmark::conformance
