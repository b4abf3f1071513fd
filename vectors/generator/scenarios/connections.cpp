#include "vectors/generator/suite.hpp"

// CONNECTIONS, CONNECTION and WHOAMI.
namespace hallmark::vectors::generator {
namespace {

using protocol::Level;

const Bytes unknown_id(16, 0xee);

/// What is known of the entry of a connection that did this and nothing else: the runner's own
/// clean-up may add to the counts, so they are bounded from below.
std::vector<Field> entry_of(const protocol::Dialect& dialect, std::string_view name) {
  std::vector<Field> fields;
  const auto* const connection = protocol::find_operation(dialect, std::string_view("CONNECTION"));
  for (const protocol::Field& field : connection->reply.on_success) {
    if (field.name == "id") {
      fields.push_back(remembered("id", name));
    } else if (field.kind == protocol::Kind::choice) {
      fields.push_back(one_of(field.name, {4, 6}));
    } else if (field.name == "whoami_requests" || field.name == "read_bytes") {
      fields.push_back(between(field.name, 1, ~std::uint64_t{0}));
    } else {
      fields.push_back(any(field.name));
    }
  }
  return fields;
}

std::vector<Field> found(const protocol::Dialect& dialect, std::string_view name) {
  std::vector<Field> fields{is("status", 1)};
  for (Field& field : entry_of(dialect, name)) fields.push_back(std::move(field));
  return fields;
}

void whoami_scenarios(Suite& suite) {
  Scenario& same = suite.add("WHOAMI", "same", "a connection's id does not change");
  same.cites({"whoami.code", "whoami.id", "silence.status-prefix"});
  same.whoami("own");
  same.send("WHOAMI", {});
  same.expect({is("status", 1), remembered("id", "own")});

  Scenario& after =
      suite.add("WHOAMI", "after-requests", "other requests do not change a connection's id");
  after.cites({"whoami.id"});
  after.whoami("own");
  after.insert(after.key(), 5, hours, 1);
  after.subscribe(after.key());
  after.send("WHOAMI", {});
  after.expect({is("status", 1), remembered("id", "own")});
}

void connection_scenarios(Suite& suite) {
  Scenario& own = suite.add("CONNECTION", "own", "a connection finds itself by its id");
  own.cites({"connection.code", "connection.found", "silence.connection-id", "silence.ip-field"});
  own.whoami("own");
  own.send("CONNECTION", {{"id", unknown_id}}, "id", "own");
  own.expect(found(suite.dialect(), "own"));

  Scenario& other = suite.add("CONNECTION", "other", "a connection finds another by its id");
  other.cites({"connection.found"});
  other.on("a").whoami("other");
  other.on("b").send("CONNECTION", {{"id", unknown_id}}, "id", "other");
  other.expect(found(suite.dialect(), "other"));

  Scenario& missing =
      suite.add("CONNECTION", "missing", "an id that no connection has is answered with one byte");
  missing.cites({"connection.missing", "connection.code"});
  missing.send("CONNECTION", {{"id", unknown_id}});
  missing.expect({is("status", 0)});

  Scenario& counts =
      suite.add("CONNECTION", "counts", "the requests of the connection are counted by type");
  counts.cites({"connections.counts", "connection.found"});
  counts.whoami("own");
  counts.insert(counts.key(), 5, hours, 1);
  for (int i = 0; i < 3; ++i) counts.fails("GET", counts.key("missing"));
  counts.send("CONNECTION", {{"id", unknown_id}}, "id", "own");
  std::vector<Field> fields = found(suite.dialect(), "own");
  for (Field& field : fields) {
    if (field.field == "insert_requests") field = is("insert_requests", 1);
    if (field.field == "get_requests") field = is("get_requests", 3);
    if (field.field == "list_requests") field = is("list_requests", 0);
  }
  counts.expect(std::move(fields));
}

void connections_scenarios(Suite& suite) {
  Scenario& both = suite.add("CONNECTIONS", "both", "every open connection is listed once");
  both.cites({"connections.code", "connections.fragments", "connections.entry",
              "silence.status-prefix", "silence.ip-field"});
  both.on("a").whoami("a");
  both.on("b").whoami("b");
  both.send("CONNECTIONS", {});
  both.expect({is("status", 1), holds("connections", {{entry_of(suite.dialect(), "a")},
                                                      {entry_of(suite.dialect(), "b")}})});
}

}  // namespace

void add_connection_scenarios(Suite& suite) {
  whoami_scenarios(suite);
  connection_scenarios(suite);
  connections_scenarios(suite);
}

}  // namespace hallmark::vectors::generator
