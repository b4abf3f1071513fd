#include "conformance/suites/throttr/identity.hpp"

#include <algorithm>

namespace hallmark::conformance {
namespace {

/// The number of times that a place is asked for again if it has moved meanwhile.
constexpr int most_attempts_to_place = 50;

using Entry = protocol::MessageView::Entry;

std::vector<base::Bytes> ids_in(const Message& connections) {
  std::vector<base::Bytes> ids;
  connections.view().for_each("connections", [&](const Entry& entry) {
    const auto id = entry.bytes_of("id");
    ids.emplace_back(id.begin(), id.end());
  });
  return ids;
}

std::uint64_t index_of(Conversation& connection) {
  return connection.ask(bare("WHOAMI"), {is("status", 1), any("index")}).number("index");
}

base::Bytes id_at_own_index(Stage& stage, Conversation& connection) {
  for (int attempt = 0; attempt < most_attempts_to_place; ++attempt) {
    const std::uint64_t place = index_of(connection) - first_index(stage.format());
    const auto ids = ids_in(connection.ask(bare("CONNECTIONS")));
    const bool stays = index_of(connection) - first_index(stage.format()) == place;
    if (stays && place < ids.size()) return ids[place];
  }
  stage.fail("WHOAMI gives an index that is no place in CONNECTIONS");
}

Message entry_at_place(Stage& stage, Conversation& asker, const base::Bytes& id) {
  for (int attempt = 0; attempt < most_attempts_to_place; ++attempt) {
    const auto ids = ids_in(asker.ask(bare("CONNECTIONS")));
    const auto place = static_cast<std::uint64_t>(std::ranges::find(ids, id) - ids.begin());
    if (place == ids.size()) stage.fail("CONNECTIONS does not hold an open connection");
    Message found = asker.ask(connection_at(place + first_index(stage.format())));
    if (found.succeeded() && found.bytes_of("id") == id) return found;
  }
  stage.fail(
      "CONNECTION by index answers with another connection than stands there in CONNECTIONS");
}

}  // namespace

std::uint64_t first_index(const WireFormat& format) {
  return format.reads({"connection-index", "from-1"}) ? 1 : 0;
}

base::Bytes id_of(Stage& stage, Conversation& connection) {
  if (stage.reads({"whoami", "index"})) return id_at_own_index(stage, connection);
  return connection.ask(bare("WHOAMI"), {is("status", 1), any("id")}).bytes_of("id");
}

Message entry_of(Stage& stage, Conversation& asker, const base::Bytes& id) {
  if (stage.reads({"connection-id", "index"})) return entry_at_place(stage, asker, id);
  Message found = asker.ask(connection(id));
  if (!found.succeeded())
    asker.refuse(found, "status", "success",
                 "CONNECTION does not find the id of an open connection");
  if (found.bytes_of("id") != id)
    asker.refuse(found, "id", "the id asked for",
                 "CONNECTION answers with another id than asked for");
  return found;
}

Request existing_connection(const WireFormat& format, const base::Bytes& id) {
  if (format.reads({"connection-id", "index"})) return connection_at(first_index(format));
  return connection(id);
}

Request absent_connection(const WireFormat& format) {
  constexpr std::uint64_t beyond_any = 0xffff'ffff;
  if (format.reads({"connection-id", "index"})) return connection_at(beyond_any);
  return connection(base::Bytes(16, 0x5a));
}

}  // namespace hallmark::conformance
