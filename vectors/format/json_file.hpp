#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/json_reader.hpp"
#include "base/read_file.hpp"
#include "vectors/format/json.hpp"

/// What the readers of all vector files share.
namespace hallmark::vectors::reading {

/// Hexadecimal text, or a list of texts and of runs that repeat: at most 16 MiB.
base::Bytes read_bytes(const base::JsonReader& reader);

/// A whole file that `read` reads. Errors: it cannot be read, or those of `read`, with the path in
/// front.
template <class File>
base::Result<File> load(const std::string& path, base::Result<File> (*read)(std::string_view)) {
  const auto text = base::read_file(path, most_file_bytes, "a vector file");
  if (text.has_error()) return text.error();
  auto file = read(*text);
  if (file.has_error()) return base::Error{fmt::format("{}: {}", path, file.error().message)};
  return file;
}

/// Paths of the .json files in a folder, in order; there has to be one.
base::Result<std::vector<std::string>> json_files(const std::filesystem::path& folder);

}  // namespace hallmark::vectors::reading
