#pragma once
#include <string>

#include "cli/help/description.hpp"

namespace hallmark::cli {

/// The facts that stand around the text of every page.
struct ManualFacts {
  std::string version;  ///< "0.1.0"
  std::string date;     ///< "2026-11-25"
};

/// The name of a command's page without its section: "hallmark-certify".
std::string page_name(const CommandDescription& command);

/// The page of the program: its commands, each with a page of its own, and the exit codes.
std::string render_program_page(const CommandDescription& program, const ManualFacts& facts);

/// The page of a command of the program, for man(7). Its own commands are sections of it.
std::string render_command_page(const CommandDescription& command, const ManualFacts& facts);

}  // namespace hallmark::cli
