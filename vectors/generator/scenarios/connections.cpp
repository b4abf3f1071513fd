#include "vectors/generator/suite.hpp"

// CONNECTIONS, CONNECTION and WHOAMI.
namespace hallmark::vectors::generator {
namespace {

constexpr std::uint64_t most = ~std::uint64_t{0};
const Bytes unknown_id(16, 0xee);

Field expected_choice(const protocol::Field& field) {
  // A connection that did not say otherwise is that of a client.
  if (field.name == "type") return is("type", 0);
  std::vector<std::uint64_t> codes;
  for (const protocol::Choice& choice : field.get<protocol::kinds::ChoiceOf>().choices)
    codes.push_back(choice.code);
  return one_of(field.name, std::move(codes));
}

/// Returns what the entry of a connection must say if the connection did this and nothing else. The
/// runner's own clean-up may add to the counts, so they are only bounded from below.
std::vector<Field> entry_with(const Scenario& s, const Field& id) {
  std::vector<Field> fields;
  const auto* const connection = protocol::find_operation(s.dialect(), "CONNECTION");
  for (const protocol::Field& field : connection->reply.on_success) {
    if (!s.holds_when(field.when)) continue;
    if (field.name == "id") {
      fields.push_back(id);
    } else if (field.is<protocol::kinds::ChoiceOf>()) {
      fields.push_back(expected_choice(field));
    } else {
      fields.push_back(any(field.name));
    }
  }
  return fields;
}

/// The entry of a connection that has asked for its id and remembered it.
std::vector<Field> entry_of(const Scenario& s, std::string_view name) {
  std::vector<Field> fields = entry_with(s, remembered("id", name));
  replace(fields, between("whoami_requests", 1, most));
  replace(fields, between("read_bytes", 1, most));
  return fields;
}

/// The same as a record of a listing, in which only what is known has to be named.
EntryPattern record_of(const Scenario& s, std::string_view name) {
  EntryPattern record{entry_of(s, name)};
  std::erase_if(record.fields, [](const Field& field) { return field.match == Match::any; });
  return record;
}

void whoami_scenarios(Suite& suite) {
  const protocol::FieldName id =
      suite.reads({"whoami", "index"}) ? protocol::FieldName("index") : "id";
  Scenario& same = suite.add("WHOAMI", "same", "a connection's id does not change");
  same.cites({"whoami.code", "whoami.id", "silence.status-prefix", "reply.status-first"});
  same.send("WHOAMI", {});
  same.succeeds({remember(id, "own")});
  same.send("WHOAMI", {});
  same.succeeds({remembered(id, "own")});

  Scenario& after =
      suite.add("WHOAMI", "after-requests", "other requests do not change a connection's id");
  after.cites({"whoami.id"});
  after.send("WHOAMI", {});
  after.succeeds({remember(id, "own")});
  after.insert(after.key(), 5, hours, 1);
  after.subscribe(after.key());
  after.send("WHOAMI", {});
  after.succeeds({remembered(id, "own")});
}

void ask_by_id(Scenario& s, std::string_view name) {
  s.send("CONNECTION", {{"id", unknown_id}}, "id", name);
}

void connection_by_id(Suite& suite) {
  Scenario& own = suite.add("CONNECTION", "own", "a connection finds itself by its id");
  own.cites({"connection.code", "connection.found", "silence.connection-id", "silence.ip-version",
             "silence.connection-bytes"});
  own.whoami("own");
  ask_by_id(own, "own");
  own.succeeds(entry_of(own, "own"));

  Scenario& other = suite.add("CONNECTION", "other", "a connection finds another by its id");
  other.cites({"connection.found"});
  other.on("a").whoami("other");
  other.on("b");
  ask_by_id(other, "other");
  other.succeeds(entry_of(other, "other"));

  Scenario& counts =
      suite.add("CONNECTION", "counts", "the requests of the connection are counted by type");
  counts.cites({"connections.counts", "connection.found"});
  counts.whoami("own");
  counts.insert(counts.key(), 5, hours, 1);
  for (int i = 0; i < 3; ++i) counts.fails("GET", counts.key("missing"));
  ask_by_id(counts, "own");
  std::vector<Field> fields = entry_of(counts, "own");
  replace(fields, is("insert_requests", 1));
  replace(fields, is("get_requests", 3));
  replace(fields, is("list_requests", 0));
  counts.succeeds(std::move(fields));
}

/// The index of a connection depends on who else is connected. There always is a first connection,
/// whoever it is.
void connection_by_index(Suite& suite) {
  const std::uint64_t first = suite.reads({"connection-index", "from-1"}) ? 1 : 0;
  Scenario& s = suite.add("CONNECTION", "first", "the first index is that of a connection");
  s.cites({"connection.code", "connection.found", "silence.connection-id",
           "silence.connection-index", "silence.ip-version", "silence.connection-bytes"});
  s.send("CONNECTION", {{"index", first}});
  s.succeeds(entry_with(s, any("id")));
}

void connection_missing(Suite& suite, bool by_index) {
  Scenario& s = suite.add("CONNECTION", "missing",
                          by_index ? "an index that no connection has is answered with one byte"
                                   : "an id that no connection has is answered with one byte");
  s.cites({"connection.missing", "connection.code"});
  s.send("CONNECTION",
         by_index ? Record{{"index", std::uint64_t{0xffffffff}}} : Record{{"id", unknown_id}});
  s.status(false);
}

void connections_scenarios(Suite& suite) {
  Scenario& both = suite.add("CONNECTIONS", "both", "every open connection is listed once");
  both.cites({"connections.code", "connections.fragments", "connections.entry",
              "silence.status-prefix", "reply.status-first", "silence.ip-version",
              "silence.connection-bytes"});
  both.on("a").whoami("a");
  both.on("b").whoami("b");
  both.send("CONNECTIONS", {});
  both.succeeds({holds("connections", {record_of(both, "a"), record_of(both, "b")})});
}

}  // namespace

void add_connection_scenarios(Suite& suite) {
  const bool by_index = suite.reads({"connection-id", "index"});
  const bool knows_ids = !suite.reads({"whoami", "index"});
  whoami_scenarios(suite);
  if (by_index) connection_by_index(suite);
  if (!by_index && knows_ids) connection_by_id(suite);
  connection_missing(suite, by_index);
  if (knows_ids) connections_scenarios(suite);
}

}  // namespace hallmark::vectors::generator
