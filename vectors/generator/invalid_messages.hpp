#pragma once

#include "vectors/format/invalid.hpp"

namespace hallmark::vectors::generator {

/// Collects what decoders and encoders of a dialect have to refuse, width by width, under the
/// answers of released servers. For each reply, push and format, these are the mutations of a
/// sample that the codec refuses. For each message, they are the values that do not fit their
/// fields.
/// Error: a sample cannot be encoded, or the widths have different messages.
base::Result<std::vector<InvalidFile>> invalid_files(const protocol::Dialect& dialect);

}  // namespace hallmark::vectors::generator
