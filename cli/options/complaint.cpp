#include "cli/options/complaint.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "base/text.hpp"

namespace hallmark::cli {

void complain(std::string_view command, std::string_view message) {
  fmt::print(stderr, "hallmark {}: {}\n", command, base::printable(message));
}

reports::ExitCode refuse(std::string_view command, std::string_view message,
                         reports::ExitCode code) {
  complain(command, message);
  return code;
}

}  // namespace hallmark::cli
