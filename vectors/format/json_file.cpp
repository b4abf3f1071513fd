#include "vectors/format/json_file.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "protocol/dialects.hpp"

namespace hallmark::vectors::reading {
namespace {

namespace fs = std::filesystem;
using base::Bytes;
using base::Error;

}  // namespace

const protocol::Dialect& read_dialect(const base::JsonReader& reader) {
  std::vector<std::string_view> names;
  for (const protocol::Dialect* const dialect : protocol::all_dialects) {
    if (dialect->name == reader.string()) return *dialect;
    names.push_back(dialect->name);
  }
  reader.refuse(fmt::format("one of {}", fmt::join(names, ", ")));
}

base::Result<std::vector<std::string>> json_files(const fs::path& folder) {
  std::error_code error;
  std::vector<std::string> paths;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".json") paths.push_back(entry.path().string());
  }
  if (error)
    return Error{fmt::format("{}: {}, expected a directory of vector files", folder.string(),
                             error.message())};
  if (paths.empty())
    return Error{fmt::format("{}: holds no .json file, expected vector files", folder.string())};
  std::ranges::sort(paths);
  return paths;
}

}  // namespace hallmark::vectors::reading
