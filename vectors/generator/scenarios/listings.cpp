#include <fmt/format.h>

#include "vectors/generator/suite.hpp"

// LIST and STATS: every record once, whatever the fragments and their order.
namespace hallmark::vectors::generator {
namespace {

/// Keys of the longest kind, enough of them for several fragments of the 2,048 bytes that released
/// servers use.
constexpr int many = 20;

Bytes numbered(const Scenario& s, int i) {
  constexpr std::size_t longest_key = 255;
  Bytes key = s.key(fmt::format("{:02}/", i));
  key.resize(longest_key, 'k');
  return key;
}

EntryPattern entry(const Scenario& s, protocol::RecordKind kind, const Bytes& key, TtlUnit unit,
                   std::uint64_t bytes) {
  EntryPattern entry{{is("key_type", code(kind)), s.ttl_type(unit)}};
  if (!s.reads({"list-bytes-used", "no"})) entry.fields.push_back(is("bytes_used", bytes));
  entry.fields.push_back(is("key", key));
  return entry;
}

EntryPattern counter_entry(const Scenario& s, const Bytes& key, TtlUnit unit) {
  return entry(s, protocol::RecordKind::counter, key, unit, protocol::bytes_of(s.width()));
}

EntryPattern buffer_entry(const Scenario& s, const Bytes& key, TtlUnit unit, std::uint64_t bytes) {
  return entry(s, protocol::RecordKind::buffer, key, unit, bytes);
}

EntryPattern stats_entry(const Bytes& key) { return {{is("key", key)}}; }

void list_scenarios(Suite& suite) {
  Scenario& both = suite.add("LIST", "both-kinds", "a counter and a buffer are listed, each once");
  both.cites({"list.code", "list.fragments", "list.fragment-head", "list.entry", "list.names-last",
              "list.both-kinds", "silence.key-types", "silence.bytes-used", "silence.fragments",
              "silence.status-prefix", "silence.list-bytes-used", "reply.status-first"});
  both.insert(both.key("counter"), 5, seconds, 200);
  both.set(both.key("buffer"), ehlo, hours, 1);
  both.send("LIST", {});
  both.succeeds({holds("keys", {counter_entry(both, both.key("counter"), seconds),
                                buffer_entry(both, both.key("buffer"), hours, 4)})});

  Scenario& empty =
      suite.add("LIST", "empty", "an empty store is listed as no fragments or empty ones");
  empty.cites({"list.fragments", "silence.fragments"}).needs(Precondition::empty);
  empty.send("LIST", {});
  empty.succeeds({holds("keys", {}, true)});

  Scenario& purged = suite.add("LIST", "purged", "what was purged is not listed");
  purged.cites({"list.both-kinds", "purge.removes"}).needs(Precondition::empty);
  purged.insert(purged.key("gone"), 5, hours, 1);
  purged.insert(purged.key("kept"), 5, hours, 1);
  purged.purge(purged.key("gone"));
  purged.send("LIST", {});
  purged.succeeds({holds("keys", {counter_entry(purged, purged.key("kept"), hours)}, true)});
}

void list_names(Suite& suite) {
  for (const NameSize& size : suite.names()) {
    if (size.bytes.empty()) continue;
    Scenario& s = suite.add("LIST", "key-" + std::string(size.id), "a listed key of " + size.title);
    s.cites({"list.entry", "list.names-last", "key.binary"}).flag(size.flag);
    s.insert(size.name, 6, hours, 1);
    s.send("LIST", {});
    s.succeeds({holds("keys", {counter_entry(s, size.bytes, hours)})});
  }
}

/// Inserts many keys and expects each of them once in the listing.
template <class Entry>
void fragments(Suite& suite, protocol::MessageName operation, std::string_view name, bool exactly,
               Entry entry) {
  Scenario& s = suite.add(
      operation, name,
      exactly ? "many keys in several fragments, and no others" : "many keys in several fragments");
  s.cites({operation == "LIST" ? "list.fragments" : "stats.fragments",
           operation == "LIST" ? "list.names-last" : "stats.names-last", "silence.fragments"});
  if (exactly) s.needs(Precondition::empty);
  std::vector<EntryPattern> entries;
  for (int i = 0; i < many; ++i) {
    s.insert(numbered(s, i), 1, hours, 1);
    entries.push_back(entry(s, numbered(s, i)));
  }
  s.send(operation, {});
  s.succeeds({holds("keys", std::move(entries), exactly)});
}

void stats_scenarios(Suite& suite) {
  Scenario& both =
      suite.add("STATS", "both-kinds", "a counter and a buffer have their metrics, each once");
  both.cites({"stats.code", "stats.fragments", "stats.entry", "stats.names-last",
              "silence.status-prefix", "reply.status-first"});
  both.insert(both.key("counter"), 5, seconds, 200);
  both.set(both.key("buffer"), ehlo, hours, 1);
  both.send("STATS", {});
  both.succeeds(
      {holds("keys", {stats_entry(both.key("counter")), stats_entry(both.key("buffer"))})});

  Scenario& empty = suite.add("STATS", "empty", "an empty store has no metrics of keys");
  empty.cites({"stats.fragments", "silence.fragments"}).needs(Precondition::empty);
  empty.send("STATS", {});
  empty.succeeds({holds("keys", {}, true)});
}

}  // namespace

void add_listing_scenarios(Suite& suite) {
  list_scenarios(suite);
  list_names(suite);
  const auto listed = [](const Scenario& s, const Bytes& key) {
    return counter_entry(s, key, hours);
  };
  const auto counted = [](const Scenario&, const Bytes& key) { return stats_entry(key); };
  fragments(suite, "LIST", "fragments", false, listed);
  fragments(suite, "LIST", "fragments-exactly", true, listed);
  if (!suite.has({"STATS"})) return;
  stats_scenarios(suite);
  fragments(suite, "STATS", "fragments", false, counted);
  fragments(suite, "STATS", "fragments-exactly", true, counted);
}

}  // namespace hallmark::vectors::generator
