#pragma once

#include "protocol/codec/decode.hpp"

namespace hallmark::captures {

/// The format that both sides are taken to speak: a dialect at one width with its readings. Layouts
/// refer to it; it outlives them and is not copied.
class Format {
 public:
  /// A message that is larger, or says that it will be, counts as malformed.
  static constexpr std::size_t largest_message = std::size_t{64} << 20;

  Format(protocol::Width width, const protocol::Readings& readings)
      : width_(width), readings_(readings) {}
  Format(const Format&) = delete;
  Format& operator=(const Format&) = delete;

  const protocol::Dialect& dialect() const { return readings_.dialect(); }
  protocol::Width width() const { return width_; }
  const protocol::Readings& readings() const { return readings_; }

  protocol::Layout request(const protocol::Operation& operation) const {
    return protocol::Layout::request(operation, width_, readings_);
  }
  protocol::Layout reply(const protocol::Operation& operation) const {
    return protocol::Layout::reply(operation, width_, readings_);
  }
  protocol::Layout layout_of(const protocol::Push& push) const {
    return protocol::Layout::push(push, width_, readings_);
  }

  /// A value that its field does not list does not hide what follows it.
  static protocol::Decoder decoder(const protocol::Layout& layout) {
    return protocol::Decoder(layout, {.max_bytes = largest_message, .refuse_unlisted = false});
  }

 private:
  protocol::Width width_;
  protocol::Readings readings_;
};

}  // namespace hallmark::captures
