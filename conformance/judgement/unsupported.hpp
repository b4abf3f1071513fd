#pragma once

#include "conformance/engine/run_context.hpp"
#include "reports/result.hpp"

namespace hallmark::conformance {

/// Finds the operations that the target lacks: those that it never answered in the whole run and
/// refuses as it refuses an opcode that nobody defines. Asks the target once for each. Failed cases
/// of such an operation, or that asked for one, become `unsupported`; `missing_operations` names
/// the operations.
void mark_unsupported(RunContext& context, reports::CertifyResult& result);

}  // namespace hallmark::conformance
