#pragma once
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "stores/store.hpp"
#include "stores/tests/support/postgres_server.hpp"
#include "stores/tests/support/redis_server.hpp"

/// Stores with something in them, for tests.
namespace hallmark::audit::test {

/// A value under a key, and its time to live.
struct Stocked {
  std::string value{};
  std::optional<std::chrono::milliseconds> expires_in{};
};

using Stock = std::map<std::string, Stocked>;

/// Puts all of it into a store that holds none of these keys; in one go.
void put(stores::Connection& connection, const Stock& stock);

/// All strings of a store, with what is left of their time.
Stock contents(const stores::Address& address);

/// Writes a line for each key, with `!` where it expires, and no times, since these pass.
std::string shown(const Stock& stock);

/// Commands that the server has counted since CONFIG RESETSTAT: "scan", "config|resetstat".
std::vector<std::string> counted_commands(const stores::test::RedisServer& server);

/// PEXPIRETIME of each key, a line each.
std::string expiry_times(const stores::test::RedisServer& server,
                         const std::vector<std::string>& keys);

}  // namespace hallmark::audit::test
