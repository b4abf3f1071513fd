#pragma once
#include <string_view>

#include "reports/result.hpp"

namespace hallmark::cli {

/// One line on standard error: which command says what.
void complain(std::string_view command, std::string_view message);

/// As `complain`; returns `code`.
reports::ExitCode refuse(std::string_view command, std::string_view message,
                         reports::ExitCode code = reports::ExitCode::usage);

}  // namespace hallmark::cli
