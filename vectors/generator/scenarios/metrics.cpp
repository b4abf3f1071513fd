#include "vectors/generator/suite.hpp"

// INFO and STAT.
namespace hallmark::vectors::generator {
namespace {

using protocol::Level;

/// Every field of INFO's body, whatever its value.
std::vector<Field> info_fields(const protocol::Dialect& dialect) {
  std::vector<Field> fields;
  const auto* const info = protocol::find_operation(dialect, "INFO");
  for (const protocol::Field& field : info->reply.on_success) fields.push_back(any(field.name));
  return fields;
}

/// Plausible clocks: from 2020 to the year 2262, where 64-bit nanoseconds end.
constexpr std::uint64_t earliest_s = 1'577'836'800;
constexpr std::uint64_t latest_s = 9'223'372'036;
constexpr std::uint64_t ns_per_s = 1'000'000'000;

void info_layout(Suite& suite) {
  Scenario& layout =
      suite.add("INFO", "layout", "all fields of the table, and then the next reply");
  layout.cites({"info.code", "info.layout", "silence.status-prefix", "reply.status-first",
                "stream.reply-order"});
  layout.send("INFO", {});
  layout.succeeds(info_fields(suite.dialect()));
  layout.fence();
}

void info_clocks(Suite& suite) {
  Scenario& clocks = suite.add(
      "INFO", "clocks", "TIMESTAMP is in seconds, RUNNING SINCE in nanoseconds, both since 1970");
  clocks.level(Level::should).cites({"silence.time-units"});
  std::vector<Field> fields = info_fields(suite.dialect());
  replace(fields, between("timestamp", earliest_s, latest_s));
  replace(fields, between("running_since", earliest_s * ns_per_s, latest_s * ns_per_s));
  clocks.send("INFO", {});
  clocks.succeeds(std::move(fields));
}

void info_counts(Suite& suite) {
  Scenario& itself = suite.add("INFO", "counts-itself", "INFO counts its own request");
  itself.level(Level::should).cites({"silence.metrics", "info.requests"});
  std::vector<Field> counted = info_fields(suite.dialect());
  replace(counted, between("total_info", 1, ~std::uint64_t{0}));
  replace(counted, between("total_requests", 1, ~std::uint64_t{0}));
  replace(counted, between("total_read_bytes", 1, ~std::uint64_t{0}));
  replace(counted, between("total_connections", 1, ~std::uint64_t{0}));
  itself.send("INFO", {});
  itself.succeeds(std::move(counted));

  Scenario& contents = suite.add("INFO", "contents", "keys, counters and buffers, and their bytes");
  contents.cites({"info.contents"}).needs(Precondition::empty);
  contents.insert(contents.key("counter"), 5, hours, 1);
  contents.set(contents.key("buffer"), base::to_bytes("EHLO"), hours, 1);
  std::vector<Field> held = info_fields(suite.dialect());
  replace(held, is("total_keys", 2));
  replace(held, is("total_counters", 1));
  replace(held, is("total_buffers", 1));
  replace(held, is("total_allocated_bytes_on_counters", protocol::bytes_of(suite.width())));
  replace(held, is("total_allocated_bytes_on_buffers", 4));
  contents.send("INFO", {});
  contents.succeeds(std::move(held));
}

std::vector<Field> stat_found() {
  return {any("reads_per_minute"), any("writes_per_minute"), any("total_reads"),
          any("total_writes")};
}

void stat_scenarios(Suite& suite) {
  Scenario& counter = suite.add("STAT", "counter", "the metrics of a counter");
  counter.cites({"stat.code", "stat.layout", "stat.found"});
  counter.insert(counter.key(), 5, hours, 1);
  counter.send("STAT", {{"key", counter.key()}});
  counter.succeeds(stat_found());

  Scenario& buffer = suite.add("STAT", "buffer", "the metrics of a buffer");
  buffer.cites({"stat.found"});
  buffer.set(buffer.key(), base::to_bytes("EHLO"), hours, 1);
  buffer.send("STAT", {{"key", buffer.key()}});
  buffer.succeeds(stat_found());

  Scenario& missing =
      suite.add("STAT", "missing", "a key that does not exist is answered with one byte");
  missing.cites({"stat.missing", "stat.code"});
  missing.fails("STAT", missing.key());

  for (const NameSize& size : suite.names()) {
    Scenario& s =
        suite.add("STAT", "missing-key-" + std::string(size.id), "a missing key of " + size.title);
    s.cites({"stat.layout", "stat.missing", "key.binary"}).flag(size.flag);
    s.fails("STAT", size.name);
  }
}

}  // namespace

void add_metric_scenarios(Suite& suite) {
  info_layout(suite);
  info_clocks(suite);
  info_counts(suite);
  stat_scenarios(suite);
}

}  // namespace hallmark::vectors::generator
