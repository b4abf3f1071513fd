#include "cli/certify/github_step.hpp"

#include <fmt/format.h>

#include "base/environment.hpp"
#include "base/log_file.hpp"
#include "cli/options/complaint.hpp"

namespace hallmark::cli {

bool tell_github(std::string_view command, const std::string& annotations,
                 const std::string& summary) {
  fmt::print("{}", annotations);
  const std::string path = base::environment_variable("GITHUB_STEP_SUMMARY");
  if (path.empty()) return true;
  auto file = base::LogFile::open(path, base::LogFile::Start::behind_the_end);
  if (file) file->write(summary);
  const auto written = file ? file->flush() : base::Result<void>(file.error());
  if (!written) complain(command, "GITHUB_STEP_SUMMARY: " + written.error().message);
  return static_cast<bool>(written);
}

}  // namespace hallmark::cli
