#include "conformance/certificate/packed_hex.hpp"

#include <algorithm>

#include "base/hex.hpp"
#include "base/number.hpp"

namespace hallmark::certificate {
namespace {

using base::Bytes;
using conformance::Packed;

/// Reads from the front of a text, which loses what was read.
class HexReader {
 public:
  explicit HexReader(std::string_view text) : text_(text) {}

  std::optional<Packed> all() {
    while (!text_.empty()) {
      const bool read = text_.front() == '(' ? repeat() : plain();
      if (!read || size_ > most_packed_bytes) return std::nullopt;
    }
    return Packed(std::move(held_), std::move(repeats_));
  }

 private:
  /// The bytes up to the next parenthesis.
  bool plain() {
    const auto* const end =
        std::ranges::find_if(text_, [](char c) { return c == '(' || c == ')'; });
    const auto digits = static_cast<std::size_t>(end - text_.begin());
    auto bytes = base::from_canonical_hex(text_.substr(0, digits));
    if (!bytes || bytes->empty()) return false;
    text_.remove_prefix(digits);
    size_ += bytes->size();
    if (held_.empty()) {
      held_ = std::move(*bytes);
    } else {
      held_.insert(held_.end(), bytes->begin(), bytes->end());
    }
    return true;
  }

  bool repeat() {
    text_.remove_prefix(1);
    const std::size_t begin = held_.size();
    if (!plain() || !text_.starts_with(")*")) return false;
    text_.remove_prefix(2);
    const auto times = base::leading_number<std::uint64_t>(text_);
    const std::size_t length = held_.size() - begin;
    if (!times || times->number == 0 || times->number > most_packed_bytes / length) return false;
    text_.remove_prefix(times->length);
    if (!text_.starts_with(';')) return false;
    text_.remove_prefix(1);
    repeats_.push_back({begin, length, times->number});
    size_ += length * (times->number - 1);
    return true;
  }

  std::string_view text_;
  Bytes held_;
  std::vector<Packed::Repeat> repeats_;
  std::uint64_t size_ = 0;
};

}  // namespace

void append_packed_hex(std::string& to, const Packed& bytes) {
  std::size_t done = 0;
  for (const Packed::Repeat& one : bytes.repeats()) {
    base::append_hex(to, bytes.held().subspan(done, one.begin - done));
    to += '(';
    base::append_hex(to, bytes.held().subspan(one.begin, one.length));
    to += ")*" + std::to_string(one.times) + ";";
    done = one.begin + one.length;
  }
  base::append_hex(to, bytes.held().subspan(done));
}

std::optional<Packed> from_packed_hex(std::string_view hex) { return HexReader(hex).all(); }

}  // namespace hallmark::certificate
