#include "vectors/generator/suite.hpp"

// Throttr 2.0 only: pairs of a consumer and a resource, and the ids of requests.
namespace hallmark::vectors::generator {
namespace {

using base::to_bytes;
using protocol::Level;

void request_ids(Suite& suite) {
  const struct {
    std::string_view name;
    std::string_view title;
    std::uint64_t id;
  } rows[] = {
      {"request-id-zero", "the request id 0 comes back", 0},
      {"request-id-max", "the largest request id comes back", 0xffffffff},
      {"request-id-byte-order", "a request id comes back with its lowest byte first", 0x04030201},
  };
  for (const auto& row : rows) {
    for (const protocol::MessageName operation :
         std::initializer_list<protocol::MessageName>{"QUERY", "PURGE"}) {
      Scenario& s = suite.add(operation, row.name, row.title);
      s.cites({"reply.request-id", "reply.layout", "endianness.little"});
      s.insert(s.key(), 5, hours, 1);
      s.send("UPDATE", Name(s.key()).with({{"request_id", row.id},
                                           {"attribute", code(Attribute::quota)},
                                           {"change", code(Change::patch)},
                                           {"value", 6UL}}));
      s.status(true);
      s.send(operation, Name(s.key("missing")).with({{"request_id", row.id}}));
      s.status(operation == "PURGE" && suite.reads({"purge-missing", "accepted"}));
    }
  }
}

void found_request_id(Suite& suite) {
  Scenario& s =
      suite.add("QUERY", "request-id-found", "the reply that has more repeats the id too");
  s.cites({"reply.request-id", "query.found"});
  const Lifetime kept = s.insert(s.key(), 5, hours, 1);
  s.send("QUERY", Name(s.key()).with({{"request_id", 0xfffefdfcUL}}));
  s.succeeds({is("quota", 5), s.ttl_type(hours), left("ttl", kept)});
}

/// Requests whose replies are asked for only once both are sent. In any order, nothing says which
/// reply has to come first.
void in_flight(Suite& suite) {
  if (!suite.reads({"reply-order", "request-order"})) return;
  const auto both = [&](std::string_view name, std::string_view title, std::uint64_t first,
                        std::uint64_t second) -> Scenario& {
    Scenario& s = suite.add("QUERY", name, title);
    s.level(Level::should);
    const Lifetime kept = s.insert(s.key(), 5, hours, 1);
    s.send("QUERY", Name(s.key()).with({{"request_id", first}}));
    s.send("QUERY", Name(s.key("missing")).with({{"request_id", second}}));
    s.succeeds({is("quota", 5), s.ttl_type(hours), left("ttl", kept)});
    s.status(false);
    return s;
  };
  both("in-flight-same-id", "two requests in flight with one id have a reply each", 7, 7)
      .cites({"silence.duplicate-ids", "reply.request-id", "reply.always"});
  both("in-flight", "two requests in flight are answered in their order", 8, 7)
      .cites({"stream.reply-order", "silence.reply-order", "reply.request-id"});
}

void pair_identity(Suite& suite) {
  const bool same = suite.reads({"pair-identity", "concatenation"});
  const bool replaced = suite.reads({"insert-existing", "replaced"});
  Scenario& s = suite.add("INSERT", "pair-identity",
                          same ? "(ab, c) and (a, bc) are the same" : "(ab, c) is not (a, bc)");
  s.level(Level::should).cites({"silence.pair-identity", "key.unique"});
  const Bytes own = s.key();
  const auto joined = [&](std::string_view text) {
    Bytes bytes = own;
    bytes.insert(bytes.end(), text.begin(), text.end());
    return bytes;
  };
  const Name first(joined("ab"), to_bytes("c"));
  const Name second(joined("a"), to_bytes("bc"));
  const Lifetime of_first = s.insert(first, 1, hours, 1);
  const Lifetime of_second = s.insert(second, 2, hours, 2, !same || replaced);
  same&& replaced ? s.query(first, 2, hours, of_second) : s.query(first, 1, hours, of_first);
  same && !replaced ? s.query(second, 1, hours, of_first) : s.query(second, 2, hours, of_second);
}

void halves(Suite& suite) {
  const Bytes own = to_bytes("hallmark/insert/half");
  const struct {
    std::string_view name;
    std::string_view title;
    Name pair;
  } rows[] = {{"consumer-empty", "a consumer of length 0", Name({}, own)},
              {"resource-empty", "a resource of length 0", Name(own, {})}};
  const bool valid = suite.reads({"empty-names", "valid"});
  for (const auto& row : rows) {
    Scenario& s =
        suite.add("INSERT", row.name, std::string(row.title) + (valid ? "" : " is refused"));
    s.level(Level::may).cites({"silence.empty-names", "insert.layout"}).flag("empty-name");
    const Lifetime kept = s.insert(row.pair, 6, hours, 1, valid);
    valid ? s.query(row.pair, 6, hours, kept) : s.fails("QUERY", row.pair);
  }

  Scenario& s = suite.add("INSERT", "swapped", "consumer and resource are not interchangeable");
  s.cites({"key.unique", "insert.layout", "query.layout"});
  const Name pair(s.key("consumer"), s.key("resource"));
  const Name swapped(s.key("resource"), s.key("consumer"));
  const Lifetime kept = s.insert(pair, 6, hours, 1);
  s.fails("QUERY", swapped);
  s.query(pair, 6, hours, kept);
}

}  // namespace

void add_throttr_2_0_scenarios(Suite& suite) {
  request_ids(suite);
  found_request_id(suite);
  in_flight(suite);
  pair_identity(suite);
  halves(suite);
}

}  // namespace hallmark::vectors::generator
