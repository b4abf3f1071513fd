#pragma once

#include <string>

#include "base/json.hpp"

namespace hallmark::cli {

/// The command line of this process, quoted for a shell. A password in an address is left out.
std::string command_of_this_process();

/// The system and its processors, as an array of names and values.
base::Json this_machine();

/// The argument as a shell reads it back.
std::string quoted_for_shell(const std::string& argument);

/// The argument with `…` in place of a password such as that of postgres://user:password@host.
std::string without_password(const std::string& argument);

}  // namespace hallmark::cli
