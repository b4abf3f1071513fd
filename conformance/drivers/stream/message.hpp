#pragma once

#include "conformance/drivers/stream/network.hpp"
#include "protocol/codec/decode.hpp"

namespace hallmark::conformance {

/// When the target can have handled a request: after it had all been sent, and before its reply had
/// all come.
struct Window {
  Time earliest = 0;
  Time latest = 0;
};

/// A message that the target sent, whole and well-formed.
class Message {
 public:
  Message(protocol::Decoder decoder, base::Bytes bytes, Window window)
      : decoder_(std::move(decoder)), bytes_(std::move(bytes)), window_(window) {}

  protocol::MessageView view() const { return {decoder_, bytes_}; }
  const protocol::Layout& layout() const { return decoder_.layout(); }
  base::ByteView bytes() const { return bytes_; }
  /// The window of the request that it answers. For a push, both ends are the time at which it
  /// came.
  Window window() const { return window_; }

  std::uint64_t number(protocol::FieldName field) const { return view().number(field); }
  std::uint64_t number_or(protocol::FieldName field, std::uint64_t absent) const {
    return view().number_or(field, absent);
  }
  base::Bytes bytes_of(protocol::FieldName field) const {
    const auto found = view().bytes_of(field);
    return {found.begin(), found.end()};
  }
  /// Returns true if the status says success. A message without a status succeeded.
  bool succeeded() const {
    const auto view_of_this = view();
    const auto* const status = view_of_this.find("status");
    return status == nullptr || status->number == 1;
  }

 private:
  protocol::Decoder decoder_;
  base::Bytes bytes_;
  Window window_;
};

}  // namespace hallmark::conformance
