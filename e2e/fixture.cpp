#include "e2e/fixture.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "cmake/places/places.hpp"

namespace hallmark::e2e {
namespace {

namespace fs = std::filesystem;

/// Tests name vectors of throttr-7.1, which alone leaves all of its layouts open.
constexpr const char* usual_dialect = "throttr-7.1";

Arguments serve_command(const std::string& width, const Arguments& listeners,
                        const Arguments& options) {
  Arguments command = {places::program(), "serve"};
  if (!width.empty()) command.insert(command.end(), {"--width", width});
  const bool says_dialect = std::ranges::find(options, "--dialect") != options.end();
  if (!width.empty() && !says_dialect) command.insert(command.end(), {"--dialect", usual_dialect});
  command.insert(command.end(), options.begin(), options.end());
  for (const auto& listener : listeners) command.insert(command.end(), {"--listen", listener});
  return command;
}

}  // namespace

Arguments EndToEnd::command(const Arguments& arguments) {
  Arguments all = {places::program()};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return all;
}

Outcome EndToEnd::hallmark(const Arguments& arguments) const {
  return run(command(arguments), directory_.string());
}

std::string EndToEnd::read(const std::string& name) const { return temporary_.read(name); }

void EndToEnd::write(const std::string& name, const std::string& text) const {
  temporary_.write(name, text);
}

std::string EndToEnd::violations(const std::string& schema, const std::string& name) const {
  const fs::path source = places::source();
  const auto outcome = run({places::node(), (source / "e2e/validate.mjs").string(),
                            (source / "reports/schema" / schema).string(), path(name)},
                           directory_.string());
  if (outcome.exit_code == 0) return {};
  return outcome.err.empty() ? "the validator failed" : outcome.err;
}

Server::Server(const std::string& width, const std::string& directory, const Arguments& listeners,
               const Arguments& options)
    : program_(serve_command(width, listeners, options), directory) {
  if (!program_.wait_for_out_lines(listeners.size())) {
    throw std::runtime_error("the server did not start: " + program_.wait().err);
  }
  constexpr std::string_view announcement = "listening on ";
  std::istringstream lines(program_.out());
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(announcement)) throw std::runtime_error("not an announcement: " + line);
    targets_.push_back(line.substr(announcement.size()));
  }
}

Outcome Server::stop(int signal) {
  program_.send_signal(signal);
  return program_.wait();
}

Port::Port() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (::bind(socket_, generic, length) != 0 || ::getsockname(socket_, generic, &length) != 0) {
    throw std::runtime_error("no port");
  }
  port_ = ntohs(address.sin_port);
}

Port::~Port() { ::close(socket_); }

std::string Port::target() const { return "tcp://127.0.0.1:" + std::to_string(port_); }

Silence::Silence() {
  if (::listen(socket_, 64) != 0) throw std::runtime_error("cannot listen");
}

bool Silence::wait_for_connection() const {
  pollfd waiting{socket_, POLLIN, 0};
  const auto patience = std::chrono::milliseconds(Program::patience).count();
  return ::poll(&waiting, 1, static_cast<int>(patience)) == 1;
}

testing::Matcher<std::string> one_line_with(const Arguments& parts) {
  testing::Matcher<std::string> all = testing::MatchesRegex("[^\n]+\n");
  for (const auto& part : parts) all = testing::AllOf(all, testing::HasSubstr(part));
  return all;
}

}  // namespace hallmark::e2e
