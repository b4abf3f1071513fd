#include <fmt/format.h>

#include "base/hex.hpp"
#include "vectors/generator/suite.hpp"

// SET and GET of buffers.
namespace hallmark::vectors::generator {
namespace {

using protocol::Level;

/// The longest value that SET can announce.
std::uint64_t longest_value(const Suite& suite) {
  return suite.reads({"set-value-size", "one-byte"}) ? 255 : suite.max();
}

void set_values(Suite& suite) {
  for (const std::size_t size : {0U, 1U, 255U, 65'535U, 70'000U}) {
    if (size > longest_value(suite)) continue;
    if (size == suite.max() && !suite.reads({"maximum-values", "valid"})) continue;
    const bool valid = size != 0 || suite.reads({"empty-names", "valid"});
    Scenario& s = suite.add("SET", fmt::format("value-{}", size),
                            valid ? fmt::format("a value of {} bytes comes back whole", size)
                                  : "a value of 0 bytes is refused");
    s.cites({"set.layout", "set.adds-buffer", "get.found", "width.maximum",
             size == 0 ? "silence.empty-names" : "width.value-size"});
    if (size == 0) s.level(Level::may);
    if (size > 255) s.flag("long-value");
    const Bytes value = pattern(size);
    const Lifetime lifetime = s.set(s.key(), value, hours, 1, valid);
    valid ? s.get(s.key(), value, hours, lifetime) : s.fails("GET", s.key());
  }
}

void set_contents(Suite& suite) {
  Scenario& typical = suite.add("SET", "typical", "a new buffer is there with its value and TTL");
  typical.cites(
      {"set.code", "set.layout", "set.adds-buffer", "set.status", "silence.set-value-size"});
  const Lifetime lifetime = typical.set(typical.key(), ehlo, seconds, 60);
  typical.get(typical.key(), ehlo, seconds, lifetime);

  Scenario& requests =
      suite.add("SET", "value-of-requests", "a value that reads like requests is only a value");
  requests.cites({"set.layout", "stream.framing"});
  const Bytes value = *base::from_hex("0703010318080408021016");
  const Lifetime hour = requests.set(requests.key(), value, hours, 1);
  requests.get(requests.key(), value, hours, hour);
}

void set_units(Suite& suite) {
  for (const TtlUnit unit : protocol::ttl_units(suite.dialect())) {
    Scenario& s = suite.add("SET", "ttl-type-" + std::string(name_of(unit)),
                            "a TTL in this unit, asked for in this unit");
    s.cites({"ttl-types.codes", "ttl-types.unit", "set.layout"});
    const Lifetime set = s.set(s.key(), ehlo, unit, suite.telling_ttl(unit));
    if (!Suite::may_expire(unit)) {
      s.get(s.key(), ehlo, unit, set);
      continue;
    }
    s.cites({"ttl.expires", "silence.expired-when"}).flag("expires-quickly");
    s.send("GET", Name(s.key()).with({}));
    s.expect_expiring(set, [&](Field ttl) {
      return std::vector<Field>{is("status", 1), s.ttl_type(unit), std::move(ttl),
                                is("value", ehlo)};
    });
  }
}

void set_unknown_unit(Suite& suite) {
  const protocol::AnswerName answer = suite.answer("ttl-type-unknown");
  if (answer == "closed") return;
  constexpr std::uint64_t unlisted = 0xff;
  Scenario& s = suite.add("SET", "ttl-type-unknown",
                          answer == "refused" ? "a TTL type that is not listed is refused"
                                              : "a TTL type that is not listed is accepted");
  s.level(Level::may).cites({"silence.ttl-type-unknown"}).flag("silent");
  Record fields = Name(s.key()).with({{"ttl_type", unlisted}, {"ttl", 100UL}});
  s.send("SET", std::move(fields.set("value", ehlo)));
  s.status(answer == "accepted");
  if (answer == "refused") s.fails("GET", s.key());
}

void set_existing(Suite& suite) {
  const bool replaced = suite.reads({"set-existing", "replaced"});
  Scenario& s = suite.add("SET", "existing",
                          replaced ? "a key that holds a buffer takes the new value and TTL"
                                   : "a key that holds a buffer is refused and keeps it");
  s.level(Level::should).cites({"silence.set-existing", "set.status"});
  const Bytes longer = base::to_bytes("a longer value than before");
  const Lifetime first = s.set(s.key(), ehlo, minutes, 30);
  const Lifetime second = s.set(s.key(), longer, hours, 2, replaced);
  replaced ? s.get(s.key(), longer, hours, second) : s.get(s.key(), ehlo, minutes, first);
}

void set_existing_shorter(Suite& suite) {
  const bool replaced = suite.reads({"set-existing", "replaced"});
  Scenario& s = suite.add("SET", "existing-shorter",
                          replaced ? "of a longer value nothing is left behind a shorter one"
                                   : "a shorter value is refused, and the longer one stays whole");
  s.level(Level::should).cites({"silence.set-existing", "set.adds-buffer", "get.found"});
  const Bytes longer = base::to_bytes("a longer value than after");
  const Lifetime first = s.set(s.key(), longer, minutes, 30);
  const Lifetime second = s.set(s.key(), ehlo, hours, 2, replaced);
  replaced ? s.get(s.key(), ehlo, hours, second) : s.get(s.key(), longer, minutes, first);
}

void set_over_counter(Suite& suite) {
  const bool replaced = suite.reads({"kind-mismatch", "replaced"});
  Scenario& s = suite.add("SET", "over-counter",
                          replaced ? "a key that holds a counter becomes a buffer"
                                   : "a key that holds a counter is refused and keeps it");
  s.level(Level::should).cites({"silence.kind-mismatch", "record.kinds"});
  const Lifetime first = s.insert(s.key(), 9, minutes, 30);
  const Lifetime second = s.set(s.key(), ehlo, hours, 2, replaced);
  replaced ? s.get(s.key(), ehlo, hours, second) : s.query(s.key(), 9, minutes, first);
}

void set_after_purge(Suite& suite) {
  Scenario& s = suite.add("SET", "after-purge",
                          "a purged key can be set again at once, also as the other kind");
  s.cites({"set.adds-buffer", "purge.removes", "record.kinds"});
  s.insert(s.key(), 9, minutes, 30);
  s.purge(s.key());
  const Lifetime fresh = s.set(s.key(), ehlo, hours, 2);
  s.get(s.key(), ehlo, hours, fresh);
}

void set_ttls(Suite& suite) {
  const bool valid = suite.reads({"maximum-values", "valid"});
  const TtlUnit unit = suite.longest_unit();
  Scenario& most = suite.add("SET", "ttl-max", "the largest TTL of the width, in the largest unit");
  most.level(Level::should).cites({"width.maximum", "silence.maximum-values"});
  const Lifetime longest = most.set(most.key(), ehlo, unit, most.max(), valid);
  valid ? most.get(most.key(), ehlo, unit, longest) : most.fails("GET", most.key());

  Scenario& one = suite.add("SET", "ttl-one", "a TTL of one unit");
  one.cites({"set.adds-buffer", "ttl.valid-period"});
  const Lifetime hour = one.set(one.key(), ehlo, hours, 1);
  one.get(one.key(), ehlo, hours, hour);
}

void set_ttl_zero(Suite& suite) {
  const protocol::AnswerName answer = suite.answer("ttl-zero");
  Scenario& s = suite.add("SET", "ttl-zero",
                          answer == "expired"   ? "a buffer with a TTL of 0 is gone at once"
                          : answer == "refused" ? "a TTL of 0 is refused"
                                                : "a buffer with a TTL of 0 does not expire");
  s.level(Level::may).cites({"silence.ttl-zero"}).flag("silent");
  s.set(s.key(), ehlo, seconds, 0, answer != "refused");
  if (answer != "forever") {
    s.fails("GET", s.key());
    return;
  }
  s.send("GET", Name(s.key()).with({}));
  s.succeeds({s.ttl_type(seconds), any("ttl"), is("value", ehlo)});
}

void set_names(Suite& suite) {
  for (const NameSize& size : suite.names()) {
    if (size.bytes.empty()) continue;
    Scenario& s = suite.add("SET", "key-" + std::string(size.id), "a key of " + size.title);
    s.cites({"set.layout", "key.binary"}).flag(size.flag);
    const Lifetime lifetime = s.set(size.name, ehlo, hours, 1);
    s.get(size.name, ehlo, hours, lifetime);
  }
}

void get_scenarios(Suite& suite) {
  Scenario& found = suite.add("GET", "found", "status, TTL type, TTL and value of a buffer");
  found.cites({"get.code", "get.layout", "get.found", "get.buffers", "silence.ttl-left"});
  const Lifetime lifetime = found.set(found.key(), ehlo, seconds, 90);
  found.get(found.key(), ehlo, seconds, lifetime);

  Scenario& missing =
      suite.add("GET", "missing", "a key that does not exist is answered with one byte");
  missing.cites({"get.missing", "get.code"});
  missing.fails("GET", missing.key());

  Scenario& again = suite.add("GET", "again", "asking changes nothing");
  again.cites({"get.buffers", "get.found"});
  const Lifetime kept = again.set(again.key(), ehlo, hours, 3);
  for (int i = 0; i < 3; ++i) again.get(again.key(), ehlo, hours, kept);
}

void get_what_is_no_buffer(Suite& suite) {
  Scenario& counter = suite.add("GET", "counter", "a counter is no buffer");
  counter.level(Level::should).cites({"get.buffers", "silence.kind-mismatch"});
  counter.insert(counter.key(), 5, hours, 1);
  counter.fails("GET", counter.key());

  Scenario& purged = suite.add("GET", "purged", "a purged buffer is gone");
  purged.cites({"get.missing", "purge.removes"});
  purged.set(purged.key(), ehlo, hours, 3);
  purged.purge(purged.key());
  purged.fails("GET", purged.key());

  for (const NameSize& size : suite.names()) {
    Scenario& s =
        suite.add("GET", "missing-key-" + std::string(size.id), "a missing key of " + size.title);
    s.cites({"get.layout", "get.missing", "key.binary"}).flag(size.flag);
    s.fails("GET", size.name);
  }
}

}  // namespace

void add_buffer_scenarios(Suite& suite) {
  set_contents(suite);
  set_units(suite);
  set_unknown_unit(suite);
  set_values(suite);
  set_existing(suite);
  set_existing_shorter(suite);
  set_over_counter(suite);
  set_after_purge(suite);
  set_ttls(suite);
  set_ttl_zero(suite);
  set_names(suite);
  get_scenarios(suite);
  get_what_is_no_buffer(suite);
}

}  // namespace hallmark::vectors::generator
