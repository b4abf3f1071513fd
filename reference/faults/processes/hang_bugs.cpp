#include "reference/faults/bugs.hpp"
#include "reference/faults/channels/pub_sub_fault.hpp"
#include "reference/faults/connections/connection_fault.hpp"
#include "reference/faults/processes/endings.hpp"
#include "reference/faults/wire/spoiling.hpp"

namespace hallmark::faults {
namespace {

struct SpinsOnHalfRequest : ConnectionHooks {
  bool half_close_unnoticed(const ByteBuffer& in) override {
    if (!in.empty()) spin();
    return false;
  }
};

struct SleepsOnReset : ConnectionHooks {
  void ended(Ending ending, const ByteBuffer&, const ByteBuffer&) override {
    if (ending == Ending::broken) sleep_for_ever();
  }
};

struct SleepsPublishingToItself : AroundPubSub {
  using AroundPubSub::AroundPubSub;
  bool publish(Connection& publisher, std::string_view name, std::uint64_t payload_bytes,
               std::vector<Connection*>& recipients) override {
    if (is_subscribed(publisher, name)) sleep_for_ever();
    return right.publish(publisher, name, payload_bytes, recipients);
  }
};

/// UNSUBSCRIBE takes a lock and returns early without giving it back.
struct SleepsAfterStrangerLeft : AroundPubSub {
  using AroundPubSub::AroundPubSub;
  bool subscribe(const Moment& at, Connection& connection, std::string_view name) override {
    if (is_locked) sleep_for_ever();
    return right.subscribe(at, connection, name);
  }
  bool unsubscribe(Connection& connection, std::string_view name) override {
    is_locked = right.find(name) != nullptr && !is_subscribed(connection, name);
    return right.unsubscribe(connection, name);
  }
  bool is_locked = false;
};

/// A connection is not answered any more after a reply of which that is true.
Code mute_after(bool (*last)(const Bytes& reply, const WireContext& context)) {
  return wire({.bytes = [last](Bytes& bytes, const Decoder&, const WireContext& context) {
    const bool is_last = last(bytes, context);
    if (context.memory.mute) bytes.clear();
    if (is_last) context.memory.mute = true;
  }});
}

}  // namespace

Bugs hang_bugs() {
  return {
      {.id = "hang.spins-on-unlisted-change",
       .breaks = "an UPDATE with a change that is not listed keeps the process busy for ever",
       .violates = {{"throttr-7.1", {"silence.change-unknown"}},
                    {"throttr-2.0", {"silence.change-unknown"}}},
       .code = wire({.operations = {"UPDATE"},
                     .request =
                         [](Record& values, const WireContext&) {
                           if (values.number("change") > code(Change::decrease)) spin();
                         }})},
      {.id = "hang.spins-on-half-request",
       .breaks = "a half-close inside a request keeps the process busy for ever",
       .violates = {{"throttr-7.1", {"silence.neighbours"}}},
       .code = connections<SpinsOnHalfRequest>()},
      {.id = "hang.sleeps-on-reset",
       .breaks = "when a connection is reset, the process waits for ever",
       .violates = {{"throttr-7.1", {"silence.ended-connections"}}},
       .code = connections<SleepsOnReset>()},
      {.id = "hang.sleeps-publishing-to-itself",
       .breaks = "when a subscriber publishes on its channel, the process waits for ever",
       .violates = {{"throttr-7.1", {"silence.publish-self"}}},
       .code = pub_sub<SleepsPublishingToItself>()},
      {.id = "hang.sleeps-after-a-stranger-left",
       .breaks =
           "behind an UNSUBSCRIBE from a channel of others, the next SUBSCRIBE waits for ever",
       .violates = {{"throttr-7.1", {"silence.unsubscribe-absent"}}},
       .code = pub_sub<SleepsAfterStrangerLeft>()},
      {.id = "mute.after-failures",
       .breaks = "a connection is not answered any more after three replies of failure",
       .violates = {{"throttr-7.1", {"stream.framing"}}, {"throttr-2.0", {"stream.framing"}}},
       .code = mute_after([](const Bytes& reply, const WireContext& context) {
         return failed(reply, context.layout) && ++context.memory.failures == 3;
       }),
       .settles = "when a connection is not answered any more"},
      {.id = "mute.after-long-reply",
       .breaks = "a connection is not answered any more after a reply of more than 2048 bytes",
       .violates = {{"throttr-7.1", {"stream.framing"}}},
       .code =
           mute_after([](const Bytes& reply, const WireContext&) { return reply.size() > 2'048; }),
       .settles = "when a connection is not answered any more"},
      {.id = "mute.after-150-requests",
       .breaks = "a connection is not answered any more after 150 requests",
       .violates = {{"throttr-7.1", {"silence.sent-ahead"}}},
       .code = mute_after(
           [](const Bytes&, const WireContext& context) { return context.number >= 150; }),
       .settles = "when a connection is not answered any more"},
  };
}

}  // namespace hallmark::faults
