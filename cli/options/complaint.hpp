#pragma once
#include <string>
#include <string_view>

#include "reports/result.hpp"

namespace hallmark::cli {

/// Prints one line to standard error: which command complains, and of what. Characters that could
/// steer a terminal are escaped, as messages quote files and arguments.
void complain(std::string_view command, std::string_view message);

/// Complains as `complain` does, and returns `code`.
reports::ExitCode refuse(std::string_view command, std::string_view message,
                         reports::ExitCode code = reports::ExitCode::usage);

/// Writes a file whole. Returns false if that failed, after a complaint that says why.
bool write_or_complain(std::string_view command, const std::string& path,
                       const std::string& content);

}  // namespace hallmark::cli
