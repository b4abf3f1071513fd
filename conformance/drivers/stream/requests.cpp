#include "conformance/drivers/stream/requests.hpp"

namespace hallmark::conformance {
namespace {

using protocol::Value;

Value text(std::string_view bytes) { return base::to_bytes(bytes); }

}  // namespace

Request insert(std::string_view key, std::uint64_t quota, Ttl ttl) {
  return {
      "INSERT",
      {{"quota", quota}, {"ttl_type", code(ttl.unit)}, {"ttl", ttl.amount}, {"key", text(key)}}};
}

Request query(std::string_view key) { return {"QUERY", {{"key", text(key)}}}; }

Request update(std::string_view key, Attribute attribute, Change change, std::uint64_t value) {
  return {"UPDATE",
          {{"attribute", code(attribute)},
           {"change", code(change)},
           {"value", value},
           {"key", text(key)}}};
}

Request purge(std::string_view key) { return {"PURGE", {{"key", text(key)}}}; }

Request set(std::string_view key, std::string_view value, Ttl ttl) {
  return {"SET",
          {{"ttl_type", code(ttl.unit)},
           {"ttl", ttl.amount},
           {"key", text(key)},
           {"value", text(value)}}};
}

Request get(std::string_view key) { return {"GET", {{"key", text(key)}}}; }
Request stat(std::string_view key) { return {"STAT", {{"key", text(key)}}}; }
Request subscribe(std::string_view name) { return {"SUBSCRIBE", {{"channel", text(name)}}}; }
Request unsubscribe(std::string_view name) { return {"UNSUBSCRIBE", {{"channel", text(name)}}}; }

Request publish(std::string_view name, std::string_view payload) {
  return {"PUBLISH", {{"channel", text(name)}, {"payload", text(payload)}}};
}

Request channel(std::string_view name) { return {"CHANNEL", {{"channel", text(name)}}}; }
Request connection(const base::Bytes& id) { return {"CONNECTION", {{"id", id}}}; }
Request connection_at(std::uint64_t index) { return {"CONNECTION", {{"index", index}}}; }
Request purge_of(const protocol::Record& name) { return {"PURGE", name}; }
Request bare(protocol::MessageName operation) { return {operation, {}}; }

}  // namespace hallmark::conformance
