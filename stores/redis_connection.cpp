#include "stores/redis_connection.hpp"

#include <fmt/format.h>

#include "stores/redis_channel.hpp"

namespace hallmark::stores {
namespace {

/// The number of commands that are on their way at once; bounds what is buffered on both sides.
constexpr std::size_t pipeline_depth = 1000;

/// A key of another type is a conflict: it is not what was expected.
constexpr std::string_view compare_and_set_script = R"(
local held = redis.pcall('GET', KEYS[1])
if type(held) == 'table' then return 0 end
if ARGV[1] == '1' then
  if held ~= ARGV[2] then return 0 end
elseif held then
  return 0
end
if ARGV[4] == 'keep' then
  redis.call('SET', KEYS[1], ARGV[3], 'KEEPTTL')
elseif ARGV[4] == 'never' then
  redis.call('SET', KEYS[1], ARGV[3])
else
  redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[4])
end
return 1
)";

constexpr std::string_view compare_and_delete_script = R"(
local held = redis.pcall('GET', KEYS[1])
if held ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
)";

/// A script that the server knows by its digest, once it was loaded.
struct Script {
  std::string_view source;
  std::string digest = std::string(40, '0');  ///< of nothing: the first use loads it
};

std::string argument_of(const Expiry& expiry) {
  switch (expiry.kind) {
    case Expiry::Kind::keep: return "keep";
    case Expiry::Kind::never: return "never";
    case Expiry::Kind::in: break;
  }
  return std::to_string(expiry.after.count());
}

bool is_error(const redisReply& reply, std::string_view word) {
  return reply.type == REDIS_REPLY_ERROR && text_of(reply).starts_with(word);
}

class RedisConnection final : public Connection {
 public:
  RedisConnection(std::unique_ptr<RedisChannel> channel, std::chrono::milliseconds timeout)
      : channel_(std::move(channel)), timeout_(timeout) {}

  Result<std::vector<Held>> get(std::span<const std::string> keys, WithExpiry expiry) override;
  Result<std::vector<Outcome>> compare_and_set(std::span<const Change> changes) override;
  Result<std::vector<Outcome>> compare_and_delete(std::span<const Removal> removals) override;
  Result<std::uint64_t> erase(std::span<const std::string> keys) override;

 private:
  void queue(const Script& script, const Change& change);
  void queue(const Script& script, const Removal& removal);
  Result<void> load(Script& script, const Deadline& deadline);
  Result<std::vector<Reply>> receive(std::size_t count, const Deadline& deadline);
  template <class Write>
  Result<void> run(Script& script, std::span<const Write> writes, std::vector<Outcome>& outcomes);
  template <class Write>
  Result<std::vector<Reply>> evaluate(Script& script, std::span<const Write> writes,
                                      const Deadline& deadline);
  template <class Write>
  Result<std::vector<Outcome>> run_all(Script& script, std::span<const Write> writes);
  Result<void> get_some(std::span<const std::string> keys, WithExpiry expiry,
                        std::vector<Held>& held);
  Result<Held> held_of(const redisReply& value, const redisReply* expiry) const;

  std::unique_ptr<RedisChannel> channel_;
  std::chrono::milliseconds timeout_;
  Script compare_and_set_{compare_and_set_script};
  Script compare_and_delete_{compare_and_delete_script};
};

/// All replies to what was queued, also after one that is an error: the next call starts clean.
Result<std::vector<Reply>> RedisConnection::receive(std::size_t count, const Deadline& deadline) {
  std::vector<Reply> replies;
  replies.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    auto reply = channel_->receive(deadline);
    if (!reply) return reply.error();
    replies.push_back(std::move(*reply));
  }
  return replies;
}

Result<Held> RedisConnection::held_of(const redisReply& value, const redisReply* expiry) const {
  Held held;
  if (value.type == REDIS_REPLY_STRING) {
    held.presence = Presence::text;
    held.value = text_of(value);
  } else if (is_error(value, "WRONGTYPE")) {
    held.presence = Presence::other_type;
  } else if (value.type == REDIS_REPLY_ERROR) {
    return channel_->error_of(value);
  } else if (value.type != REDIS_REPLY_NIL) {
    return channel_->nonsense("a value to GET");
  }
  if (expiry == nullptr) return held;
  if (expiry->type == REDIS_REPLY_ERROR) return channel_->error_of(*expiry);
  if (expiry->type == REDIS_REPLY_INTEGER && expiry->integer >= 0) {
    held.expires_in = std::chrono::milliseconds(expiry->integer);
  }
  return held;
}

Result<void> RedisConnection::get_some(std::span<const std::string> keys, WithExpiry expiry,
                                       std::vector<Held>& held) {
  const Deadline deadline(timeout_);
  const std::size_t each = expiry == WithExpiry::yes ? 2 : 1;
  for (const auto& key : keys) {
    channel_->queue({"GET", key});
    if (each == 2) channel_->queue({"PTTL", key});
  }
  const auto replies = receive(keys.size() * each, deadline);
  if (!replies) return replies.error();
  for (std::size_t i = 0; i < replies->size(); i += each) {
    auto read = held_of(*(*replies)[i], each == 2 ? (*replies)[i + 1].get() : nullptr);
    if (!read) return read.error();
    held.push_back(std::move(*read));
  }
  return {};
}

Result<std::vector<Held>> RedisConnection::get(std::span<const std::string> keys,
                                               WithExpiry expiry) {
  std::vector<Held> held;
  held.reserve(keys.size());
  for (; !keys.empty(); keys = keys.subspan(std::min(pipeline_depth, keys.size()))) {
    const auto some = keys.first(std::min(pipeline_depth, keys.size()));
    if (auto got = get_some(some, expiry, held); !got) return got.error();
  }
  return held;
}

void RedisConnection::queue(const Script& script, const Change& change) {
  channel_->queue({"EVALSHA", script.digest, "1", change.key, change.expected ? "1" : "0",
                   change.expected ? std::string_view(*change.expected) : "", change.desired,
                   argument_of(change.expiry)});
}

void RedisConnection::queue(const Script& script, const Removal& removal) {
  channel_->queue({"EVALSHA", script.digest, "1", removal.key, removal.expected});
}

Result<void> RedisConnection::load(Script& script, const Deadline& deadline) {
  channel_->queue({"SCRIPT", "LOAD", script.source});
  auto reply = channel_->receive_success(deadline);
  if (!reply) return reply.error();
  if ((*reply)->type != REDIS_REPLY_STRING) return channel_->nonsense("a digest to SCRIPT LOAD");
  script.digest = text_of(**reply);
  return {};
}

template <class Write>
Result<std::vector<Reply>> RedisConnection::evaluate(Script& script, std::span<const Write> writes,
                                                     const Deadline& deadline) {
  for (const auto& write : writes) queue(script, write);
  return receive(writes.size(), deadline);
}

/// A server that does not know the script (the first use, a restart, SCRIPT FLUSH) has done nothing
/// of what it refused so: that is asked for once more.
template <class Write>
Result<void> RedisConnection::run(Script& script, std::span<const Write> writes,
                                  std::vector<Outcome>& outcomes) {
  const Deadline deadline(timeout_);
  auto replies = evaluate(script, writes, deadline);
  if (!replies) return replies.error();
  const auto unknown = [](const Reply& reply) { return is_error(*reply, "NOSCRIPT"); };
  if (std::any_of(replies->begin(), replies->end(), unknown)) {
    if (auto loaded = load(script, deadline); !loaded) return loaded;
    for (std::size_t i = 0; i < writes.size(); ++i) {
      if (unknown((*replies)[i])) queue(script, writes[i]);
    }
    for (auto& reply : *replies) {
      if (!unknown(reply)) continue;
      auto again = channel_->receive(deadline);
      if (!again) return again.error();
      reply = std::move(*again);
    }
  }
  for (const auto& reply : *replies) {
    if (reply->type == REDIS_REPLY_ERROR) return channel_->error_of(*reply);
    if (reply->type != REDIS_REPLY_INTEGER) return channel_->nonsense("a number to EVALSHA");
    outcomes.push_back(reply->integer == 1 ? Outcome::done : Outcome::conflict);
  }
  return {};
}

template <class Write>
Result<std::vector<Outcome>> RedisConnection::run_all(Script& script,
                                                      std::span<const Write> writes) {
  std::vector<Outcome> outcomes;
  outcomes.reserve(writes.size());
  for (; !writes.empty(); writes = writes.subspan(std::min(pipeline_depth, writes.size()))) {
    const auto some = writes.first(std::min(pipeline_depth, writes.size()));
    if (auto ran = run(script, some, outcomes); !ran) return ran.error();
  }
  return outcomes;
}

Result<std::vector<Outcome>> RedisConnection::compare_and_set(std::span<const Change> changes) {
  return run_all(compare_and_set_, changes);
}

Result<std::vector<Outcome>> RedisConnection::compare_and_delete(
    std::span<const Removal> removals) {
  return run_all(compare_and_delete_, removals);
}

Result<std::uint64_t> RedisConnection::erase(std::span<const std::string> keys) {
  std::uint64_t erased = 0;
  for (; !keys.empty(); keys = keys.subspan(std::min(pipeline_depth, keys.size()))) {
    const Deadline deadline(timeout_);
    std::vector<std::string_view> command{"DEL"};
    const auto some = keys.first(std::min(pipeline_depth, keys.size()));
    command.insert(command.end(), some.begin(), some.end());
    channel_->queue(command);
    auto reply = channel_->receive_success(deadline);
    if (!reply) return reply.error();
    if ((*reply)->type != REDIS_REPLY_INTEGER) return channel_->nonsense("a number to DEL");
    erased += static_cast<std::uint64_t>((*reply)->integer);
  }
  return erased;
}

}  // namespace

Result<std::unique_ptr<Connection>> connect_redis(const base::RedisEndpoint& address,
                                                  std::chrono::milliseconds timeout) {
  auto channel = RedisChannel::open(address, timeout);
  if (!channel) return channel.error();
  return std::unique_ptr<Connection>(
      std::make_unique<RedisConnection>(std::move(*channel), timeout));
}

}  // namespace hallmark::stores
