#include "cli/certify/reproduction_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "base/output_file.hpp"
#include "base/text.hpp"
#include "reports/certify/finding_report.hpp"

namespace hallmark::cli {
namespace {

namespace fs = std::filesystem;
using conformance::Reproduced;
using reports::CaseResult;
using reports::CertifyResult;

/// "throttr-7.1.u16.behaviour.insert.adds-a-counter", whatever the id holds.
std::string stem_of(const std::string& case_id) {
  std::string stem = case_id;
  std::ranges::replace_if(
      stem, [](char c) { return c == '/' || c == '#' || c == ':' || c == ' '; }, '.');
  return stem;
}

base::Result<void> write(const fs::path& path, const std::string& text) {
  return base::write_file(path.string(), text);
}

std::string text_of(const std::vector<std::string>& lines) {
  return fmt::format("{}\n", fmt::join(lines, "\n"));
}

/// Reports show the end of what a case sent, and the beginning of a long request.
bool is_cut_short(const std::string& line) { return line.find("…") != line.npos; }

/// Comments in front of what a case sent: what it shows, and whether it shows it on a fresh
/// process.
std::vector<std::string> with_heading(const CaseResult& one, const reports::RunHeader& header) {
  std::vector<std::string> lines{
      fmt::format("# {}: {}", one.id, base::printable(one.reason)),
      fmt::format("# {}", reports::repetitions_in_words(one.repeated, header))};
  if (std::ranges::any_of(one.reproduction, is_cut_short))
    lines.push_back(fmt::format("# not all that was sent: `certify --filter {}` sends it", one.id));
  for (const std::string& line : one.reproduction)
    lines.push_back(line.starts_with("…") ? "# " + line : line);
  return lines;
}

/// True if one of the files is of that case, whole or a step of it.
bool is_among(const std::vector<Reproduced>& found, const std::string& id) {
  return std::ranges::any_of(found, [&](const Reproduced& one) {
    return one.case_id == id || one.case_id.starts_with(id + "/");
  });
}

}  // namespace

base::Result<ReproductionFiles> write_reproductions(const std::string& directory,
                                                    const conformance::CaseSources& sources,
                                                    const conformance::Failures& failures,
                                                    const conformance::CertifyOptions& options,
                                                    CertifyResult& result) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) return base::Error{fmt::format("{}: {}", directory, error.message())};
  const conformance::Driver& driver = conformance::driver_of(options.asked);
  const auto found = driver.reproduce(sources, failures, options, result);
  if (!found) return base::Error{found.error()};
  const std::string_view extension = driver.script_extension();
  ReproductionFiles files;
  for (const Reproduced& one : *found) {
    const std::string stem = (fs::path(directory) / stem_of(one.case_id)).string();
    for (const auto& [path, text] :
         {std::pair(stem + ".json", one.vector),
          std::pair(fmt::format("{}{}", stem, extension), text_of(one.requests))}) {
      if (const auto written = write(path, text); !written) return written.error();
    }
    ++files.cut_down;
  }
  for (const CaseResult& one : result.cases) {
    if (one.verdict != reports::Verdict::fail || one.reproduction.empty()) continue;
    if (is_among(*found, one.id)) continue;
    const std::string stem = (fs::path(directory) / stem_of(one.id)).string();
    const auto written =
        write(fmt::format("{}{}", stem, extension), text_of(with_heading(one, result.header)));
    if (!written) return written.error();
    ++files.scripts;
  }
  return files;
}

}  // namespace hallmark::cli
