#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "clients/format.hpp"
#include "clients/serve/message.hpp"
#include "protocol/codec/decode.hpp"

namespace hallmark::clients {

/// The layout of a message; nothing for an answer to bytes that are not a request.
std::optional<protocol::Layout> layout_of(const Message& message, const Format& format);

/// The fields of a message, by its layout. Empty where it has none or the message is silence.
std::vector<protocol::FieldValue> fields_of(const Message& message, const Format& format);

/// Fields that are looked for in a reply, in wire order, each once: those of the reply, of its
/// success and of its groups.
std::vector<const protocol::Field*> reply_fields(const protocol::Operation& operation,
                                                 const Format& format);
std::vector<const protocol::Field*> push_fields(const protocol::Push& push, const Format& format);

/// True if a reply of that layout is a status and nothing else (and perhaps an id).
bool is_short(const protocol::Operation& operation, const Format& format);

/// True if one of the fields is a group.
bool has_group(const protocol::Operation& operation, const Format& format);

}  // namespace hallmark::clients
