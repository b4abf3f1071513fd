#include "vectors/format/vector_root.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "embedded/embedded.hpp"
#include "vectors/format/json.hpp"

namespace hallmark::vectors {
namespace {

namespace fs = std::filesystem;

}  // namespace

Result<std::vector<std::string>> VectorRoot::files_in(const std::string& folder) const {
  std::vector<std::string> paths;
  std::error_code error;
  if (is_program()) {
    paths = embedded::files_in(folder);
  } else {
    for (const fs::directory_entry& entry : fs::directory_iterator(directory_ / folder, error)) {
      if (entry.path().extension() == ".json")
        paths.push_back((fs::path(folder) / entry.path().filename()).string());
    }
  }
  if (error)
    return Error{fmt::format("{}: {}, expected a directory of vector files", shown(folder),
                             error.message())};
  if (paths.empty())
    return Error{fmt::format("{}: holds no .json file, expected vector files", shown(folder))};
  std::ranges::sort(paths);
  return paths;
}

bool VectorRoot::has(const std::string& folder) const {
  if (is_program()) return !embedded::files_in(folder).empty();
  std::error_code ignored;
  return fs::exists(directory_ / folder, ignored);
}

Result<std::string> VectorRoot::read(const std::string& path) const {
  if (!is_program()) return base::read_file(directory_ / path, most_file_bytes, "a vector file");
  const auto text = embedded::text_of(path);
  if (!text) return Error{fmt::format("{}: there is none, expected a vector file", shown(path))};
  return std::string(*text);
}

std::string VectorRoot::shown(const std::string& path) const {
  if (is_program()) return fmt::format("the program's own {}", path);
  return (directory_ / path).string();
}

}  // namespace hallmark::vectors
