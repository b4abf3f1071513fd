#include "stores/redis_channel.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>

#include <boost/container/small_vector.hpp>
#include <cerrno>
#include <new>
#include <vector>

#include "base/descriptor.hpp"

namespace hallmark::stores {
namespace {

constexpr std::size_t receive_size = std::size_t{128} << 10;

redisContext* connect_to(const base::RedisEndpoint& address, std::chrono::milliseconds timeout) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(timeout);
  const std::chrono::microseconds rest = timeout - seconds;
  const timeval limit{seconds.count(), rest.count()};
  return address.socket.empty() ? redisConnectWithTimeout(address.host.c_str(), address.port, limit)
                                : redisConnectUnixWithTimeout(address.socket.c_str(), limit);
}

ErrorKind kind_of_reply(std::string_view message) {
  for (const std::string_view word : {"NOAUTH", "WRONGPASS", "NOPERM", "READONLY", "DENIED",
                                      "ERR invalid password", "ERR AUTH", "ERR Client sent AUTH"}) {
    if (message.starts_with(word)) return ErrorKind::denied;
  }
  if (message.starts_with("ERR DB index")) return ErrorKind::missing;
  if (message.starts_with("LOADING")) return ErrorKind::lost;
  return ErrorKind::failed;
}

}  // namespace

Result<std::unique_ptr<RedisChannel>> RedisChannel::open(const base::RedisEndpoint& address,
                                                         std::chrono::milliseconds timeout) {
  const Deadline deadline(timeout);
  auto* const context = connect_to(address, timeout);
  if (context == nullptr) throw std::bad_alloc();
  std::unique_ptr<RedisChannel> channel(new RedisChannel(context, to_string(Address(address))));
  if (context->err != 0) {
    return Error{kind_of_failed_connect(context->errstr),
                 fmt::format("cannot connect to {}: {}", channel->name_, context->errstr)};
  }
  ::fcntl(context->fd, F_SETFL, ::fcntl(context->fd, F_GETFL) | O_NONBLOCK);
  context->reader->maxbuf = 0;  // keep the buffer: the next reply is as large
  if (auto greeted = channel->greet(address, deadline); !greeted) return greeted.error();
  return channel;
}

Result<void> RedisChannel::greet(const base::RedisEndpoint& address, const Deadline& deadline) {
  int replies = 0;
  if (!address.user.empty()) {
    queue({"AUTH", address.user, address.password});
    ++replies;
  } else if (!address.password.empty()) {
    queue({"AUTH", address.password});
    ++replies;
  }
  // Index 0 is selected as well: it shows at once whether a password is wanted.
  queue({"SELECT", std::to_string(address.database)});
  for (; replies > 0; --replies) {
    if (const auto reply = receive_success(deadline); !reply) return reply.error();
  }
  const auto selected = receive(deadline);
  if (!selected) return selected.error();
  if ((*selected)->type != REDIS_REPLY_ERROR) return {};
  // Users who may only read often may not select; they are at index 0 already.
  const bool needless = address.database == 0 && text_of(**selected).starts_with("NOPERM");
  return needless ? Result<void>() : error_of(**selected);
}

void RedisChannel::queue(std::span<const std::string_view> command) {
  boost::container::small_vector<const char*, 8> parts;
  boost::container::small_vector<std::size_t, 8> sizes;
  for (const auto part : command) {
    parts.push_back(part.data() == nullptr ? "" : part.data());
    sizes.push_back(part.size());
  }
  char* formatted = nullptr;
  const auto size = redisFormatCommandArgv(&formatted, static_cast<int>(command.size()),
                                           parts.data(), sizes.data());
  if (size < 0) throw std::bad_alloc();
  output_.append(formatted, static_cast<std::size_t>(size));
  redisFreeCommand(formatted);
}

Error RedisChannel::lost(std::string_view reason) {
  broken_ = true;
  return {ErrorKind::lost, fmt::format("lost the connection to {}: {}", name_, reason)};
}

Error RedisChannel::error_of(const redisReply& reply) const {
  const auto text = text_of(reply);
  return {kind_of_reply(text), fmt::format("{} refused: {}", name_, text)};
}

Error RedisChannel::nonsense(std::string_view expected) const {
  return {
      ErrorKind::failed,
      fmt::format("{} answered something else than {}; is it a Redis server?", name_, expected)};
}

Result<void> RedisChannel::flush() {
  std::size_t sent = 0;
  while (sent < output_.size()) {
    const auto count =
        ::send(context_->fd, output_.data() + sent, output_.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
    if (count < 0) return lost(base::errno_text(errno));
    sent += static_cast<std::size_t>(count);
  }
  output_.erase(0, sent);
  return {};
}

Result<void> RedisChannel::read_some() {
  static thread_local std::vector<char> buffer(receive_size);
  const auto count = ::recv(context_->fd, buffer.data(), buffer.size(), 0);
  if (count == 0) return lost("the server closed it");
  if (count < 0) {
    if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) return {};
    return lost(base::errno_text(errno));
  }
  if (redisReaderFeed(context_->reader, buffer.data(), static_cast<std::size_t>(count)) !=
      REDIS_OK) {
    return lost(context_->reader->errstr);
  }
  return {};
}

Result<Reply> RedisChannel::receive(const Deadline& deadline) {
  if (broken_) return lost("it broke before");
  while (true) {
    void* parsed = nullptr;
    if (redisReaderGetReply(context_->reader, &parsed) != REDIS_OK) {
      return lost(fmt::format("{}; is it a Redis server?", context_->reader->errstr));
    }
    if (parsed != nullptr) return Reply(static_cast<redisReply*>(parsed));
    if (auto sent = flush(); !sent) return sent.error();
    if (await(context_->fd, !output_.empty(), deadline) == Readiness::late) {
      return lost("no answer in time");
    }
    if (auto read = read_some(); !read) return read.error();
  }
}

Result<Reply> RedisChannel::receive_success(const Deadline& deadline) {
  auto reply = receive(deadline);
  if (reply && (*reply)->type == REDIS_REPLY_ERROR) return error_of(**reply);
  return reply;
}

}  // namespace hallmark::stores
