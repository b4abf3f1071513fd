#pragma once

#include <string>

#include "reports/result.hpp"

namespace hallmark::reports {

/// An SVG badge: what was certified, and with what result. Green only where the run ended as
/// expected.
std::string render_badge(const CertifyResult& result);

}  // namespace hallmark::reports
