#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/text.hpp"
#include "protocol/dialects.hpp"
#include "vectors/format/format_2.hpp"
#include "vectors/format/json.hpp"
#include "vectors/format/json_file.hpp"

namespace hallmark::vectors {
namespace {

namespace fs = std::filesystem;
using protocol::Profile;
using protocol::Width;

/// The paths of a dialect's files, those of the deployed profile first.
Result<std::vector<std::string>> paths_of(const VectorRoot& root, std::string_view dialect) {
  auto paths = root.files_in(folder_of(dialect, Profile::deployed));
  if (paths.has_error()) return paths.error();
  const std::string literal = folder_of(dialect, Profile::literal);
  if (!root.has(literal)) return paths;
  const auto more = root.files_in(literal);
  if (more.has_error()) return more.error();
  paths->insert(paths->end(), more->begin(), more->end());
  return paths;
}

/// Returns true if the folder has a folder of some width, as in format 2.
bool has_folder_of_width(const fs::path& folder) {
  std::error_code ignored;
  return std::ranges::any_of(
      std::array{Width::u8, Width::u16, Width::u32, Width::u64},
      [&](Width width) { return fs::is_directory(folder / name_of(width), ignored); });
}

}  // namespace

std::string folder_of(std::string_view dialect, Profile profile) {
  fs::path folder(dialect);
  if (profile == Profile::literal) folder /= name_of(profile);
  return folder.string();
}

std::string path_of(const VectorFile& file) {
  return fmt::format("{}/{}.json", folder_of(file.dialect, file.profile),
                     base::lower_case(file.operation));
}

Result<std::vector<VectorFile>> load_file(const std::string& path, std::optional<Width> only) {
  return reading::load(path, [&](std::string_view text) { return read_json(text, only); });
}

Result<std::vector<VectorFile>> load_directory(const std::string& directory,
                                               std::string_view dialect, Width width) {
  const VectorRoot root(directory);
  const auto paths = paths_of(root, dialect);
  const fs::path folder = fs::path(directory) / dialect;
  if (paths.has_error() && !root.is_program() && has_folder_of_width(folder))
    return Error{fmt::format("{}: {}", folder.string(), is_of_format_2)};
  if (paths.has_error()) return paths.error();
  std::vector<VectorFile> all;
  for (const std::string& path : *paths) {
    auto files =
        reading::load(root, path, [&](std::string_view text) { return read_json(text, width); });
    if (files.has_error()) return files.error();
    for (VectorFile& file : *files) {
      if (!file.vectors.empty()) all.push_back(std::move(file));
    }
  }
  if (all.empty())
    return Error{fmt::format("{}: holds no vectors of {}", root.shown(std::string(dialect)),
                             name_of(width))};
  return all;
}

}  // namespace hallmark::vectors
