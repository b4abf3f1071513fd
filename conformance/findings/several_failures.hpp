#pragma once

#include "reports/result.hpp"

namespace hallmark::conformance {

/// The run with a case for each failure: a case that tries several inputs and fails in several ways
/// stands there as often, each time with one of its codes and the sentence about it.
reports::CertifyResult one_failure_a_case(const reports::CertifyResult& run);

}  // namespace hallmark::conformance
