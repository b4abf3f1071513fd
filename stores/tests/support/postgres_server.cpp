#include "stores/tests/support/postgres_server.hpp"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <stdexcept>

#include "base/shared_library.hpp"
#include "stores/libpq.hpp"

namespace hallmark::stores::test {
namespace {

constexpr const char* programs = "/usr/lib/postgresql/15/bin/";

/// Functions of libpq that wait for the server. They are loaded when they are needed: the tests of
/// the program are linked with this, and few of them start a PostgreSQL.
struct BlockingLibpq {
  decltype(&::PQconnectdb) connect = nullptr;
  decltype(&::PQexec) execute = nullptr;
  decltype(&::PQping) ping = nullptr;
};

template <class Result>
void require(const Result& result) {
  if (!result) throw std::runtime_error(result.error().message);
}

BlockingLibpq loaded() {
  require(load_libpq());
  auto library = base::SharedLibrary::load(libpq_file);
  require(library);
  BlockingLibpq functions;
  library->find("PQconnectdb", functions.connect)
      .find("PQexec", functions.execute)
      .find("PQping", functions.ping);
  require(library->complete());
  return functions;
}

const BlockingLibpq& blocking_libpq() {
  static const BlockingLibpq functions = loaded();
  return functions;
}

/// The words that run a command as a user who may run PostgreSQL, and end it with us: changing the
/// user takes back what a parent asked for.
std::vector<std::string> as_postgres(std::vector<std::string> command) {
  if (::geteuid() != 0) return command;
  std::vector<std::string> whole{"setpriv",        "--reuid=postgres", "--regid=postgres",
                                 "--clear-groups", "--inh-caps=-all",  "--pdeathsig=QUIT"};
  whole.insert(whole.end(), command.begin(), command.end());
  return whole;
}

}  // namespace

PostgresServer::PostgresServer() {
  initialise();
  // A port that was free may be taken by the time that the server wants it.
  for (int attempt = 0; attempt < 5; ++attempt) {
    port_ = free_port();
    if (start()) return;
  }
  throw std::runtime_error("postgres: " + last_lines_of(directory_.path() / "log"));
}

void PostgresServer::initialise() const {
  if (::geteuid() == 0) {
    const auto* const user = ::getpwnam("postgres");
    if (user == nullptr || ::chown(directory_.path().c_str(), user->pw_uid, user->pw_gid) != 0) {
      throw std::runtime_error("there is no user 'postgres' to run PostgreSQL as");
    }
  }
  const auto data = (directory_.path() / "data").string();
  run_program(
      as_postgres({programs + std::string("initdb"), "--pgdata", data, "--username=postgres",
                   "--no-sync", "--no-locale", "--encoding=UTF8", "--no-instructions"}),
      directory_.path() / "log");
  std::ofstream(data + "/pg_hba.conf") << "host all postgres 127.0.0.1/32 trust\n"
                                          "host all all 127.0.0.1/32 scram-sha-256\n";
}

bool PostgresServer::start() {
  const auto setting = [](const char* name, const std::string& value) {
    return fmt::format("--{}={}", name, value);
  };
  const auto command =
      as_postgres({programs + std::string("postgres"), "-D", (directory_.path() / "data").string(),
                   setting("port", std::to_string(port_)), setting("listen_addresses", "127.0.0.1"),
                   setting("unix_socket_directories", ""), setting("shared_buffers", "16MB"),
                   setting("fsync", "off"), setting("max_connections", "40")});
  process_ = std::make_unique<ServerProcess>(command, directory_.path() / "log", SIGQUIT);
  return process_->wait_until([&] { return blocking_libpq().ping(url().c_str()) == PQPING_OK; });
}

std::string PostgresServer::url_of(std::string_view user, std::string_view password) const {
  return fmt::format("postgres://{}{}{}@127.0.0.1:{}/postgres", user, password.empty() ? "" : ":",
                     password, port_);
}

void PostgresServer::create_table() const {
  run("CREATE TABLE ratelimit_kv "
      "(key text PRIMARY KEY, value text NOT NULL, expires_at timestamptz)");
}

void PostgresServer::restart() {
  process_.reset();
  if (!start()) throw std::runtime_error(last_lines_of(directory_.path() / "log"));
}

/// Each connection has a process of its own, a child of the first one.
void PostgresServer::signal_backends(int number) const {
  const auto children = fmt::format("/proc/{0}/task/{0}/children", process_->id());
  std::ifstream list(children);
  for (pid_t child = 0; list >> child;) ::kill(child, number);
}

void PostgresServer::pause() const { signal_backends(SIGSTOP); }
void PostgresServer::resume() const { signal_backends(SIGCONT); }

std::string PostgresServer::run(const std::string& statement) const {
  const BlockingLibpq& blocking = blocking_libpq();
  const Libpq& pq = libpq();
  const std::unique_ptr<PGconn, decltype(&PQfinish)> connection(blocking.connect(url().c_str()),
                                                                pq.PQfinish);
  const std::unique_ptr<PGresult, decltype(&PQclear)> result(
      blocking.execute(connection.get(), statement.c_str()), pq.PQclear);
  const auto status = pq.PQresultStatus(result.get());
  if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
    throw std::runtime_error(pq.PQerrorMessage(connection.get()));
  }
  return pq.PQntuples(result.get()) > 0 ? pq.PQgetvalue(result.get(), 0, 0) : "";
}

}  // namespace hallmark::stores::test
