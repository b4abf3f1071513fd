#include "cli/vectors/convert.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "base/read_file.hpp"
#include "vectors/format/format_2.hpp"

namespace hallmark::cli {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::Result;
using vectors::VectorFile;

/// The widths of each file to be, by its path.
using ByPath = std::map<std::string, std::vector<VectorFile>>;

Result<std::vector<fs::path>> json_files_of(const fs::path& old) {
  std::error_code error;
  if (!fs::is_directory(old, error)) return std::vector{old};
  std::vector<fs::path> paths;
  auto entry = fs::recursive_directory_iterator(old, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (entry->path().extension() == ".json") paths.push_back(entry->path());
  }
  if (error) return Error{fmt::format("{}: {}", old.string(), error.message())};
  std::ranges::sort(paths);
  return paths;
}

/// Reads those of format 2.
Result<std::vector<VectorFile>> read_all(const std::vector<fs::path>& paths) {
  std::vector<VectorFile> files;
  for (const fs::path& path : paths) {
    const auto text = base::read_file(path, vectors::most_file_bytes, "a vector file");
    if (text.has_error()) return text.error();
    if (!vectors::is_format_2(*text)) continue;
    auto file = vectors::read_format_2(*text);
    if (file.has_error()) return Error{fmt::format("{}: {}", path.string(), file.error().message)};
    files.push_back(std::move(*file));
  }
  return files;
}

/// The text has to read back as these files.
Result<void> check(const std::string& text, const std::vector<VectorFile>& widths) {
  const auto again = vectors::read_json(text);
  if (again.has_error()) return again.error();
  if (!(*again == widths)) return Error{"does not read back as it was"};
  return {};
}

}  // namespace

Result<Converted> convert_format_2(const fs::path& old) {
  const auto paths = json_files_of(old);
  if (paths.has_error()) return paths.error();
  auto files = read_all(*paths);
  if (files.has_error()) return files.error();
  if (files->empty())
    return Error{fmt::format("{}: has no vectors of format 2, expected some", old.string())};
  std::ranges::stable_sort(*files, {}, &VectorFile::width);
  Converted result{.read = files->size(), .vectors = 0, .texts = {}};
  ByPath by_path;
  for (VectorFile& file : *files) {
    result.vectors += file.vectors.size();
    by_path[vectors::path_of(file)].push_back(std::move(file));
  }
  for (const auto& [path, widths] : by_path) {
    std::string& text = result.texts[path] = vectors::write_json(widths);
    if (const auto same = check(text, widths); !same)
      return Error{fmt::format("{}: {}", path, same.error().message)};
  }
  return result;
}

}  // namespace hallmark::cli
