#include "conformance/suites/throttr/cases.hpp"
#include "conformance/suites/throttr/support.hpp"

namespace hallmark::conformance {
namespace {

using protocol::Level;

/// Keys that differ in one byte, in length, in case, behind a zero; enough of them that a target
/// which forgets some shows it.
void keys_apart(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string base = stage.channel("key");
  std::vector<std::string> keys{base,
                                base + "a",
                                base + "A",
                                base + std::string("\0", 1),
                                base + std::string("\0a", 2),
                                base + "\xff",
                                base + " ",
                                std::string(255 - base.size(), 'x') + base,
                                std::string(254 - base.size(), 'x') + base};
  for (char last = 'b'; last <= 'y'; ++last) keys.push_back(base + last);
  std::vector<Window> made;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    stage.own_key(keys[i]);
    made.push_back(connection.ask(insert(keys[i], i + 1, minute), success()).window());
  }
  for (std::size_t i = 0; i < keys.size(); ++i)
    expect_counter(stage, connection, keys[i], i + 1, minute, made[i]);
  connection.ask(purge(keys.front()), success());
  for (std::size_t i = 1; i < keys.size(); ++i)
    expect_counter(stage, connection, keys[i], i + 1, minute, made[i]);
}

void binary_keys(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key(binary("counter"));
  const Message made = connection.ask(insert(key, 1, minute), success());
  expect_counter(stage, connection, key, 1, minute, made.window());
}

void binary_keys_listed(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string counter = stage.key(binary("counter"));
  const std::string buffer = stage.key(binary("buffer"));
  connection.ask(insert(counter, 1, minute), success());
  const Message made = connection.ask(set(buffer, binary("value"), minute), success());
  expect_buffer(stage, connection, buffer, binary("value"), minute, made.window());
  const Message list = connection.ask(bare("LIST"));
  expect_listed_once(connection, list, "keys", "key", counter);
  expect_listed_once(connection, list, "keys", "key", buffer);
}

void one_kind(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Message made = connection.ask(set(key, "value", minute), success());
  connection.ask(query(key), failure());
  expect_buffer(stage, connection, key, "value", minute, made.window());
  connection.ask(purge(key), success());
  const Message again = connection.ask(insert(key, 1, minute), success());
  connection.ask(get(key), failure());
  expect_counter(stage, connection, key, 1, minute, again.window());
}

}  // namespace

BehaviourCases record_cases() {
  return {
      {"record/keys-apart",
       "keys that resemble each other are different records",
       "INSERT",
       Level::must,
       {"insert.adds-counter", "key.unique", "key.binary", "record.kinds"},
       keys_apart},
      {"record/binary-keys",
       "a key is any sequence of bytes",
       "INSERT",
       Level::must,
       {"key.binary"},
       binary_keys},
      {"record/binary-keys-listed",
       "LIST holds keys that are no text",
       "LIST",
       Level::must,
       {"key.binary", "list.names-last"},
       binary_keys_listed},
      {"record/one-kind",
       "a key holds a counter or a buffer, never both",
       "INSERT",
       Level::must,
       {"record.kinds"},
       one_kind,
       {.operations = {"SET", "GET"}}},
  };
}

}  // namespace hallmark::conformance
