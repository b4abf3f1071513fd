#include "cli/vectors/pack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>

#include "base/json.hpp"
#include "base/read_file.hpp"
#include "cli/vectors/plain.hpp"
#include "cli/vectors/vector_files.hpp"
#include "conformance/certificate/sha256.hpp"
#include "protocol/dialects.hpp"
#include "vectors/format/layouts.hpp"
#include "vectors/format/plain.hpp"

namespace hallmark::cli {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::Json;
using base::Result;

constexpr std::string_view package_name = "hallmark-vectors";
constexpr std::string_view module_path = "npm/index.mjs";

/// Extensions of what is released; the sources of the generator are in the same tree.
constexpr std::array released_extensions{".json", ".jsonl", ".md", ".py", ".go", ".mjs"};

/// Files of each part that has to be there.
constexpr std::array required_parts{"schema/vectors.schema.json", "layouts/throttr-7.1.json",
                                    "invalid/throttr-7.1.json",   "runners/codec.py",
                                    "runners/codec.go",           "runners/codec.mjs",
                                    "runners/runner.py",          "runners/runner.go",
                                    "runners/runner.mjs",         "npm/index.mjs"};

bool is_released(const fs::path& path) {
  return std::ranges::any_of(released_extensions,
                             [&](const char* one) { return path.extension() == one; });
}

Result<ArchiveFiles> released_files(const fs::path& directory) {
  constexpr std::size_t most_bytes = 64 * base::mebibyte;
  ArchiveFiles files;
  std::error_code error;
  auto entry = fs::recursive_directory_iterator(directory, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (!entry->is_regular_file() || !is_released(entry->path())) continue;
    auto text = base::read_file(entry->path(), most_bytes, "a file of the vectors");
    if (!text) return text.error();
    files[entry->path().lexically_relative(directory).generic_string()] = std::move(*text);
  }
  if (error) {
    return Error{fmt::format("{}: {}, expected a directory of vectors", directory.string(),
                             error.message())};
  }
  for (const char* const part : required_parts) {
    if (!files.contains(part)) {
      return Error{
          fmt::format("{}: has no {}, expected the vectors of Hallmark", directory.string(), part)};
    }
  }
  return files;
}

/// Adds the plain vectors of each dialect, width and profile; of the literal one where it has other
/// answers. They are a line each, for programs.
Result<void> add_plain(const fs::path& directory, ArchiveFiles& files) {
  using protocol::Profile;
  for (const protocol::Dialect* const dialect : protocol::all_dialects) {
    const Json deployed = vectors::answers_json(protocol::Readings(*dialect, Profile::deployed));
    for (const Profile profile : {Profile::deployed, Profile::literal}) {
      const protocol::Readings readings(*dialect, profile);
      if (profile == Profile::literal && vectors::answers_json(readings) == deployed) continue;
      for (const protocol::Width width : dialect->widths) {
        const auto plain = plain_vectors_of(directory.string(), {width, readings});
        if (!plain) return plain.error();
        files[vectors::plain_path_of(dialect->name, width, profile)] = plain->dump() + "\n";
      }
    }
  }
  return {};
}

std::string manifest_of(const ArchiveFiles& files, const std::string& version) {
  Json json = {{"name", package_name}, {"version", version}, {"files", Json::array()}};
  for (const auto& [path, content] : files) {
    json["files"].push_back(
        {{"path", path}, {"bytes", content.size()}, {"sha256", certificate::sha256_of(content)}});
  }
  return json.dump(1) + "\n";
}

std::string package_json(const std::string& version) {
  const Json json = {
      {"name", package_name},
      {"version", version},
      {"description", "Golden vectors for rate-limiter protocols, with layouts and schemas"},
      {"license", "Apache-2.0"},
      {"type", "module"},
      {"main", "index.mjs"},
      {"exports", {{".", "./index.mjs"}, {"./vectors/*", "./vectors/*"}}},
      {"files", Json::array({"index.mjs", "manifest.json", "vectors"})},
      {"engines", {{"node", ">=18"}}}};
  return json.dump(2) + "\n";
}

/// The files of the npm package: vectors are below `vectors`, its module is not.
ArchiveFiles package_files(const ArchiveFiles& released, const std::string& version) {
  ArchiveFiles vectors;
  for (const auto& [path, content] : released) {
    if (path != module_path) vectors["vectors/" + path] = content;
  }
  ArchiveFiles files = vectors;
  files["index.mjs"] = released.at(std::string(module_path));
  files["manifest.json"] = manifest_of(vectors, version);
  files["package.json"] = package_json(version);
  return files;
}

Result<void> require_empty(const fs::path& output) {
  std::error_code error;
  if (!fs::exists(output, error) ||
      (fs::is_directory(output, error) && fs::is_empty(output, error)))
    return {};
  return Error{
      fmt::format("{}: is there and not empty, expected a new directory", output.string())};
}

}  // namespace

Result<Packed> pack_vectors(const fs::path& directory, const fs::path& output,
                            const std::string& version) {
  if (directory.empty()) {
    return Error{
        "--vectors: the tree that this program was built from is not here; expected the directory "
        "vectors of a checkout of Hallmark"};
  }
  if (auto empty = require_empty(output); !empty) return empty.error();
  auto released = released_files(directory);
  if (!released) return released.error();
  if (auto added = add_plain(directory, *released); !added) return added.error();
  const std::string folder = fmt::format("{}-{}", package_name, version);
  ArchiveFiles archived;
  for (const auto& [path, content] : *released) archived[folder + "/" + path] = content;
  archived[folder + "/manifest.json"] = manifest_of(*released, version);
  const auto archive = tar_gz(archived);
  if (!archive) return archive.error();
  Packed packed{folder + ".tar.gz", certificate::sha256_of(*archive), released->size()};
  if (auto written = write_vector_file(output / packed.archive, *archive); !written)
    return written.error();
  for (const auto& [path, content] : package_files(*released, version)) {
    if (auto written = write_vector_file(output / "npm" / path, content); !written)
      return written.error();
  }
  return packed;
}

}  // namespace hallmark::cli
