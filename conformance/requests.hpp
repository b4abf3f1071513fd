#pragma once

#include "conformance/network.hpp"
#include "reference/protocol/record.hpp"

namespace hallmark::conformance {

/// A request by the name of its operation and the values of its fields.
struct Request {
  std::string_view operation;
  protocol::Record values;
};

/// Codes of TTL types.
enum class TimeUnit : std::uint8_t {
  nanoseconds = 1,
  microseconds = 2,
  milliseconds = 3,
  seconds = 4,
  minutes = 5,
  hours = 6,
};

/// Length of a unit in nanoseconds.
Time length_of(TimeUnit unit);

struct Ttl {
  TimeUnit unit = TimeUnit::hours;
  std::uint64_t amount = 1;
  Time length() const { return length_of(unit) * amount; }
};

enum class Attribute : std::uint8_t { quota = 0, ttl = 1 };
enum class Change : std::uint8_t { patch = 0, increase = 1, decrease = 2 };

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
Request connection(const protocol::Bytes& id);
/// LIST, INFO, STATS, CONNECTIONS, CHANNELS, WHOAMI.
Request bare(std::string_view operation);

}  // namespace hallmark::conformance
