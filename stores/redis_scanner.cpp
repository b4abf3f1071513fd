#include "stores/redis_scanner.hpp"

#include <fmt/format.h>

#include "stores/redis_channel.hpp"

namespace hallmark::stores {
namespace {

/// One page of keys on its way through the pipeline.
struct Page {
  Reply scanned{};  ///< [cursor, [key…]]
  Reply values{};   ///< [value or nil…]
  std::vector<ExpiresIn> expiries{};

  std::size_t size() const { return scanned ? scanned->element[1]->elements : 0; }
  std::string_view key(std::size_t i) const { return text_of(*scanned->element[1]->element[i]); }
  const redisReply& value(std::size_t i) const { return *values->element[i]; }
};

/// While the caller works on a page, the server looks up the values of the next one and the keys of
/// the one after.
class RedisScanner final : public Scanner {
 public:
  RedisScanner(std::unique_ptr<RedisChannel> channel, const ScanOptions& options,
               std::chrono::milliseconds timeout)
      : channel_(std::move(channel)),
        options_(options),
        count_(std::to_string(options.batch)),
        timeout_(timeout) {}

  Result<void> start();
  Result<std::span<const Entry>> next() override;
  Progress progress() const override { return {done_, total_, false}; }

 private:
  void queue_scan(std::string_view cursor);
  void queue_values();
  Result<void> receive_values(const Deadline& deadline);
  Result<void> receive_expiries(const Deadline& deadline);
  Result<void> receive_scan(const Deadline& deadline);
  Result<void> advance();
  void queue_types();
  Result<void> receive_types(const Deadline& deadline);
  void list_entries();
  void add_entry(std::size_t i);

  std::unique_ptr<RedisChannel> channel_;
  ScanOptions options_;
  std::string count_;
  std::chrono::milliseconds timeout_;
  Page current_;   ///< the caller's
  Page upcoming_;  ///< its values are on their way
  std::vector<std::size_t> untyped_;
  std::vector<Reply> types_;
  std::vector<Entry> entries_;
  std::vector<std::string_view> command_;
  bool scanning_ = false;  ///< a SCAN is on its way
  std::uint64_t done_ = 0;
  std::uint64_t total_ = 0;
};

Result<void> RedisScanner::start() {
  const Deadline deadline(timeout_);
  channel_->queue({"DBSIZE"});
  queue_scan("0");
  auto size = channel_->receive_success(deadline);
  if (!size) return size.error();
  if ((*size)->type != REDIS_REPLY_INTEGER) return channel_->nonsense("a number to DBSIZE");
  total_ = static_cast<std::uint64_t>((*size)->integer);
  return {};
}

void RedisScanner::queue_scan(std::string_view cursor) {
  if (options_.match == "*") {
    channel_->queue({"SCAN", cursor, "COUNT", count_});
  } else {
    channel_->queue({"SCAN", cursor, "MATCH", options_.match, "COUNT", count_});
  }
  scanning_ = true;
}

void RedisScanner::queue_values() {
  const auto keys = upcoming_.size();
  if (keys == 0) return;
  command_.assign(1, "MGET");
  for (std::size_t i = 0; i < keys; ++i) command_.push_back(upcoming_.key(i));
  channel_->queue(command_);
  for (std::size_t i = 0; options_.expiry && i < keys; ++i) {
    channel_->queue({"PTTL", upcoming_.key(i)});
  }
}

Result<void> RedisScanner::receive_values(const Deadline& deadline) {
  if (upcoming_.size() == 0) return {};
  auto values = channel_->receive_success(deadline);
  if (!values) return values.error();
  if ((*values)->type != REDIS_REPLY_ARRAY || (*values)->elements != upcoming_.size()) {
    return channel_->nonsense("a value for each key of MGET");
  }
  upcoming_.values = std::move(*values);
  return options_.expiry ? receive_expiries(deadline) : Result<void>();
}

Result<void> RedisScanner::receive_expiries(const Deadline& deadline) {
  upcoming_.expiries.assign(upcoming_.size(), {});
  for (auto& expiry : upcoming_.expiries) {
    auto reply = channel_->receive_success(deadline);
    if (!reply) return reply.error();
    if ((*reply)->type != REDIS_REPLY_INTEGER) return channel_->nonsense("a number to PTTL");
    if ((*reply)->integer >= 0) expiry = std::chrono::milliseconds((*reply)->integer);
  }
  return {};
}

/// The caller's page goes, the upcoming one is the caller's, the scanned one becomes the upcoming.
Result<void> RedisScanner::receive_scan(const Deadline& deadline) {
  current_ = std::exchange(upcoming_, {});
  if (!scanning_) return {};
  scanning_ = false;
  auto reply = channel_->receive_success(deadline);
  if (!reply) return reply.error();
  const auto& scanned = **reply;
  if (scanned.type != REDIS_REPLY_ARRAY || scanned.elements != 2 ||
      scanned.element[0]->type != REDIS_REPLY_STRING ||
      scanned.element[1]->type != REDIS_REPLY_ARRAY) {
    return channel_->nonsense("a cursor and keys to SCAN");
  }
  upcoming_.scanned = std::move(*reply);
  return {};
}

Result<void> RedisScanner::advance() {
  const Deadline deadline(timeout_);
  if (auto received = receive_values(deadline); !received) return received;
  if (auto received = receive_scan(deadline); !received) return received;
  queue_types();
  queue_values();
  if (upcoming_.scanned) {
    if (const auto cursor = text_of(*upcoming_.scanned->element[0]); cursor != "0") {
      queue_scan(cursor);
    }
  }
  if (auto sent = channel_->flush(); !sent) return sent;
  return receive_types(deadline);
}

/// A key without a value is of another type, or gone since it was scanned.
void RedisScanner::queue_types() {
  untyped_.clear();
  types_.clear();
  for (std::size_t i = 0; i < current_.size(); ++i) {
    if (current_.value(i).type == REDIS_REPLY_STRING) continue;
    untyped_.push_back(i);
    channel_->queue({"TYPE", current_.key(i)});
  }
}

Result<void> RedisScanner::receive_types(const Deadline& deadline) {
  for (std::size_t i = 0; i < untyped_.size(); ++i) {
    auto reply = channel_->receive_success(deadline);
    if (!reply) return reply.error();
    if ((*reply)->type != REDIS_REPLY_STATUS) return channel_->nonsense("a type to TYPE");
    types_.push_back(std::move(*reply));
  }
  return {};
}

void RedisScanner::add_entry(std::size_t i) {
  Entry entry{.key = current_.key(i)};
  if (options_.expiry) entry.expires_in = current_.expiries[i];
  if (const auto& value = current_.value(i); value.type == REDIS_REPLY_STRING) {
    entry.value = text_of(value);
  } else {
    const auto found = std::lower_bound(untyped_.begin(), untyped_.end(), i);
    entry.kind = EntryKind::other_type;
    entry.value = text_of(*types_[static_cast<std::size_t>(found - untyped_.begin())]);
    // Gone, or gone and back: a scan need not give it.
    if (entry.value == "none" || entry.value == "string") return;
  }
  entries_.push_back(entry);
}

void RedisScanner::list_entries() {
  entries_.clear();
  for (std::size_t i = 0; i < current_.size(); ++i) add_entry(i);
  done_ += current_.size();
}

Result<std::span<const Entry>> RedisScanner::next() {
  entries_.clear();
  while (entries_.empty() && (scanning_ || upcoming_.size() > 0)) {
    if (auto advanced = advance(); !advanced) {
      scanning_ = false;
      upcoming_ = {};
      return advanced.error();
    }
    list_entries();
  }
  return std::span<const Entry>(entries_);
}

}  // namespace

Result<std::unique_ptr<Scanner>> open_redis_scanner(const base::RedisEndpoint& address,
                                                    const ScanOptions& options,
                                                    std::chrono::milliseconds timeout) {
  auto channel = RedisChannel::open(address, timeout);
  if (!channel) return channel.error();
  auto scanner = std::make_unique<RedisScanner>(std::move(*channel), options, timeout);
  if (auto started = scanner->start(); !started) return started.error();
  return std::unique_ptr<Scanner>(std::move(scanner));
}

}  // namespace hallmark::stores
