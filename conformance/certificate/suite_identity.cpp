#include "conformance/certificate/suite_identity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "base/read_file.hpp"
#include "conformance/certificate/sha256.hpp"
#include "vectors/format/json.hpp"
#include "vectors/format/vector_root.hpp"

namespace hallmark::certificate {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::Json;
using base::JsonMembers;
using base::JsonReader;
using protocol::Profile;

constexpr std::size_t most_entries = 100'000;

void add_file(SuiteIdentity& identity, std::string_view text, std::string path) {
  identity.vectors.push_back({std::move(path), sha256_of(text)});
}

/// The files in a folder; where it is not there, none.
base::Result<void> add_folder(SuiteIdentity& identity, const vectors::VectorRoot& root,
                              const std::string& folder) {
  if (!root.has(folder)) return {};
  const auto paths = root.files_in(folder);
  if (!paths) return paths.error();
  for (const std::string& path : *paths) {
    const auto text = root.read(path);
    if (!text) return text.error();
    add_file(identity, *text, path);
  }
  return {};
}

/// One file stands for all vectors where it is given in the place of their directory.
base::Result<void> add_vectors(SuiteIdentity& identity, const fs::path& root,
                               const protocol::Dialect& dialect) {
  if (fs::is_regular_file(root)) {
    const auto text = base::read_file(root, vectors::most_file_bytes, "a vector file");
    if (!text) return text.error();
    add_file(identity, *text, root.filename());
    return {};
  }
  for (const Profile profile : {Profile::deployed, Profile::literal}) {
    const auto added =
        add_folder(identity, vectors::VectorRoot(root), vectors::folder_of(dialect.name, profile));
    if (!added) return added;
  }
  return {};
}

const VectorFileHash* find(const SuiteIdentity& identity, const std::string& path) {
  const auto found = std::ranges::find(identity.vectors, path, &VectorFileHash::path);
  return found == identity.vectors.end() ? nullptr : &*found;
}

std::vector<JsonReader> bounded_items(const JsonReader& reader) {
  auto items = reader.items();
  if (items.size() > most_entries) reader.refuse(fmt::format("at most {} entries", most_entries));
  return items;
}

VectorFileHash read_file_hash(const JsonReader& reader) {
  JsonMembers members(reader);
  VectorFileHash file{members["path"].printable_string(), members["sha256"].printable_string()};
  members.no_more();
  return file;
}

}  // namespace

std::string SuiteIdentity::digest() const {
  Sha256 digest;
  for (const VectorFileHash& one : vectors)
    digest.add(fmt::format("{}  {}\n", one.sha256, one.path));
  for (const std::string& id : cases) digest.add(id + "\n");
  return digest.hex();
}

base::Result<SuiteIdentity> identity_of(const std::string& vectors_directory,
                                        const protocol::Dialect& dialect,
                                        std::vector<std::string> cases) {
  SuiteIdentity identity;
  const auto added = add_vectors(identity, vectors_directory, dialect);
  if (!added) return added.error();
  std::ranges::sort(identity.vectors, {}, &VectorFileHash::path);
  std::ranges::sort(cases);
  identity.cases = std::move(cases);
  return identity;
}

std::string difference(const SuiteIdentity& recorded, const SuiteIdentity& here) {
  for (const VectorFileHash& one : recorded.vectors) {
    const VectorFileHash* const ours = find(here, one.path);
    if (ours == nullptr) return fmt::format("the vectors {} are not here", one.path);
    if (ours->sha256 != one.sha256) return fmt::format("the vectors {} differ", one.path);
  }
  for (const VectorFileHash& one : here.vectors) {
    if (find(recorded, one.path) == nullptr)
      return fmt::format("the vectors {} were not in it", one.path);
  }
  const auto missing = [](const std::vector<std::string>& from,
                          const std::vector<std::string>& in) {
    std::vector<std::string> only;
    std::ranges::set_difference(from, in, std::back_inserter(only));
    return only.empty() ? std::string() : only.front();
  };
  if (const std::string id = missing(recorded.cases, here.cases); !id.empty())
    return fmt::format("its case {} is not here", id);
  if (const std::string id = missing(here.cases, recorded.cases); !id.empty())
    return fmt::format("the case {} was not in it", id);
  return {};
}

Json to_json(const SuiteIdentity& identity) {
  Json files = Json::array();
  for (const VectorFileHash& one : identity.vectors)
    files.push_back({{"path", one.path}, {"sha256", one.sha256}});
  return {{"sha256", identity.digest()}, {"vectors", files}, {"cases", identity.cases}};
}

SuiteIdentity read_identity(const JsonReader& reader) {
  JsonMembers members(reader);
  SuiteIdentity identity;
  for (const JsonReader& file : bounded_items(members["vectors"]))
    identity.vectors.push_back(read_file_hash(file));
  for (const JsonReader& id : bounded_items(members["cases"]))
    identity.cases.push_back(id.printable_string());
  if (const JsonReader hash = members["sha256"]; hash.string() != identity.digest())
    hash.refuse("the hash of the suite's vectors and cases");
  members.no_more();
  return identity;
}

}  // namespace hallmark::certificate
