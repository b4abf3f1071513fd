#pragma once

#include "protocol/codec/decode.hpp"
#include "reports/certify/code.hpp"
#include "vectors/format/match.hpp"

namespace hallmark::conformance {

/// The code of a message whose field is not as expected. Of a field that is out of a list, such as
/// a status, it says what came instead of what; of one that came too much, or did not come, that.
reports::Code code_of(const protocol::MessageView& message, const vectors::Mismatch& mismatch);

/// The code of bytes that are no such message. Where a value is out of its list it is that of a
/// wrong field: the bytes that a target confuses may be a time, and in the list the next time.
reports::Code code_of_malformed(const protocol::Layout& layout, const protocol::Malformed& error);

}  // namespace hallmark::conformance
