#include "conformance/suites/throttr/cases.hpp"
#include "conformance/suites/throttr/support.hpp"

/// Throttr 7.4 only: EXISTS, and the number of all channels in each fragment of CHANNELS.
namespace hallmark::conformance {
namespace {

using protocol::Level;

Request exists(std::string_view key) { return {"EXISTS", {{"key", base::to_bytes(key)}}}; }

void changes_nothing(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  const Message inserted = connection.ask(insert(key, 5, minute), success());
  for (int i = 0; i < 10; ++i) connection.ask(exists(key), success());
  expect_counter(stage, connection, key, 5, minute, inserted.window());
}

void lists_all(Stage& stage) {
  Conversation& connection = stage.connection();
  connection.ask(subscribe(stage.channel("c")), success());
  const Message reply = connection.ask(bare("CHANNELS"));
  std::uint64_t channels = 0;
  reply.view().for_each("channels", [&](const auto&) { ++channels; });
  reply.view().for_each("fragments", [&](const auto& fragment) {
    const auto* const listed = fragment.find("listed");
    stage.require(listed != nullptr && listed->number == channels,
                  "a fragment tells another number of channels than the reply lists");
  });
}

}  // namespace

BehaviourCases throttr_7_4_cases() {
  return {
      {"exists/changes-nothing",
       "EXISTS changes neither quota nor TTL",
       "EXISTS",
       Level::must,
       {"exists.layout", "exists.status"},
       changes_nothing},
      {"channels/listed",
       "each fragment tells how many channels the reply lists",
       "CHANNELS",
       Level::must,
       {"channels.listed"},
       lists_all},
  };
}

}  // namespace hallmark::conformance
