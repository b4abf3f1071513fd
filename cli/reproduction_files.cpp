#include "cli/reproduction_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "reports/atomic_file.hpp"
#include "vectors/format/json.hpp"

namespace hallmark::cli {
namespace {

namespace fs = std::filesystem;

/// "throttr-7.1.u16.behaviour.insert.adds-a-counter", whatever the id holds.
std::string stem_of(const std::string& case_id) {
  std::string stem = case_id;
  std::ranges::replace_if(
      stem, [](char c) { return c == '/' || c == '#' || c == ':' || c == ' '; }, '.');
  return stem;
}

std::string vector_text(const conformance::WireFormat& format,
                        const conformance::Reproduction& reproduction) {
  vectors::VectorFile file;
  file.dialect = format.dialect().name;
  file.width = format.width();
  file.operation = reproduction.vector.operation;
  file.vectors = {reproduction.vector};
  return vectors::write_json(file);
}

}  // namespace

reports::Result<std::size_t> write_reproductions(const std::string& directory,
                                                 const conformance::Scripts& scripts,
                                                 const conformance::CertifyOptions& options,
                                                 reports::CertifyResult& result) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) return reports::Error{fmt::format("{}: {}", directory, error.message())};
  const auto reproductions = conformance::reduce_failures(scripts, options, result);
  for (const conformance::Reproduction& one : reproductions) {
    const fs::path stem = fs::path(directory) / stem_of(one.case_id);
    const auto lines = conformance::hex_script(*scripts.format(), one);
    const std::pair<std::string, std::string> files[] = {
        {stem.string() + ".json", vector_text(*scripts.format(), one)},
        {stem.string() + ".hex", fmt::format("{}\n", fmt::join(lines, "\n"))}};
    for (const auto& [path, text] : files) {
      if (const auto written = reports::write_file_atomically(path, text); !written)
        return written.error();
    }
  }
  return reproductions.size();
}

}  // namespace hallmark::cli
