#pragma once

#include <stdexcept>

#include "base/expected.hpp"
#include "protocol/codec/layout.hpp"
#include "protocol/record.hpp"

namespace hallmark::protocol {

/// Why values could not be encoded.
struct EncodeError {
  std::string field;
  std::string reason;
};

[[noreturn]] inline void throw_error(const EncodeError& error) {
  throw std::logic_error(error.field + " " + error.reason);
}

/// The bytes of a message. Sizes, counts and the opcode are computed. `values` must hold a value
/// for each other field that the layout has (after a failure status: for none of those on success)
/// and no value for a field that it does not have.
/// Errors: a value missing, unknown, of another type, or too large for its field.
base::Expected<base::Bytes, EncodeError> encode(const Layout& layout, const Record& values);

}  // namespace hallmark::protocol
