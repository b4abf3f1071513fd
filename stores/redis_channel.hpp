#pragma once
#include <hiredis/hiredis.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "stores/address.hpp"
#include "stores/deadline.hpp"
#include "stores/error.hpp"

namespace hallmark::stores {

struct FreeReply {
  void operator()(redisReply* reply) const { freeReplyObject(reply); }
};
using Reply = std::unique_ptr<redisReply, FreeReply>;

inline std::string_view text_of(const redisReply& reply) { return {reply.str, reply.len}; }

/// A connection to Redis on which commands are sent ahead of the replies to earlier ones, and every
/// wait has a deadline. hiredis connects, formats and parses; what moves bytes is here, since its
/// own calls block without one and raise SIGPIPE.
class RedisChannel {
 public:
  /// Connects, authenticates and selects the database, all before the deadline.
  static Result<std::unique_ptr<RedisChannel>> open(const base::RedisEndpoint& address,
                                                    std::chrono::milliseconds timeout);

  /// Queues a command; bytes leave with `flush` or `receive`.
  void queue(std::span<const std::string_view> command);
  void queue(std::initializer_list<std::string_view> command) {
    queue(std::span(command.begin(), command.size()));
  }

  /// Sends of what is queued as much as the system takes now.
  Result<void> flush();

  /// The reply to the oldest command that has none yet. A reply that is an error is a reply.
  /// Error (lost): afterwards the channel is of no use.
  Result<Reply> receive(const Deadline& deadline);
  /// The same, but a reply that is an error is an error, of the kind that its first word says.
  Result<Reply> receive_success(const Deadline& deadline);

  Error error_of(const redisReply& reply) const;
  /// The error for a reply that is not what was expected.
  Error nonsense(std::string_view expected) const;

 private:
  struct FreeContext {
    void operator()(redisContext* context) const { redisFree(context); }
  };
  RedisChannel(redisContext* context, std::string name)
      : context_(context), name_(std::move(name)) {}

  Result<void> greet(const base::RedisEndpoint& address, const Deadline& deadline);
  Result<void> read_some();
  Error lost(std::string_view reason);

  std::unique_ptr<redisContext, FreeContext> context_;
  std::string name_;  ///< of the store, for messages
  std::string output_;
  bool broken_ = false;
};

}  // namespace hallmark::stores
