#include "stores/tests/support/redis_server.hpp"

#include <fmt/format.h>

#include <csignal>
#include <stdexcept>

#include "stores/redis_channel.hpp"

namespace hallmark::stores::test {
namespace {

constexpr std::chrono::milliseconds patience{10'000};

std::unique_ptr<RedisChannel> channel_to(const Address& address) {
  return RedisChannel::open(std::get<base::RedisEndpoint>(address), patience).value();
}

std::string text_of_reply(const redisReply& reply) {
  if (reply.type == REDIS_REPLY_INTEGER) return std::to_string(reply.integer);
  if (reply.type != REDIS_REPLY_ARRAY)
    return reply.str == nullptr ? "" : std::string(text_of(reply));
  std::string text;
  for (std::size_t i = 0; i < reply.elements; ++i) text += text_of_reply(*reply.element[i]) + "\n";
  return text;
}

}  // namespace

RedisServer::RedisServer(RedisOptions options) : options_(std::move(options)) {
  // A port that was free may be taken by the time that the server wants it.
  for (int attempt = 0; attempt < 5; ++attempt) {
    port_ = free_port();
    if (start()) return;
  }
  throw std::runtime_error("redis-server: " + last_lines_of(directory_.path() / "log"));
}

std::string RedisServer::url() const {
  const auto credentials = options_.password.empty() ? "" : fmt::format(":{}@", options_.password);
  return fmt::format("redis://{}127.0.0.1:{}", credentials, port_);
}

std::string RedisServer::unix_url() const {
  const auto credentials = options_.password.empty() ? "" : fmt::format(":{}@", options_.password);
  return fmt::format("redis+unix://{}{}/socket", credentials, directory_.path().string());
}

bool RedisServer::start() {
  const auto directory = directory_.path().string();
  std::vector<std::string> command{"redis-server",
                                   "--port",
                                   std::to_string(port_),
                                   "--bind",
                                   "127.0.0.1",
                                   "--unixsocket",
                                   directory + "/socket",
                                   "--dir",
                                   directory,
                                   "--save",
                                   "",
                                   "--daemonize",
                                   "no",
                                   "--appendonly",
                                   options_.persistent ? "yes" : "no",
                                   "--appendfsync",
                                   "no"};
  if (!options_.password.empty()) {
    command.insert(command.end(), {"--requirepass", options_.password});
  }
  process_ = std::make_unique<ServerProcess>(command, directory_.path() / "log", SIGKILL);
  return process_->wait_until([&] { return answers(); });
}

/// A server that is still loading what it kept refuses commands.
bool RedisServer::answers() const {
  const auto channel = RedisChannel::open(std::get<base::RedisEndpoint>(unix_address()), patience);
  if (!channel) return false;
  (*channel)->queue({"PING"});
  return (*channel)->receive_success(Deadline(patience)).has_value();
}

void RedisServer::restart() {
  process_.reset();
  if (!start()) throw std::runtime_error(last_lines_of(directory_.path() / "log"));
}

void RedisServer::pause() const { process_->signal(SIGSTOP); }
void RedisServer::resume() const { process_->signal(SIGCONT); }

std::string RedisServer::run(std::initializer_list<std::string_view> command) const {
  const auto channel = channel_to(unix_address());
  channel->queue(command);
  return text_of_reply(*channel->receive_success(Deadline(patience)).value());
}

void RedisServer::fill(std::string_view prefix, std::size_t count, std::string_view value) const {
  const auto channel = channel_to(unix_address());
  for (std::size_t done = 0; done < count;) {
    const auto end = std::min(count, done + 10'000);
    std::size_t sent = 0;
    for (; done < end; ++done, ++sent) {
      channel->queue({"SET", fmt::format("{}{}", prefix, done), value});
    }
    const Deadline deadline(patience);
    for (; sent > 0; --sent) channel->receive_success(deadline).value();
  }
}

}  // namespace hallmark::stores::test
