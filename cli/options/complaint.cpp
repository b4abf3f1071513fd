#include "cli/options/complaint.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "base/output_file.hpp"
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

bool write_or_complain(std::string_view command, const std::string& path,
                       const std::string& content) {
  const auto written = base::write_file(path, content);
  if (!written) complain(command, written.error().message);
  return static_cast<bool>(written);
}

}  // namespace hallmark::cli
