#pragma once
#include <memory>
#include <string>

#include "base/tests/temporary_directory.hpp"
#include "stores/address.hpp"
#include "stores/tests/support/server_process.hpp"

namespace hallmark::stores::test {

/// A cluster of PostgreSQL with one database, on a free port. PostgreSQL refuses root: there, it is
/// run as the user `postgres`.
class PostgresServer {
 public:
  /// Returns when it answers; there is no table yet. Throws what went wrong.
  PostgresServer();

  std::uint16_t port() const { return port_; }
  /// The URL of the superuser, who needs no password.
  std::string url() const { return url_of("postgres", ""); }
  /// The URL of another user, whose password is checked.
  std::string url_of(std::string_view user, std::string_view password) const;
  Address address() const { return base::parse_endpoint<Address>(url()).value(); }

  /// The table in which limiters keep states, with its usual names.
  void create_table() const;

  /// At once, without tidying up, as a crash would; `restart` starts it again at the same port.
  void kill() { process_.reset(); }
  void restart();
  /// Those who serve connections answer nothing until `resume`.
  void pause() const;
  void resume() const;

  /// Runs a statement. Result: the first value of the first row as text, "" for none. Throws on an
  /// error.
  std::string run(const std::string& statement) const;

 private:
  void initialise() const;
  bool start();
  void signal_backends(int number) const;

  base::test::TemporaryDirectory directory_;
  std::uint16_t port_ = 0;
  std::unique_ptr<ServerProcess> process_;
};

}  // namespace hallmark::stores::test
