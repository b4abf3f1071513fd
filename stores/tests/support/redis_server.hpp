#pragma once
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

#include "base/tests/temporary_directory.hpp"
#include "stores/address.hpp"
#include "stores/tests/support/server_process.hpp"

namespace hallmark::stores::test {

struct RedisOptions {
  std::string password{};
  bool persistent = false;  ///< every write is kept over a kill
};

/// redis-server, on a free port and a Unix socket.
class RedisServer {
 public:
  /// Returns when it answers. Throws what went wrong.
  explicit RedisServer(RedisOptions options = {});

  std::uint16_t port() const { return port_; }
  /// The address with the password, if there is one.
  std::string url() const;
  std::string unix_url() const;
  Address address() const { return base::parse_endpoint<Address>(url()).value(); }
  Address unix_address() const { return base::parse_endpoint<Address>(unix_url()).value(); }

  /// At once, as a crash would; `restart` starts it again at the same port.
  void kill() { process_.reset(); }
  void restart();
  /// It answers nothing until `resume`, and stays connected.
  void pause() const;
  void resume() const;

  /// Runs a command. Result: its reply, a number as its text, "" for nil; of an array its parts,
  /// each with a line feed. Throws on an error.
  std::string run(std::initializer_list<std::string_view> command) const;
  /// Sets `count` keys, PREFIX and a number from 0, to VALUE; fast.
  void fill(std::string_view prefix, std::size_t count, std::string_view value) const;

 private:
  bool start();
  bool answers() const;

  RedisOptions options_;
  base::test::TemporaryDirectory directory_;
  std::uint16_t port_ = 0;
  std::unique_ptr<ServerProcess> process_;
};

}  // namespace hallmark::stores::test
