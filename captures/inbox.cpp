#include "captures/inbox.hpp"

#include <algorithm>
#include <iterator>

namespace hallmark::captures {
namespace {

/// A message that trickles in byte by byte must not take many times its size; times beyond these
/// are those of the last mark.
constexpr std::size_t most_marks = 65'536;

constexpr std::size_t worth_compacting = 65'536;

}  // namespace

void Inbox::mark(Stamp stamp) {
  if (marks_.size() < most_marks) {
    marks_.push_back({end(), stamp});
  } else {
    marks_.back().stamp.at = stamp.at;
  }
}

void Inbox::append(ByteView bytes, Stamp stamp) {
  if (bytes.empty()) return;
  mark(stamp);
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
}

void Inbox::append_hole(std::size_t length, Stamp stamp) {
  if (length == 0) return;
  mark(stamp);
  holes_.push_back({end(), length});
  buffer_.resize(buffer_.size() + length);
}

std::optional<Time> Inbox::time_of_byte(std::size_t position) const {
  const std::uint64_t offset = begin_ + position;
  const auto later = std::ranges::upper_bound(marks_, offset, {}, &Mark::begin);
  return std::prev(later)->stamp.at;
}

std::size_t Inbox::sent_with(std::uint64_t seen) const {
  for (const Mark& mark : marks_) {
    if (mark.stamp.seen > seen) return mark.begin <= begin_ ? 0 : mark.begin - begin_;
  }
  return size();
}

std::vector<Stretch> Inbox::holes(std::size_t length) const {
  std::vector<Stretch> found;
  for (const Stretch& hole : holes_) {
    if (hole.offset >= begin_ + length) break;
    const std::uint64_t from = std::max(hole.offset, begin_);
    const std::uint64_t to = std::min(hole.offset + hole.length, begin_ + length);
    found.push_back({from - begin_, to - from});
  }
  return found;
}

Bytes Inbox::take(std::size_t length) {
  const ByteView taken = bytes().first(length);
  Bytes own(taken.begin(), taken.end());
  head_ += length;
  begin_ += length;
  while (marks_.size() > 1 && marks_[1].begin <= begin_) marks_.pop_front();
  while (!holes_.empty() && holes_.front().offset + holes_.front().length <= begin_) {
    holes_.pop_front();
  }
  if (empty()) {
    if (buffer_.capacity() > worth_compacting) buffer_ = {};
    buffer_.clear();
    marks_.clear();
    head_ = 0;
  } else if (head_ > worth_compacting && head_ > buffer_.size() / 2) {
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(head_));
    head_ = 0;
  }
  return own;
}

}  // namespace hallmark::captures
