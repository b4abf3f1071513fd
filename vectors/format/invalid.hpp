#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "protocol/codec/layout.hpp"
#include "protocol/record.hpp"

/// Invalid vectors: messages that a decoder has to refuse, and values that an encoder has to
/// refuse, each with its reason. The files vectors/invalid/DIALECT.json hold them
/// (vectors/schema/invalid.schema.json); docs/vectors.md explains them to writers of runners.
namespace hallmark::vectors {

/// The fault of a message that is not legal.
enum class Illegal : std::uint8_t {
  truncated,     ///< its bytes end too early
  surplus,       ///< bytes are left over behind it
  unlisted,      ///< a status or a choice that the dialect does not list
  size,          ///< a size or a count that does not agree with what follows
  constant,      ///< bytes that are always the same are others: an opcode, a separator
  number,        ///< a number is spelled wrong, in text
  beyond_width,  ///< a value does not fit its field
};

/// Bytes that are not a message of the layout; of `beyond_width`, where no bytes could say it, a
/// value that cannot be encoded.
struct InvalidVector {
  std::string id;  ///< stable within its message; e.g. `cut:quota`, `size+1:key_size`
  Illegal kind = Illegal::truncated;
  std::string field;  ///< the one at which it is refused; empty where bytes are left over
  base::Bytes bytes;
  /// Not empty: in place of bytes, the one value that differs from those of the valid message.
  protocol::Record change;
  bool operator==(const InvalidVector&) const = default;
};

/// The kind of a message.
enum class MessageKind : std::uint8_t { request, reply, push, format };

/// A message, and byte sequences that are not that message.
struct InvalidMessage {
  std::string message;  ///< the name of the operation, the push or the format
  MessageKind kind = MessageKind::reply;
  protocol::Record fields;  ///< the record that made `valid`; empty if no `change` refers to it
  base::Bytes valid;
  std::vector<InvalidVector> invalid;
  bool operator==(const InvalidMessage&) const = default;
};

/// Those of a dialect at one width, for servers that give the answers of released ones.
struct InvalidFile {
  std::string dialect;
  protocol::Width width = protocol::Width::none;
  std::vector<InvalidMessage> messages;
  bool operator==(const InvalidFile&) const = default;
};

std::string_view name_of(Illegal kind);
std::string_view name_of(MessageKind kind);

/// The layout of a message under these readings; nothing when their dialect has no such message.
std::optional<protocol::Layout> layout_of(const InvalidMessage& message, protocol::Width width,
                                          const protocol::Readings& readings);

/// `invalid/DIALECT.json`
std::string invalid_path_of(std::string_view dialect);

/// The file of a dialect as JSON: all widths together. Precondition: there is one at least, all are
/// of the same dialect, each of another width.
std::string write_json(const std::vector<InvalidFile>& widths);

/// Reads a file, width by width. Errors: one line with the place in the JSON, what stood there and
/// what was expected.
base::Result<std::vector<InvalidFile>> read_invalid_json(std::string_view text);

/// Reads one file. Errors as `read_invalid_json`, with the path in front.
base::Result<std::vector<InvalidFile>> load_invalid_file(const std::string& path);

}  // namespace hallmark::vectors
