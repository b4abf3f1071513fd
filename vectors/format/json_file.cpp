#include "vectors/format/json_file.hpp"

#include <algorithm>

#include "base/hex.hpp"

namespace hallmark::vectors::reading {
namespace {

namespace fs = std::filesystem;
using base::Bytes;
using base::Error;
using base::JsonMembers;
using base::JsonReader;

constexpr std::size_t most_bytes = 16 * base::mebibyte;

Bytes read_digits(const JsonReader& reader) {
  auto bytes = base::from_hex(reader.string());
  if (!bytes) reader.refuse("pairs of hexadecimal digits");
  return *std::move(bytes);
}

/// Appends bytes, or as many repetitions of them as the run says.
void append_part(Bytes& all, const JsonReader& part) {
  Bytes once;
  std::size_t times = 1;
  if (part.json().is_object()) {
    JsonMembers run(part);
    once = read_digits(run["hex"]);
    times = run["times"].natural();
    run.no_more();
  } else {
    once = read_digits(part);
  }
  const std::size_t room = most_bytes - all.size();
  if (!once.empty() && times > room / once.size()) part.refuse("at most 16 MiB in all");
  for (std::size_t i = 0; i < times && !once.empty(); ++i)
    all.insert(all.end(), once.begin(), once.end());
}

}  // namespace

Bytes read_bytes(const JsonReader& reader) {
  if (!reader.json().is_array()) return read_digits(reader);
  Bytes all;
  for (const JsonReader& part : reader.items()) append_part(all, part);
  return all;
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
