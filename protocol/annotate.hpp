#pragma once

#include "protocol/codec/decode.hpp"

namespace hallmark::protocol {

/// A stretch of a message with the field that it is and what it means.
struct Annotation {
  std::string path;  ///< e.g. `fragments[0].keys[2].ttl_type`
  std::size_t offset;
  std::size_t length;
  std::string meaning;  ///< e.g. `04 = seconds`, `3 = 3 bytes of key`, `"abc"`
};

inline constexpr std::size_t all_records = std::numeric_limits<std::size_t>::max();

/// One annotation a field, in wire order. For a message that ended early or is malformed: the
/// fields that were decoded, and a last one for the bytes behind them that says why. Of a group
/// with more than `max_records` records only those; one annotation stands for the rest.
std::vector<Annotation> annotate(const Decoder& decoder, base::ByteView message,
                                 std::size_t max_records = all_records);

/// Offset, bytes in hexadecimal, path and meaning, one line a field. Values of more than
/// `max_bytes` bytes are cut in the middle and say so.
std::string dump(const std::vector<Annotation>& annotations, base::ByteView message,
                 std::size_t max_bytes = 16);

/// Bytes as a person reads them: quoted text when all are printable, hexadecimal otherwise; cut in
/// the middle beyond `max_bytes`.
std::string printable(base::ByteView bytes, std::size_t max_bytes = 32);

}  // namespace hallmark::protocol
