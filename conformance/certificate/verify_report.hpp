#pragma once

#include "conformance/certificate/verify.hpp"
#include "reports/terminal.hpp"

namespace hallmark::certificate {

/// Renders what was certified, what is refuted of it, what is missing, and the verdict as the last
/// line.
std::string render_terminal(const Certificate& certificate, const Verification& verification,
                            const reports::TerminalStyle& style);

/// The same as JSON.
std::string render_json(const Certificate& certificate, const Verification& verification);

}  // namespace hallmark::certificate
