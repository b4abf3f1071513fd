#pragma once

#include "protocol/codec/decode.hpp"

namespace hallmark::protocol {

/// A message made wrong in one way, from a message that was right.
struct Mutation {
  std::string id;      ///< e.g. `cut:key`, `size+1:key_size`, `unlisted:ttl_type=07`
  std::string field;   ///< the field that was changed or cut
  std::size_t offset;  ///< of that field
  base::Bytes bytes;
};

/// All structural mutations of a message: cut at the start and in the middle of each field, each
/// size and count one less, one more, 0, about the middle (where a signed number turns negative)
/// and the two largest, each status and choice unlisted (next to the listed codes and 255), and the
/// opcode replaced by `unknown_opcodes`. Precondition: `message` is one whole message of that
/// layout.
std::vector<Mutation> mutations(const Layout& layout, base::ByteView message);

/// Opcodes that no operation or push of the dialect has: beside the defined ones and at the ends.
std::vector<std::uint8_t> unknown_opcodes(const Dialect& dialect);

}  // namespace hallmark::protocol
