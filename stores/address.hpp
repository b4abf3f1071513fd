#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>

#include "stores/error.hpp"

namespace hallmark::stores {

struct RedisAddress {
  std::string host{};  ///< a name or an address, an IPv6 one without its brackets; empty: `socket`
  std::uint16_t port = 6379;
  std::string socket{};  ///< path of a Unix socket
  std::string user{};    ///< empty: the default user
  std::string password{};
  std::uint32_t database = 0;

  friend bool operator==(const RedisAddress&, const RedisAddress&) = default;
};

/// What libpq reads: `postgres://` or `postgresql://`.
struct PostgresAddress {
  std::string url{};

  friend bool operator==(const PostgresAddress&, const PostgresAddress&) = default;
};

struct FileAddress {
  std::filesystem::path path{};

  friend bool operator==(const FileAddress&, const FileAddress&) = default;
};

using Address = std::variant<RedisAddress, PostgresAddress, FileAddress>;

/// Reads `redis://[user:password@]host[:port][/database]`, `redis+unix:///path[?db=N]` (also with
/// `user:password@` before the path), `postgres://…`, `file:PATH` or a path. What stands percent
/// encoded in a user, password or path is decoded; so is `redis://:password@host`.
/// Error (usage): one line that says what came and what is expected, without a password.
Result<Address> parse_address(std::string_view text);

/// For people: as `parse_address` reads it, but a password is `***`.
std::string to_string(const Address& address);

}  // namespace hallmark::stores
