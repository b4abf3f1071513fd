#include "conformance/suites/throttr/cases.hpp"
#include "conformance/suites/throttr/support.hpp"

namespace hallmark::conformance {
namespace {

using protocol::Level;

void removes_counter(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  connection.ask(insert(key, 1), success());
  connection.ask(purge(key), success());
  connection.ask(query(key), failure());
  if (stage.format().has("STAT")) connection.ask(stat(key), failure());
}

void removes_buffer(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  connection.ask(set(key, "value"), success());
  connection.ask(purge(key), success());
  connection.ask(get(key), failure());
}

void purge_missing(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Patterns of_nothing = status(stage.reads({"purge-missing", "accepted"}));
  connection.ask(purge(key), of_nothing);
  connection.ask(insert(key, 1), success());
  connection.ask(purge(key), success());
  connection.ask(purge(key), of_nothing);
}

void only_that_key(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string gone = stage.key("k");
  const std::string stays = stage.key("kk");
  connection.ask(insert(gone, 1), success());
  const Message kept = connection.ask(insert(stays, 2), success());
  connection.ask(purge(gone), success());
  expect_counter(stage, connection, stays, 2, {}, kept.window());
}

}  // namespace

BehaviourCases purge_cases() {
  return {
      {"purge/removes-a-counter",
       "a purged counter is gone for QUERY and STAT",
       "PURGE",
       Level::must,
       {"purge.code", "purge.layout", "purge.removes", "purge.status"},
       removes_counter},
      {"purge/removes-a-buffer",
       "a purged buffer is gone for GET",
       "PURGE",
       Level::must,
       {"purge.removes"},
       removes_buffer,
       {.operations = {"SET", "GET"}}},
      {"purge/missing",
       "PURGE of what is not there keeps to one answer",
       "PURGE",
       Level::must,
       {"purge.status", "purge.missing", "silence.purge-missing"},
       purge_missing},
      {"purge/only-that-key",
       "PURGE leaves other keys",
       "PURGE",
       Level::must,
       {"purge.removes", "key.unique"},
       only_that_key},
  };
}

}  // namespace hallmark::conformance
