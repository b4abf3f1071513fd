#pragma once

#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "base/bytes.hpp"

namespace hallmark::protocol {

/// A queue of bytes: appended at the end, consumed from the front. Unlike a vector it hands out
/// memory it has not zeroed, which a receive buffer fills anyway.
class ByteBuffer {
 public:
  ByteBuffer() = default;
  ByteBuffer(const ByteBuffer&) = delete;
  ByteBuffer& operator=(const ByteBuffer&) = delete;
  ByteBuffer(ByteBuffer&& other) noexcept { swap(other); }
  ByteBuffer& operator=(ByteBuffer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~ByteBuffer() { std::free(memory_); }

  const std::uint8_t* data() const { return memory_ + begin_; }
  std::size_t size() const { return end_ - begin_; }
  bool empty() const { return begin_ == end_; }
  std::size_t capacity() const { return capacity_; }
  base::ByteView view() const { return {data(), size()}; }

  /// Room for `n` bytes behind the end, not yet part of the buffer; `commit` makes them so.
  std::uint8_t* prepare(std::size_t n) {
    if (capacity_ - end_ < n) make_room(n);
    return memory_ + end_;
  }
  void commit(std::size_t n) { end_ += n; }

  /// `n` bytes at the end, to be written by the caller.
  std::uint8_t* grow(std::size_t n) {
    std::uint8_t* const at = prepare(n);
    commit(n);
    return at;
  }

  void append(base::ByteView bytes) {
    if (!bytes.empty()) std::memcpy(grow(bytes.size()), bytes.data(), bytes.size());
  }

  /// Drops `n` bytes from the front; `n` is at most size().
  void consume(std::size_t n) {
    begin_ += n;
    if (begin_ == end_) begin_ = end_ = 0;
  }

  void clear() { begin_ = end_ = 0; }

  /// Gives memory back when the buffer is empty and holds more than `keep` bytes of it.
  void release(std::size_t keep) {
    if (empty() && capacity_ > keep) *this = ByteBuffer();
  }

  void swap(ByteBuffer& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(begin_, other.begin_);
    std::swap(end_, other.end_);
    std::swap(capacity_, other.capacity_);
  }

 private:
  [[gnu::noinline]] void make_room(std::size_t n) {  // seldom, beside what is in a loop
    const std::size_t used = size();
    if (begin_ >= used && capacity_ - used >= n) {
      if (used != 0) std::memcpy(memory_, memory_ + begin_, used);
    } else {
      reallocate(used, used + n);
    }
    begin_ = 0;
    end_ = used;
  }

  void reallocate(std::size_t used, std::size_t needed) {
    std::size_t capacity = capacity_ == 0 ? 256 : capacity_;
    while (capacity < needed) capacity *= 2;
    auto* const memory = static_cast<std::uint8_t*>(std::malloc(capacity));
    if (memory == nullptr) throw std::bad_alloc();
    if (used != 0) std::memcpy(memory, memory_ + begin_, used);
    std::free(memory_);
    memory_ = memory;
    capacity_ = capacity;
  }

  std::uint8_t* memory_ = nullptr;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace hallmark::protocol
