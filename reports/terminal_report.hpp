#pragma once
#include <string>

#include "reports/certify/identify_result.hpp"
#include "reports/load/load_result.hpp"
#include "reports/result.hpp"
#include "reports/terminal.hpp"

namespace hallmark::reports {

/// Failures with their bytes, a summary by operation, and the verdict as the last line. When
/// `style.height` is given, only the first failure has its bytes, and the whole stays short enough
/// that it is still on the screen.
std::string render_terminal(const CertifyResult& result, const TerminalStyle& style);

/// Rates, latencies by operation, errors by kind, and the verdict as the last line.
std::string render_terminal(const LoadResult& result, const TerminalStyle& style);

/// Each finding with its evidence, and what the endpoint is as the last line.
std::string render_terminal(const IdentifyResult& result, const TerminalStyle& style);

/// One failure with its bytes, clauses, likely cause and reproduction; `rows` bounds the lines of
/// the byte dump.
std::string render_case(const CaseResult& result, const TerminalStyle& style, std::size_t rows);

/// Rows of a dump in files, which have room.
inline constexpr std::size_t dump_rows = 40;

}  // namespace hallmark::reports
