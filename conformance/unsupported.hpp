#pragma once

#include "conformance/run_context.hpp"
#include "reports/result.hpp"

namespace hallmark::conformance {

/// A case that the target refused as it refuses what nobody defines, of an operation that it never
/// answered in the whole run, tells of an operation that is not there: its verdict becomes
/// `unsupported`. Asks the target once for each such operation.
void mark_unsupported(RunContext& context, reports::CertifyResult& result);

}  // namespace hallmark::conformance
