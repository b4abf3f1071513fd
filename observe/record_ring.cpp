#include "observe/record_ring.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace hallmark::observe {
namespace {

constexpr std::size_t least_capacity = std::size_t{512} << 10;

}  // namespace

// The memory is filled with zeros, so that all of it is there from the beginning: what the process
// takes does not grow when the queue first fills.
RecordRing::RecordRing(std::size_t capacity)
    : capacity_(std::bit_ceil(std::max(capacity, least_capacity))),
      memory_(std::make_unique<std::uint8_t[]>(capacity_)) {
  std::memset(memory_.get(), 0, capacity_);
}

RecordRing::Head RecordRing::read_head(std::uint64_t at) const {
  Head head;
  std::memcpy(&head, memory_.get() + (at & (capacity_ - 1)), sizeof head);
  return head;
}

void RecordRing::write_head(std::uint64_t at, const Head& head) {
  std::memcpy(memory_.get() + (at & (capacity_ - 1)), &head, sizeof head);
}

bool RecordRing::put(const Record& record) {
  const std::size_t size = size_of(record.bytes.size());
  std::uint64_t at = put_.load(std::memory_order_relaxed);
  const std::size_t to_end = capacity_ - (at & (capacity_ - 1));
  const std::size_t filler = to_end < size ? to_end : 0;
  const std::size_t kept_free = record.kind == Record::Kind::bytes ? reserve : 0;
  const auto has_room = [&] { return at + filler + size + kept_free <= known_taken_ + capacity_; };
  if (!has_room()) {
    known_taken_ = taken_.load(std::memory_order_acquire);
    if (!has_room()) return false;
  }
  if (filler >= sizeof(Head)) {
    Head rest{};
    rest.is_filler = true;
    write_head(at, rest);
  }
  at += filler;
  write_head(at,
             {record.connection, record.at.count(), record.number,
              static_cast<std::uint32_t>(record.bytes.size()), record.kind, record.side, false});
  if (!record.bytes.empty()) {
    std::memcpy(memory_.get() + (at & (capacity_ - 1)) + sizeof(Head), record.bytes.data(),
                record.bytes.size());
  }
  put_.store(at + size, std::memory_order_release);
  return true;
}

std::optional<Record> RecordRing::front() {
  std::uint64_t at = taken_.load(std::memory_order_relaxed);
  if (at == known_put_) {
    known_put_ = put_.load(std::memory_order_acquire);
    if (at == known_put_) return std::nullopt;
  }
  const std::size_t to_end = capacity_ - (at & (capacity_ - 1));
  if (to_end < sizeof(Head) || read_head(at).is_filler) {
    at += to_end;
    taken_.store(at, std::memory_order_release);
  }
  const Head head = read_head(at);
  const std::uint8_t* const bytes = memory_.get() + (at & (capacity_ - 1)) + sizeof(Head);
  return Record{head.kind,     head.side,   head.connection,
                Time(head.at), head.number, base::ByteView(bytes, head.length)};
}

void RecordRing::drop() {
  const std::uint64_t at = taken_.load(std::memory_order_relaxed);
  taken_.store(at + size_of(read_head(at).length), std::memory_order_release);
}

}  // namespace hallmark::observe
