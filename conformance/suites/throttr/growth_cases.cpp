#include <fmt/format.h>

#include "conformance/suites/throttr/cases.hpp"
#include "conformance/suites/throttr/growth.hpp"

/// Cases about what connections and records that are over leave in the process of the target.
namespace hallmark::conformance {
namespace {

using protocol::Level;

/// One after the other, closed and reset in turn.
void brief_connections(Stage& stage, std::size_t count) {
  const Request harmless = query(stage.channel("absent"));
  for (std::size_t i = 0; i < count; ++i) {
    Conversation& connection = stage.connection("brief");
    connection.ask(harmless);
    if (i % 2 == 1) connection.reset();
    stage.close("brief");
  }
  stage.bystander().barrier();
}

/// The life of a record, and of a subscription where there are such.
std::vector<Request> life_of(const WireFormat& format, const std::string& name) {
  std::vector<Request> all = {insert(name, 5), query(name), purge(name)};
  if (format.has("SET")) {
    for (Request& one : std::vector<Request>{set(name, "value"), get(name), purge(name)})
      all.push_back(std::move(one));
  }
  if (format.has("SUBSCRIBE")) {
    all.push_back(subscribe(name));
    all.push_back(unsubscribe(name));
  }
  return all;
}

/// Each under a name of its own, which the target never hears again.
void brief_records(Stage& stage, std::size_t count) {
  constexpr std::size_t together = 50;
  Conversation& connection = stage.connection("records");
  std::vector<Outgoing> requests;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = stage.channel(fmt::format("{:08}", stage.context().next_serial()));
    for (const Request& one : life_of(stage.format(), name))
      requests.push_back(encoded(stage.format(), one));
    if ((i + 1) % together != 0 && i + 1 != count) continue;
    connection.send_together(requests);
    for (std::size_t reply = 0; reply < requests.size(); ++reply) connection.reply();
    requests.clear();
  }
}

/// Half a request, a half-close and a reset may each leave a loop that never waits.
void rest(Stage& stage) {
  own_process(stage);
  const Outgoing request = encoded(stage.format(), query(stage.channel("absent")));
  const auto half = base::ByteView(request.bytes).first(request.bytes.size() / 2);
  brief_connections(stage, 2);
  stage.connection("silent");
  stage.connection("half a request").send_raw(half);
  stage.connection("half-closed").finish_sending();
  stage.connection("torn").send_raw(half);
  stage.connection("torn").reset();
  stage.close("torn");
  stage.bystander().barrier();
  expect_rest(stage);
  stage.close("half a request");
  stage.close("half-closed");
}

}  // namespace

BehaviourCases growth_cases() {
  return {
      {"growth/descriptors",
       "connections that are over leave no descriptor open",
       "QUERY",
       Level::should,
       {"silence.ended-connections", "silence.left-over"},
       [](Stage& stage) { expect_no_descriptors_kept(stage, brief_connections); },
       {.exclusive = true}},
      {"growth/threads",
       "connections that are over leave no thread",
       "QUERY",
       Level::should,
       {"silence.ended-connections", "silence.left-over"},
       [](Stage& stage) { expect_no_threads_kept(stage, brief_connections); },
       {.exclusive = true}},
      {"growth/memory-of-connections",
       "connections that are over leave no memory taken",
       "QUERY",
       Level::should,
       {"silence.ended-connections", "silence.left-over"},
       [](Stage& stage) { expect_no_memory_kept(stage, "connection", brief_connections); },
       {.exclusive = true}},
      {"growth/memory-of-records",
       "records that were purged leave no memory taken",
       "PURGE",
       Level::should,
       {"silence.left-over"},
       [](Stage& stage) { expect_no_memory_kept(stage, "record", brief_records); },
       {.exclusive = true}},
      {"growth/rest",
       "a server that nobody asks anything rests",
       "QUERY",
       Level::should,
       {"silence.rest"},
       rest,
       {.exclusive = true}},
  };
}

}  // namespace hallmark::conformance
