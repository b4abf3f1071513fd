#include "cli/vectors/vector_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <system_error>

#include "base/output_file.hpp"
#include "base/read_file.hpp"
#include "vectors/format/json.hpp"
#include "vectors/format/vector_root.hpp"

namespace hallmark::cli {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::Result;

/// First component of each path: the name of a dialect, `layouts` or `invalid`.
std::set<std::string> folders_of(const VectorTexts& generated) {
  std::set<std::string> names;
  for (const auto& [path, text] : generated) names.insert(fs::path(path).begin()->string());
  return names;
}

Result<std::string> read_text(const fs::path& path) {
  constexpr std::size_t most_bytes = 64 * base::mebibyte;
  return base::read_file(path, most_bytes, "a vector file");
}

/// Adds the files of one folder; there are none where it does not exist.
Result<void> read_folder(const fs::path& directory, const std::string& folder, VectorTexts& texts) {
  std::error_code error;
  if (!fs::exists(directory / folder, error)) return {};
  auto entry = fs::recursive_directory_iterator(directory / folder, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (entry->path().extension() != ".json") continue;
    auto text = read_text(entry->path());
    if (!text) return text.error();
    texts[entry->path().lexically_relative(directory).generic_string()] = std::move(*text);
  }
  if (!error) return {};
  return Error{fmt::format("{}: {}", (directory / folder).string(), error.message())};
}

/// Adds the files of one folder, and of its profiles, that the program carries.
Result<void> read_carried(const std::string& name, VectorTexts& texts) {
  const vectors::VectorRoot program("");
  for (const protocol::Profile profile :
       {protocol::Profile::deployed, protocol::Profile::literal}) {
    const std::string folder = vectors::folder_of(name, profile);
    if (!program.has(folder)) continue;
    const auto paths = program.files_in(folder);
    if (!paths) return paths.error();
    for (const std::string& path : *paths) {
      auto text = program.read(path);
      if (!text) return text.error();
      texts[path] = std::move(*text);
    }
  }
  return {};
}

std::string_view next_line(std::string_view& text) {
  const auto end = text.find('\n');
  const auto line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

/// Those of all widths.
std::vector<vectors::Vector> vectors_of(const std::vector<vectors::VectorFile>& widths) {
  std::vector<vectors::Vector> all;
  for (const vectors::VectorFile& file : widths)
    all.insert(all.end(), file.vectors.begin(), file.vectors.end());
  return all;
}

/// The first vector of either that is not in the other, or not the same there. Empty where the
/// vectors agree or the committed text is no vector file.
std::string first_differing_vector(const std::string& committed, const std::string& generated) {
  const auto before = vectors::read_json(committed);
  const auto after = vectors::read_json(generated);
  if (before.has_error() || after.has_error()) return {};
  const auto a = vectors_of(*before);
  const auto b = vectors_of(*after);
  const auto [in_a, in_b] = std::ranges::mismatch(a, b);
  if (in_b != b.end()) return in_b->id;
  return in_a != a.end() ? in_a->id : std::string();
}

Difference difference(const std::string& path, const std::string& committed,
                      const std::string& generated) {
  Difference found{.path = path,
                   .line = 1,
                   .vector_id = first_differing_vector(committed, generated),
                   .committed = {},
                   .generated = {}};
  std::string_view left_committed = committed;
  std::string_view left_generated = generated;
  while (!left_committed.empty() || !left_generated.empty()) {
    const auto a = next_line(left_committed);
    const auto b = next_line(left_generated);
    if (a != b) {
      found.committed = a;
      found.generated = b;
      break;
    }
    ++found.line;
  }
  return found;
}

Result<void> remove_file(const fs::path& path) {
  std::error_code error;
  if (fs::remove(path, error) || !error) return {};
  return Error{fmt::format("{}: cannot be removed: {}", path.string(), error.message())};
}

}  // namespace

Result<VectorTexts> read_vector_files(const fs::path& directory, const VectorTexts& generated) {
  VectorTexts texts;
  for (const auto& folder : folders_of(generated)) {
    const auto read =
        directory.empty() ? read_carried(folder, texts) : read_folder(directory, folder, texts);
    if (!read) return read.error();
  }
  return texts;
}

Drift compare(const VectorTexts& committed, const VectorTexts& generated) {
  Drift drift;
  for (const auto& [path, text] : generated) {
    const auto found = committed.find(path);
    if (found == committed.end()) {
      drift.missing.push_back(path);
    } else if (found->second != text) {
      drift.differing.push_back(difference(path, found->second, text));
    }
  }
  for (const auto& [path, text] : committed) {
    if (!generated.contains(path)) drift.extra.push_back(path);
  }
  return drift;
}

Result<void> make_directory(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) return Error{fmt::format("{}: {}", directory.string(), error.message())};
  return {};
}

Result<void> write_vector_file(const fs::path& path, const std::string& text) {
  if (path.has_parent_path()) {
    if (auto made = make_directory(path.parent_path()); !made) return made.error();
  }
  return base::write_file(path, text);
}

Result<Written> write_vector_files(const fs::path& directory, const VectorTexts& generated) {
  const auto committed = read_vector_files(directory, generated);
  if (!committed) return committed.error();
  Written counts;
  for (const auto& [path, text] : generated) {
    const auto found = committed->find(path);
    if (found != committed->end() && found->second == text) continue;
    if (auto written = write_vector_file(directory / path, text); !written) return written.error();
    ++counts.written;
  }
  for (const auto& [path, text] : *committed) {
    if (generated.contains(path)) continue;
    if (auto removed = remove_file(directory / path); !removed) return removed.error();
    ++counts.removed;
  }
  return counts;
}

}  // namespace hallmark::cli
