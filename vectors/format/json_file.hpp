#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/json_reader.hpp"
#include "base/read_file.hpp"
#include "vectors/format/json.hpp"
#include "vectors/format/vector_root.hpp"

/// The part that the readers of all vector files share.
namespace hallmark::vectors::reading {

/// A whole file that `read` reads. Errors: it cannot be read, or those of `read`, with the path in
/// front.
template <class Read>
auto load(const std::string& path, const Read& read) -> decltype(read(std::string_view())) {
  const auto text = base::read_file(path, most_file_bytes, "a vector file");
  if (text.has_error()) return text.error();
  auto file = read(*text);
  if (file.has_error()) return base::Error{fmt::format("{}: {}", path, file.error().message)};
  return file;
}

/// The same for a file below a root.
template <class Read>
auto load(const VectorRoot& root, const std::string& path, const Read& read)
    -> decltype(read(std::string_view())) {
  const auto text = root.read(path);
  if (text.has_error()) return text.error();
  auto file = read(*text);
  if (file.has_error())
    return base::Error{fmt::format("{}: {}", root.shown(path), file.error().message)};
  return file;
}

/// Refuses the name of a dialect that there is not.
const protocol::Dialect& read_dialect(const base::JsonReader& reader);

}  // namespace hallmark::vectors::reading
