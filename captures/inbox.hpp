#pragma once

#include <deque>
#include <vector>

#include "captures/event.hpp"

namespace hallmark::captures {

/// When bytes came, and how much of the other side's bytes their sender had received by then.
struct Stamp {
  std::optional<Time> at;
  std::uint64_t seen = 0;
};

/// The bytes that one side sent and nobody has taken yet, in order, with their place in all that it
/// sent.
class Inbox {
 public:
  void append(ByteView bytes, Stamp stamp);
  /// Zeros in the place of bytes that are not in the capture.
  void append_hole(std::size_t length, Stamp stamp);

  bool empty() const { return head_ == buffer_.size(); }
  std::size_t size() const { return buffer_.size() - head_; }
  ByteView bytes() const { return ByteView(buffer_).subspan(head_); }
  /// Offset of the first byte, and of the one behind the last.
  std::uint64_t begin() const { return begin_; }
  std::uint64_t end() const { return begin_ + size(); }

  /// Preconditions of the following: not empty, 1 <= `length` <= size().

  std::optional<Time> time_of_byte(std::size_t position) const;
  /// The number of bytes that the sender of the first byte had received.
  std::uint64_t seen() const { return marks_.front().stamp.seen; }
  /// Returns how many of the first bytes were sent by someone who had received no more than `seen`.
  std::size_t sent_with(std::uint64_t seen) const;
  /// The holes within the first bytes, counted from the first.
  std::vector<Stretch> holes(std::size_t length) const;
  bool starts_with_hole() const { return !holes(1).empty(); }
  Bytes take(std::size_t length);
  /// Counts bytes that are not kept. Precondition: empty.
  void skip(std::uint64_t length) { begin_ += length; }

 private:
  struct Mark {
    std::uint64_t begin;
    Stamp stamp;
  };

  void mark(Stamp stamp);

  Bytes buffer_;
  std::size_t head_ = 0;
  std::uint64_t begin_ = 0;
  std::deque<Mark> marks_;
  std::deque<Stretch> holes_;
};

}  // namespace hallmark::captures
