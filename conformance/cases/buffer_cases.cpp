#include "conformance/cases/cases.hpp"

#include <fmt/format.h>

#include "conformance/cases/support.hpp"

namespace hallmark::conformance {
namespace {

using protocol::Level;

constexpr Ttl minute{TtlUnit::seconds, 60};

void adds_buffer(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  connection.ask(get(key), failure());
  const Message made = connection.ask(set(key, "value", minute), success());
  expect_buffer(connection, key, "value", minute, made.window());
  expect_buffer(stage.connection("c2"), key, "value", minute, made.window());
}

void any_bytes(Stage& stage) {
  Conversation& connection = stage.connection();
  std::string all;
  for (int byte = 0; byte < 255; ++byte) all += static_cast<char>(byte);
  for (const std::string& value : {binary("v"), all, std::string(1, '\0')}) {
    const std::string key = stage.key(fmt::format("k{}", value.size()));
    const Message made = connection.ask(set(key, value, minute), success());
    expect_buffer(connection, key, value, minute, made.window());
  }
}

void existing(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Message first = connection.ask(set(key, "first", minute), success());
  const Ttl longer{TtlUnit::seconds, 100};
  const Message second = connection.ask(set(key, "second", longer), any_status());
  const bool replaced = second.succeeded();
  expect_buffer(connection, key, replaced ? "second" : "first", replaced ? longer : minute,
                replaced ? second.window() : first.window());
}

void on_a_counter(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Message made = connection.ask(insert(key, 5, minute), success());
  connection.ask(set(key, "value", minute), failure());
  expect_counter(connection, key, 5, minute, made.window());
}

void missing(Stage& stage) {
  Conversation& connection = stage.connection();
  connection.ask(get(stage.key("absent")), failure());
}

void not_a_counter(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Message made = connection.ask(insert(key, 5, minute), success());
  connection.ask(get(key), failure());
  expect_counter(connection, key, 5, minute, made.window());
}

void changes_nothing(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Message made = connection.ask(set(key, "value", minute), success());
  for (int i = 0; i < 10; ++i) expect_buffer(connection, key, "value", minute, made.window());
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
       on_a_counter},
  };
}

BehaviourCases get_cases() {
  return {
      {"get/missing",
       "GET of a missing key is the byte 00",
       "GET",
       Level::must,
       {"get.code", "get.layout", "get.missing"},
       missing},
      {"get/not-a-counter",
       "GET of a counter fails and leaves it",
       "GET",
       Level::should,
       {"get.buffers", "silence.kind-mismatch"},
       not_a_counter},
      {"get/changes-nothing",
       "GET changes neither value nor TTL",
       "GET",
       Level::must,
       {"get.found", "get.buffers", "silence.ttl-left"},
       changes_nothing},
  };
}

}  // namespace hallmark::conformance
