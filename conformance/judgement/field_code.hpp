#pragma once

#include "protocol/codec/decode.hpp"
#include "reports/certify/code.hpp"
#include "vectors/format/match.hpp"

namespace hallmark::conformance {

/// The code of a message whose field is not as expected. Of a field that is out of a list, such as
/// a status, it says what came instead of what; of one that came too much, or did not come, that.
reports::Code code_of(const protocol::MessageView& message, const vectors::Mismatch& mismatch);

}  // namespace hallmark::conformance
