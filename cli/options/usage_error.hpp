#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace hallmark::cli {

/// One line for a command line that was refused: the command it was meant for, what came and what
/// is allowed there. `app` is the application whose `parse` threw `error`.
std::string explain_usage_error(const CLI::App& app, const CLI::ParseError& error);

}  // namespace hallmark::cli
