#include <algorithm>

#include "reference/faults/bugs.hpp"
#include "reference/faults/wire/spoiling.hpp"

namespace hallmark::faults {

namespace {

/// The name of a record or a channel loses its last byte.
Code of_cut_name(protocol::MessageName operation) {
  return of_request(operation,
                    [](Record& values) { with_bytes(values, name_in(values), cut_last); });
}

/// Keys are taken for others.
Code of_keys(void (*change)(Bytes&)) {
  return wire({.request = [change](Record& values, const WireContext&) {
    for (const protocol::FieldName name :
         std::initializer_list<protocol::FieldName>{"key", "consumer_id", "resource_id"})
      with_bytes(values, name, change);
  }});
}

}  // namespace

Bugs request_bugs() {
  return {
      {.id = "request.insert-fields-swapped",
       .breaks = "INSERT reads the TTL before the quota",
       .violates = {{"throttr-7.1", {"insert.layout", "insert.adds-counter"}},
                    {"throttr-2.0", {"insert.layout"}}},
       .code = of_request("INSERT", [](Record& values) { swap_fields(values, "quota", "ttl"); })},
      {.id = "request.update-codes-swapped",
       .breaks = "UPDATE reads the change before the attribute",
       .violates = {{"throttr-7.1", {"update.layout", "update.attributes", "update.changes"}},
                    {"throttr-2.0", {"update.layout"}}},
       .code = of_request("UPDATE",
                          [](Record& values) { swap_fields(values, "attribute", "change"); })},
      {.id = "request.set-parts-swapped",
       .breaks = "SET reads the value before the key",
       .violates = {{"throttr-7.1", {"set.layout", "set.adds-buffer"}}},
       .code = of_request("SET", [](Record& values) { swap_fields(values, "key", "value"); })},
      {.id = "request.publish-parts-swapped",
       .breaks = "PUBLISH reads the payload before the channel",
       .violates = {{"throttr-7.1", {"publish.layout"}}},
       .code = of_request("PUBLISH",
                          [](Record& values) { swap_fields(values, "channel", "payload"); })},
      {.id = "request.query-key-shifted",
       .breaks = "QUERY takes the first byte of the key for the second byte of its size",
       .violates = {{"throttr-7.1", {"query.layout"}}, {"throttr-2.0", {"query.layout"}}},
       .code = of_request("QUERY",
                          [](Record& values) {
                            with_bytes(values, name_in(values), [](Bytes& key) {
                              if (!key.empty()) key.erase(key.begin());
                            });
                          })},
      {.id = "request.get-key-cut",
       .breaks = "GET loses the last byte of the key",
       .violates = {{"throttr-7.1", {"get.layout"}}},
       .code = of_cut_name("GET")},
      {.id = "request.purge-key-cut",
       .breaks = "PURGE loses the last byte of the key",
       .violates = {{"throttr-7.1", {"purge.layout", "purge.removes"}},
                    {"throttr-2.0", {"purge.layout"}}},
       .code = of_cut_name("PURGE")},
      {.id = "request.stat-key-cut",
       .breaks = "STAT loses the last byte of the key",
       .violates = {{"throttr-7.1", {"stat.layout"}}},
       .code = of_cut_name("STAT")},
      {.id = "request.subscribe-channel-cut",
       .breaks = "SUBSCRIBE loses the last byte of the channel",
       .violates = {{"throttr-7.1", {"subscribe.layout", "subscribe.starts"}}},
       .code = of_cut_name("SUBSCRIBE")},
      {.id = "request.unsubscribe-channel-cut",
       .breaks = "UNSUBSCRIBE loses the last byte of the channel",
       .violates = {{"throttr-7.1", {"unsubscribe.layout", "unsubscribe.finishes"}}},
       .code = of_cut_name("UNSUBSCRIBE")},
      {.id = "keys.cut-at-nul",
       .breaks = "a key ends at its first zero byte",
       .violates = {{"throttr-7.1", {"key.binary"}}, {"throttr-2.0", {"key.binary"}}},
       .code = of_keys(cut_at_nul)},
      {.id = "keys.ignore-case",
       .breaks = "keys that differ in the case of letters are one record",
       .violates = {{"throttr-7.1", {"key.unique"}}, {"throttr-2.0", {"key.unique"}}},
       .code = of_keys([](Bytes& key) {
         for (std::uint8_t& byte : key) {
           if (byte >= 'A' && byte <= 'Z') byte |= 0x20;
         }
       })},
      {.id = "keys.trimmed",
       .breaks = "blanks around a key are dropped",
       .violates = {{"throttr-7.1", {"key.unique", "key.binary"}}},
       .code = of_keys([](Bytes& key) {
         while (!key.empty() && key.back() == ' ') key.pop_back();
         while (!key.empty() && key.front() == ' ') key.erase(key.begin());
       })},
      {.id = "keys.cut-at-64",
       .breaks = "only the first 64 bytes of a key tell it from others",
       .violates = {{"throttr-7.1", {"key.unique"}}},
       .code = of_keys([](Bytes& key) {
         if (key.size() > 64) key.resize(64);
       })},
      {.id = "keys.not-utf8-refused",
       .breaks = "a key that is no UTF-8 is taken for an empty one",
       .violates = {{"throttr-7.1", {"key.binary"}}},
       .code = of_keys([](Bytes& key) {
         if (is_utf8_lead_error(key)) key.clear();
       })},
      {.id = "missing.publish",
       .breaks = "the server does not know PUBLISH",
       .violates = {{"throttr-7.1", {"publish.code", "publish.delivers"}}},
       .code = wire({.operations = {"PUBLISH"}, .unknown = true}),
       .operation_missing = true},
      {.id = "missing.stats",
       .breaks = "the server does not know STATS",
       .violates = {{"throttr-7.1", {"stats.code"}}, {"throttr-7.3", {"stats.code"}}},
       .code = wire({.operations = {"STATS"}, .unknown = true}),
       .operation_missing = true},
  };
}

}  // namespace hallmark::faults
