#pragma once

#include "conformance/drivers/stream/network.hpp"
#include "protocol/record.hpp"
#include "protocol/throttr_terms.hpp"

namespace hallmark::conformance {

/// A request by the name of its operation and the values of its fields, in the words that all
/// versions of the protocol share (protocol/throttr_words.hpp).
struct Request {
  protocol::MessageName operation;
  protocol::Record values;
};

using protocol::Attribute;
using protocol::Change;
using protocol::length_of;
using protocol::TtlUnit;

struct Ttl {
  TtlUnit unit = TtlUnit::hours;
  std::uint64_t amount = 1;
  Time length() const { return length_of(unit) * amount; }
};

/// The TTL of records that are to stay: no case lasts that long.
inline constexpr Ttl minute{TtlUnit::seconds, 60};
constexpr Ttl ms(std::uint64_t amount) { return {TtlUnit::milliseconds, amount}; }

Request insert(std::string_view key, std::uint64_t quota, Ttl ttl = {});
Request query(std::string_view key);
Request update(std::string_view key, Attribute attribute, Change change, std::uint64_t value);
Request purge(std::string_view key);
Request set(std::string_view key, std::string_view value, Ttl ttl = {});
Request get(std::string_view key);
Request stat(std::string_view key);
Request subscribe(std::string_view channel);
Request unsubscribe(std::string_view channel);
Request publish(std::string_view channel, std::string_view payload);
Request channel(std::string_view channel);
Request connection(const base::Bytes& id);
/// CONNECTION, in dialects that ask by index.
Request connection_at(std::uint64_t index);
/// The PURGE that removes the record which those fields name: a key, or a pair.
Request purge_of(const protocol::Record& name);
/// LIST, INFO, STATS, CONNECTIONS, CHANNELS, WHOAMI.
Request bare(protocol::MessageName operation);

}  // namespace hallmark::conformance
