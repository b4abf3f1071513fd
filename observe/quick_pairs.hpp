#pragma once

#include <array>
#include <deque>
#include <optional>
#include <vector>

#include "captures/format.hpp"
#include "observe/record.hpp"

namespace hallmark::observe {

/// The length of messages whose fields are all of fixed length but for bytes at their end: all that
/// is needed to tell where the next message begins. Listings have no such shape.
struct Shape {
  struct Number {
    std::uint32_t offset;
    std::uint32_t width;
  };
  struct Choices {
    std::uint32_t offset;
    std::span<const protocol::Choice> listed;
  };

  std::uint32_t fixed = 0;
  std::vector<Number> sizes{};
  std::vector<Choices> choices{};  ///< of one byte each

  /// The length of the message at the front; 0: more bytes are needed; nothing: a value is not
  /// listed.
  std::optional<std::size_t> length_of(base::ByteView bytes) const;
};

/// The shapes of a format's messages, made once.
class Shapes {
 public:
  /// `format` has to outlive it.
  explicit Shapes(const captures::Format& format);

  struct Pair {
    std::size_t operation = 0;  ///< its place among those of the dialect
    Shape request{};
    Shape found{};  ///< the part behind the status of a reply that says success
  };

  /// The pair whose request starts with that byte; null for requests, or with replies, that have no
  /// such shape, and for those after which the server may send unasked.
  const Pair* starting_with(std::uint8_t opcode) const {
    const auto place = by_opcode_[opcode];
    return place == 0 ? nullptr : &pairs_[place - 1U];
  }
  /// Returns false if no request can be paired in this way.
  bool any() const { return !pairs_.empty(); }

 private:
  std::vector<Pair> pairs_;
  std::array<std::uint8_t, 256> by_opcode_{};  ///< places in `pairs_`, from 1; 0: none
};

/// Pairs requests and replies of one connection as long as nothing is unusual about them, at a
/// fraction of what a captures::Conversation takes. It never says what is wrong: whoever asks it
/// hands what is kept here over to a conversation, which does.
class QuickPairs {
 public:
  /// Requests that may wait, and bytes of them and of a message that is not whole.
  static constexpr std::size_t most_waiting = 4096;
  static constexpr std::size_t most_kept = std::size_t{1} << 20;

  explicit QuickPairs(const Shapes& shapes) : shapes_(shapes) {}

  /// Called with the operation of each request that has its reply.
  /// Returns false if something is unusual; the bytes are then kept, and nothing more may be fed.
  template <class Paired>
  bool feed(Side from, base::ByteView bytes, const Paired& paired);

  /// Bytes that no reply settles yet: whole requests and the beginning of another one; and of the
  /// server, the beginning of a reply.
  base::ByteView kept(Side side) const {
    const Kept& kept = side == Side::client ? client_ : server_;
    return base::ByteView(kept.bytes).subspan(kept.head);
  }
  std::uint64_t pairs() const { return pairs_; }
  bool idle() const { return kept(Side::client).empty() && kept(Side::server).empty(); }

 private:
  struct Kept {
    base::Bytes bytes{};
    std::size_t head = 0;
    void append(base::ByteView more) { base::append(bytes, more); }
    void drop(std::size_t length);
  };
  struct Waiting {
    const Shapes::Pair* pair;
    std::uint32_t length;
  };

  bool read_requests();
  std::optional<std::size_t> reply_length(base::ByteView bytes) const;

  const Shapes& shapes_;
  Kept client_, server_;
  std::size_t read_ = 0;  ///< bytes of whole requests among those kept of the client
  std::deque<Waiting> waiting_;
  std::uint64_t pairs_ = 0;
};

template <class Paired>
bool QuickPairs::feed(Side from, base::ByteView bytes, const Paired& paired) {
  if (from == Side::client) {
    client_.append(bytes);
    return read_requests();
  }
  server_.append(bytes);
  while (true) {
    const auto rest = kept(Side::server);
    if (rest.empty()) return true;
    if (waiting_.empty()) return false;
    const auto length = reply_length(rest);
    if (!length) return false;
    if (*length == 0) return rest.size() <= most_kept;
    const Waiting front = waiting_.front();
    waiting_.pop_front();
    client_.drop(front.length);
    read_ -= front.length;
    server_.drop(*length);
    ++pairs_;
    paired(front.pair->operation);
  }
}

}  // namespace hallmark::observe
