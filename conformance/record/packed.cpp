#include "conformance/record/packed.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/random.hpp"

namespace hallmark::conformance {
namespace {

using base::Bytes;
using base::ByteView;

/// Anything shorter is held as it is.
constexpr std::size_t worth_packing = 256;
/// The most bytes between the beginnings of a repetition and of its copy.
constexpr std::size_t longest_period = 1024;
/// This many equal bytes count as the beginning of a repetition.
constexpr std::size_t seed = 8;

/// The distances at which the next bytes came last.
class Seeds {
 public:
  /// The position before `at` where the same bytes began; `at`: none is known.
  std::size_t exchange(ByteView bytes, std::size_t at) {
    std::uint64_t key = 0;
    std::memcpy(&key, bytes.data() + at, seed);
    std::size_t& slot = slots_[(key * base::golden_gamma) >> (64 - bits)];
    const std::size_t before = slot;
    slot = at + 1;
    return before == 0 || before - 1 >= at ? at : before - 1;
  }

 private:
  static constexpr int bits = 12;
  std::array<std::size_t, std::size_t{1} << bits> slots_{};
};

/// Returns how many bytes from `at` on equal the bytes `period` before them.
std::size_t repeated(ByteView bytes, std::size_t at, std::size_t period) {
  std::size_t end = at;
  while (end < bytes.size() && bytes[end] == bytes[end - period]) ++end;
  return end - at;
}

}  // namespace

Packed::Packed(ByteView bytes) {
  if (bytes.size() < worth_packing) {
    held_.assign(bytes.begin(), bytes.end());
    return;
  }
  Seeds seeds;
  std::size_t floor = 0;   // bytes before it are part of a repetition
  std::size_t futile = 0;  // before it, a repetition at the distance `tried` is too short
  std::size_t tried = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t before = at + seed <= bytes.size() ? seeds.exchange(bytes, at) : at;
    const std::size_t period = at - before;
    const bool hopeless = period == 0 || period > longest_period || before < floor ||
                          (period == tried && at < futile);
    const std::size_t again = hopeless ? 0 : repeated(bytes, at, period);
    if (again < period || again < worth_packing / 4) {
      if (again > 0) {
        futile = at + again;
        tried = period;
      }
      held_.push_back(bytes[at++]);
      continue;
    }
    repeats_.push_back({held_.size() - period, period, 1 + again / period});
    at += again / period * period;
    floor = at;
  }
}

Packed::Packed(Bytes held, std::vector<Repeat> repeats)
    : held_(std::move(held)), repeats_(std::move(repeats)) {}

std::uint64_t Packed::size() const {
  std::uint64_t size = held_.size();
  for (const Repeat& one : repeats_) size += one.length * (one.times - 1);
  return size;
}

Bytes Packed::unpacked() const {
  if (repeats_.empty()) return held_;
  Bytes all(size());
  auto to = all.begin();
  auto from = held_.begin();
  for (const Repeat& one : repeats_) {
    const auto end = held_.begin() + static_cast<std::ptrdiff_t>(one.begin + one.length);
    const auto first = to + (end - from) - static_cast<std::ptrdiff_t>(one.length);
    to = std::copy(from, end, to);
    from = end;
    // Doubles what is there of the repetition: units of one byte are as fast as long ones.
    const auto last = first + static_cast<std::ptrdiff_t>(one.length * one.times);
    while (to != last) to = std::copy_n(first, std::min(to - first, last - to), to);
  }
  std::copy(from, held_.end(), to);
  return all;
}

bool Packed::is(ByteView bytes) const {
  if (repeats_.empty()) return std::ranges::equal(held_, bytes);
  if (size() != bytes.size()) return false;
  auto with = bytes.begin();
  auto from = held_.begin();
  for (const Repeat& one : repeats_) {
    const auto end = held_.begin() + static_cast<std::ptrdiff_t>(one.begin + one.length);
    if (!std::equal(from, end, with)) return false;
    with += end - from;
    from = end;
    // All units are the first one where each byte is the one that lies a unit before it.
    const auto others = static_cast<std::ptrdiff_t>(one.length * (one.times - 1));
    if (!std::equal(with, with + others, with - static_cast<std::ptrdiff_t>(one.length)))
      return false;
    with += others;
  }
  return std::equal(from, held_.end(), with);
}

}  // namespace hallmark::conformance
