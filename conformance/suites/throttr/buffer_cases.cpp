#include "conformance/isolation/trials.hpp"
#include "conformance/suites/throttr/cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "conformance/suites/throttr/support.hpp"

namespace hallmark::conformance {
namespace {

using protocol::Level;

void adds_buffer(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  connection.ask(get(key), failure());
  const Message made = connection.ask(set(key, "value", minute), success());
  expect_buffer(stage, connection, key, "value", minute, made.window());
  expect_buffer(stage, stage.connection("c2"), key, "value", minute, made.window());
}

void value_comes_back(Stage& stage, const std::string& value) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key(fmt::format("k{}", value.size()));
  const Message made = connection.ask(set(key, value, minute), success());
  expect_buffer(stage, connection, key, value, minute, made.window());
}

void any_bytes(Stage& stage) {
  const Series values{"the value of", "the values of"};
  std::string all;
  for (int byte = 255; byte >= 0; --byte) all += static_cast<char>(byte);
  all.resize(std::min(all.size(), longest_value(stage.format())));
  Trials trials(stage);
  for (const auto& [name, value] :
       {std::pair("letters and controls", binary("v")), std::pair("every byte", all),
        std::pair("one zero", std::string(1, '\0'))})
    trials.attempt({values, name}, [=, &stage] { value_comes_back(stage, value); });
  trials.conclude();
}

void existing(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Ttl longer{TtlUnit::seconds, 100};
  const bool replaces = stage.reads({"set-existing", "replaced"});
  const Message first = connection.ask(set(key, "first", minute), success());
  const Message second = connection.ask(set(key, "second", longer), status(replaces));
  if (replaces) {
    expect_buffer(stage, connection, key, "second", longer, second.window());
  } else {
    expect_buffer(stage, connection, key, "first", minute, first.window());
  }
}

void refuses_counter(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Message made = connection.ask(insert(key, 5, minute), success());
  connection.ask(set(key, "value", minute), failure());
  expect_counter(stage, connection, key, 5, minute, made.window());
}

void replaces_counter(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  connection.ask(insert(key, 5, {TtlUnit::hours, 2}), success());
  const Message made = connection.ask(set(key, "value", minute), success());
  connection.ask(query(key), failure());
  expect_buffer(stage, connection, key, "value", minute, made.window());
}

void empty_value(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const bool valid = stage.reads({"empty-names", "valid"});
  const Message made = connection.ask(set(key, "", minute), status(valid));
  if (!valid) connection.ask(get(key), failure());
  if (valid) expect_buffer(stage, connection, key, "", minute, made.window());
}

/// Sizes at which buffers end, and some between them. The longest value is more than a large target
/// can be asked to hold where N is wide.
std::set<std::size_t> telling_sizes(Stage& stage) {
  const std::size_t most = std::min<std::size_t>(longest_value(stage.format()), 65'535);
  std::set<std::size_t> sizes{200, 1'000, 4'000, large_value_size, 32'000, most};
  for (std::size_t power = 16; power <= most + 1; power *= 2) {
    for (const std::size_t size : {power - 1, power, power + 1}) sizes.insert(size);
  }
  sizes.erase(sizes.upper_bound(most), sizes.end());
  return sizes;
}

void telling_lengths(Stage& stage) {
  const Series sizes{"a value of size", "values of sizes"};
  Trials trials(stage);
  for (const std::size_t size : telling_sizes(stage)) {
    trials.attempt({sizes, fmt::format("{}", size), size},
                   [=, &stage] { value_comes_back(stage, std::string(size, 'v')); });
  }
  trials.conclude();
}

void get_missing(Stage& stage) {
  Conversation& connection = stage.connection();
  connection.ask(get(stage.key("absent")), failure());
}

void not_a_counter(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Message made = connection.ask(insert(key, 5, minute), success());
  connection.ask(get(key), failure());
  expect_counter(stage, connection, key, 5, minute, made.window());
}

void get_changes_nothing(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Message made = connection.ask(set(key, "value", minute), success());
  for (int i = 0; i < 10; ++i)
    expect_buffer(stage, connection, key, "value", minute, made.window());
}

}  // namespace

BehaviourCases set_cases() {
  return {
      {"set/adds-a-buffer",
       "SET makes a buffer that GET finds, from any connection",
       "SET",
       Level::must,
       {"set.code", "set.layout", "set.adds-buffer", "set.status", "silence.set-value-size"},
       adds_buffer},
      {"set/any-bytes",
       "a value is any sequence of bytes",
       "SET",
       Level::must,
       {"set.adds-buffer", "get.found"},
       any_bytes},
      {"set/existing",
       "SET on a key that holds a buffer keeps to one answer",
       "SET",
       Level::should,
       {"silence.set-existing"},
       existing},
      {"set/on-a-counter",
       "SET on a counter fails and leaves it",
       "SET",
       Level::should,
       {"silence.kind-mismatch"},
       refuses_counter,
       {.unless = {{"kind-mismatch", "replaced"}}}},
      {"set/replaces-a-counter",
       "SET on a counter makes it a buffer",
       "SET",
       Level::should,
       {"silence.kind-mismatch"},
       replaces_counter,
       {.when = {{"kind-mismatch", "replaced"}}}},
      {"set/empty-value",
       "a value of length 0 is valid or refused, as the target says",
       "SET",
       Level::may,
       {"silence.empty-names"},
       empty_value},
      {"set/longest-value",
       "a value is kept up to the limit of its size, or 65535 bytes",
       "SET",
       Level::must,
       {"width.maximum", "set.adds-buffer", "get.found"},
       telling_lengths},
  };
}

BehaviourCases get_cases() {
  return {
      {"get/missing",
       "GET of a missing key is the byte 00",
       "GET",
       Level::must,
       {"get.code", "get.layout", "get.missing"},
       get_missing},
      {"get/not-a-counter",
       "GET of a counter fails and leaves it",
       "GET",
       Level::should,
       {"get.buffers", "record.kinds"},
       not_a_counter},
      {"get/changes-nothing",
       "GET changes neither value nor TTL",
       "GET",
       Level::must,
       {"get.found", "get.buffers", "silence.ttl-left"},
       get_changes_nothing},
  };
}

}  // namespace hallmark::conformance
