#include "conformance/cases/cases.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/cases/support.hpp"
#include "reference/protocol/mutate.hpp"

namespace hallmark::conformance {
namespace {

using protocol::Bytes;
using protocol::Level;
using protocol::Mutation;

/// What became of a connection after bytes that are no request.
enum class End : std::uint8_t {
  recovered,       ///< the requests behind the bytes were answered, and nothing else was sent
  refused,         ///< one status, and then as `recovered`
  closed,          ///< the target ended the connection
  desynchronised,  ///< anything else
};

std::string_view name_of(End end) {
  switch (end) {
    case End::recovered: return "recovered";
    case End::refused: return "refused and recovered";
    case End::closed: return "closed";
    case End::desynchronised: return "desynchronised";
  }
  return "";
}

/// Requests whose replies are known and resemble nothing else: 00 01 01 00.
struct Canary {
  Bytes requests;
  Bytes replies{0x00, 0x01, 0x01, 0x00};
};

Canary canary_of(Stage& stage, const std::string& key) {
  Canary canary;
  for (const Request& request : {query(key), insert(key, 1), purge(key), query(key)}) {
    const Bytes bytes = encoded(stage.format(), request).bytes;
    canary.requests.insert(canary.requests.end(), bytes.begin(), bytes.end());
  }
  return canary;
}

End end_of(const Conversation::Farewell& farewell, const Canary& canary) {
  const Bytes& got = farewell.bytes;
  if (got == canary.replies) return End::recovered;
  if (got.size() == canary.replies.size() + 1 && got.front() <= 1 &&
      std::equal(canary.replies.begin(), canary.replies.end(), got.begin() + 1)) {
    return End::refused;
  }
  // Without the canary's replies the target heard no more of us, whatever it said before.
  if (got.size() <= 1 && farewell.end != Arrival::timed_out) return End::closed;
  return End::desynchronised;
}

/// Sends the bytes and the canary, and then nothing more, so that no answer has to be waited for.
End send_wrong(Stage& stage, const Bytes& wrong, const std::string& key) {
  const Canary canary = canary_of(stage, key);
  Bytes all = wrong;
  all.insert(all.end(), canary.requests.begin(), canary.requests.end());
  Conversation& connection = stage.connection("wrong");
  connection.send_raw(all);
  const auto farewell = connection.finish();
  stage.close("wrong");
  return end_of(farewell, canary);
}

void expect_bystander(Stage& stage, const std::string& after) {
  if (!stage.bystander().answers())
    stage.fail(fmt::format("after {} another connection is no longer answered", after));
}

std::vector<Mutation> mutations_of(Stage& stage, const Request& request, std::string_view kind) {
  const Outgoing whole = encoded(stage.format(), request);
  auto all = protocol::mutations(stage.format().request(*whole.operation), whole.bytes);
  std::erase_if(all, [&](const Mutation& mutation) { return !mutation.id.starts_with(kind); });
  return all;
}

std::vector<Request> typical_requests(Stage& stage) {
  const std::string key = stage.key("k");
  const std::string name = stage.channel("ch");
  // Whatever a wrong size turns the key into: it does not stay.
  const Ttl brief{TtlUnit::milliseconds, 1};
  return {insert(key, 5, brief),
          query(key),
          update(key, Attribute::quota, Change::increase, 1),
          purge(key),
          set(key, "value", brief),
          get(key),
          stat(key),
          subscribe(name),
          unsubscribe(name),
          publish(name, "payload"),
          channel(name),
          connection(Bytes(16, 0x5a))};
}

void unknown_opcodes(Stage& stage) {
  const std::string key = stage.key("canary");
  for (const std::uint8_t opcode : protocol::unknown_opcodes(stage.format().dialect())) {
    send_wrong(stage, {opcode}, key);
    expect_bystander(stage, fmt::format("the opcode {:02x}", opcode));
  }
}

/// Where the framing is not in doubt, a target may refuse or close, and must not lose its place.
void unlisted(Stage& stage, const Request& request) {
  const std::string key = stage.key("canary");
  for (const Mutation& mutation : mutations_of(stage, request, "unlisted")) {
    const End end = send_wrong(stage, mutation.bytes, key);
    if (end == End::desynchronised || end == End::recovered) {
      stage.fail(fmt::format("after {} the connection is {}; allowed: a status, or closed",
                             mutation.id, name_of(end)));
    }
    expect_bystander(stage, mutation.id);
  }
}

void unlisted_ttl_types(Stage& stage) {
  unlisted(stage, insert(stage.key("counter"), 5));
  unlisted(stage, set(stage.key("buffer"), "value"));
}

/// Only one field is wrong at a time.
void unlisted_in_update(Stage& stage, std::string_view field) {
  const std::string key = stage.key("canary");
  const std::string counter = stage.key("counter");
  stage.connection("c1").ask(insert(counter, 5), success());
  for (const Mutation& mutation :
       mutations_of(stage, update(counter, Attribute::quota, Change::increase, 1), "unlisted")) {
    if (mutation.field != field) continue;
    const End end = send_wrong(stage, mutation.bytes, key);
    if (end != End::refused && end != End::closed) {
      stage.fail(fmt::format("after {} the connection is {}; allowed: a status, or closed",
                             mutation.id, name_of(end)));
    }
    expect_bystander(stage, mutation.id);
  }
}

void unlisted_attributes(Stage& stage) { unlisted_in_update(stage, "attribute"); }
void unlisted_changes(Stage& stage) { unlisted_in_update(stage, "change"); }

/// Requests that end in the middle, and then the connection does too.
void truncated(Stage& stage) {
  for (const Request& request : typical_requests(stage)) {
    for (const Mutation& mutation : mutations_of(stage, request, "cut")) {
      Conversation& connection = stage.connection("wrong");
      connection.send_raw(mutation.bytes);
      const auto farewell = connection.finish();
      stage.close("wrong");
      if (!farewell.bytes.empty()) {
        stage.fail(
            fmt::format("{} was answered although it was {}", request.operation, mutation.id));
      }
      expect_bystander(stage, fmt::format("{} of {}", mutation.id, request.operation));
    }
  }
}

/// Sizes that do not measure what follows: the connection may end in any way, others may not.
void wrong_sizes(Stage& stage) {
  const std::string key = stage.key("canary");
  for (const Request& request : typical_requests(stage)) {
    for (const Mutation& mutation : mutations_of(stage, request, "size")) {
      send_wrong(stage, mutation.bytes, key);
      expect_bystander(stage, fmt::format("{} of {}", mutation.id, request.operation));
    }
  }
}

void connect_and_leave(Stage& stage) {
  for (int i = 0; i < 20; ++i) {
    stage.connection("brief");
    stage.close("brief");
  }
  expect_bystander(stage, "connections that said nothing");
}

void reply_unread(Stage& stage) {
  for (int i = 0; i < 20; ++i) {
    for (int request = 0; request < 20; ++request) stage.connection("brief").send(bare("INFO"));
    stage.close("brief");
  }
  expect_bystander(stage, "connections that closed with replies unread");
}

}  // namespace

BehaviourCases robustness_cases() {
  return {
      {"robustness/unknown-opcodes",
       "an opcode that nobody defines harms no other connection",
       "INSERT",
       Level::may,
       {"silence.opcode-unknown"},
       unknown_opcodes},
      {"robustness/unlisted-ttl-types",
       "an unlisted TTL type is refused or ends the connection",
       "INSERT",
       Level::may,
       {"silence.ttl-type-unknown"},
       unlisted_ttl_types},
      {"robustness/unlisted-attributes",
       "an unlisted attribute is refused or ends the connection",
       "UPDATE",
       Level::may,
       {"silence.attribute-unknown"},
       unlisted_attributes},
      {"robustness/unlisted-changes",
       "an unlisted change is refused or ends the connection",
       "UPDATE",
       Level::may,
       {"silence.change-unknown"},
       unlisted_changes},
      {"robustness/truncated",
       "a request that ends too soon is not answered and harms nobody",
       "INSERT",
       Level::must,
       {"stream.framing"},
       truncated},
      {"robustness/wrong-sizes",
       "a size that measures something else harms no other connection",
       "INSERT",
       Level::may,
       {"stream.framing"},
       wrong_sizes},
      {"robustness/connect-and-leave",
       "connections that say nothing harm nobody",
       "INSERT",
       Level::must,
       {"stream.framing"},
       connect_and_leave},
      {"robustness/replies-unread",
       "connections that close with replies unread harm nobody",
       "INFO",
       Level::must,
       {"stream.reply-order"},
       reply_unread},
  };
}

}  // namespace hallmark::conformance
