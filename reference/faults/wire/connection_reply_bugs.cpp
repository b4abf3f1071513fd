#include <algorithm>

#include "protocol/little_endian.hpp"
#include "reference/faults/bugs.hpp"
#include "reference/faults/wire/spoiling.hpp"

namespace hallmark::faults {

Bugs connection_reply_bugs() {
  return {
      {.id = "connections.entry-short",
       .breaks = "an entry of CONNECTIONS ends before its last counter",
       .violates = {{"throttr-7.1", {"connections.entry"}}, {"throttr-7.3", {"connections.entry"}}},
       .code = of_bytes({"CONNECTIONS"},
                        [](Bytes& bytes, const Decoder& decoder, const WireContext&) {
                          erase_field(bytes, decoder, "whoami_requests");
                        }),
       .settles = "how a reply to CONNECTIONS is laid out"},
      {.id = "connections.counts-zero",
       .breaks = "CONNECTIONS counts no requests",
       .violates = {{"throttr-7.1", {"connections.counts"}}},
       .code = of_entries("CONNECTIONS", "connections",
                          [](Entries& connections) {
                            for (Record& one : connections) {
                              const Record counted = one;
                              for (const auto& [name, value] : counted.fields()) {
                                if (name.ends_with("_requests"))
                                  one.set(protocol::FieldName::unchecked(name), std::uint64_t{0});
                              }
                            }
                          })},
      {.id = "connections.number-of-fragments-off",
       .breaks = "CONNECTIONS announces one fragment too many",
       .violates = {{"throttr-7.1", {"connections.fragments"}}},
       .code = one_fragment_more("CONNECTIONS"),
       .settles = "how a reply to CONNECTIONS is laid out"},
      {.id = "connections.asker-missing",
       .breaks = "CONNECTIONS leaves out the last connection",
       .violates = {{"throttr-7.1", {"connections.fragments"}}},
       .code = of_entries("CONNECTIONS", "connections",
                          [](Entries& connections) {
                            if (!connections.empty()) connections.pop_back();
                          })},
      {.id = "connection.found-for-anybody",
       .breaks = "CONNECTION of an unknown id is answered with zeros",
       .violates = {{"throttr-7.1", {"connection.missing"}}},
       .code = of_bytes({"CONNECTION"}, succeed_with_zeros)},
      {.id = "connection.other-id",
       .breaks = "CONNECTION answers with an id that is not the one asked for",
       .violates = {{"throttr-7.1", {"connection.found"}}},
       .code = of_reply(
           {"CONNECTION"},
           [](Record& values) { with_bytes(values, "id", [](Bytes& id) { id[0] ^= 0xff; }); })},
      {.id = "whoami.constant",
       .breaks = "WHOAMI tells everybody the same id",
       .violates = {{"throttr-7.1", {"whoami.id"}}},
       .code = of_reply({"WHOAMI"},
                        [](Record& values) {
                          with_bytes(values, "id", [](Bytes& id) { id.assign(id.size(), 0x11); });
                        }),
       .settles = "which id WHOAMI tells"},
      {.id = "whoami.changes",
       .breaks = "WHOAMI tells another id each time",
       .violates = {{"throttr-7.1", {"whoami.id"}}},
       .code = wire({.operations = {"WHOAMI"},
                     .reply =
                         [](Record& values, const WireContext& context) {
                           with_bytes(values, "id", [&](Bytes& id) {
                             protocol::store_little_endian(id.data(), context.number, 8);
                           });
                         }}),
       .settles = "which id WHOAMI tells"},
      {.id = "channels.number-of-fragments-off",
       .breaks = "CHANNELS announces one fragment too many",
       .violates = {{"throttr-7.1", {"channels.fragments"}}},
       .code = one_fragment_more("CHANNELS")},
      {.id = "channels.subscribers-off",
       .breaks = "CHANNELS counts one subscriber too many",
       .violates = {{"throttr-7.1", {"channels.entry"}}},
       .code = of_entries("CHANNELS", "channels",
                          [](Entries& channels) {
                            for (Record& one : channels)
                              one.set("subscribed_connections",
                                      one.number("subscribed_connections") + 1);
                          })},
      {.id = "channels.names-reversed",
       .breaks = "the channels of a fragment stand in the reverse order of its entries",
       .violates = {{"throttr-7.1", {"channels.names-last"}}},
       .code = of_entries("CHANNELS", "channels",
                          [](Entries& channels) { reverse_names(channels, "channel"); })},
      {.id = "channel.found-for-anything",
       .breaks = "CHANNEL of an unknown channel succeeds with no subscribers",
       .violates = {{"throttr-7.1", {"channel.missing"}}},
       .code = of_bytes({"CHANNEL"}, succeed_with_zeros)},
      {.id = "channel.ids-zero",
       .breaks = "CHANNEL tells no ids",
       .violates = {{"throttr-7.1", {"channel.found"}}},
       .code = of_reply({"CHANNEL"},
                        [](Record& values) {
                          const protocol::Value* const found = values.find("subscribers");
                          if (found == nullptr) return;
                          Entries subscribers = std::get<Entries>(*found);
                          for (Record& one : subscribers) one.set("connection_id", Bytes(16, 0));
                          values.set("subscribers", std::move(subscribers));
                        })},
  };
}

}  // namespace hallmark::faults
