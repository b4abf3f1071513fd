#include "certificate/suite_identity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "certificate/sha256.hpp"
#include "vectors/format/json.hpp"

namespace hallmark::certificate {
namespace {

namespace fs = std::filesystem;
using protocol::Profile;
using reports::Error;
using Json = nlohmann::ordered_json;

constexpr std::size_t most_entries = 100'000;

reports::Result<void> add_file(SuiteIdentity& identity, const fs::path& file, std::string path) {
  std::ifstream stream(file, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) return Error{fmt::format("{}: cannot be read", file.string())};
  identity.vectors.push_back({std::move(path), sha256_of(content)});
  return {};
}

/// The files in a folder; where it is not there, none.
reports::Result<void> add_folder(SuiteIdentity& identity, const fs::path& root,
                                 const std::string& folder) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(root / folder, ignored)) {
    if (entry.path().extension() != ".json") continue;
    const auto added = add_file(identity, entry.path(), fs::path(folder) / entry.path().filename());
    if (!added) return added;
  }
  return {};
}

/// One file stands for all vectors where it is given in the place of their directory.
reports::Result<void> add_vectors(SuiteIdentity& identity, const fs::path& root,
                                  const protocol::Dialect& dialect, protocol::Width width) {
  if (fs::is_regular_file(root)) return add_file(identity, root, root.filename());
  for (const Profile profile : {Profile::deployed, Profile::literal}) {
    const auto added = add_folder(identity, root, vectors::folder_of(dialect.name, profile, width));
    if (!added) return added;
  }
  return {};
}

const VectorFileHash* find(const SuiteIdentity& identity, const std::string& path) {
  const auto found = std::ranges::find(identity.vectors, path, &VectorFileHash::path);
  return found == identity.vectors.end() ? nullptr : &*found;
}

bool is_text(const Json& json) { return json.is_string(); }

}  // namespace

std::string SuiteIdentity::digest() const {
  Sha256 digest;
  for (const VectorFileHash& one : vectors)
    digest.add(fmt::format("{}  {}\n", one.sha256, one.path));
  for (const std::string& id : cases) digest.add(id + "\n");
  return digest.hex();
}

reports::Result<SuiteIdentity> identity_of(const std::string& vectors_directory,
                                           const protocol::Dialect& dialect, protocol::Width width,
                                           std::vector<std::string> cases) {
  SuiteIdentity identity;
  const auto added = add_vectors(identity, vectors_directory, dialect, width);
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

reports::Result<SuiteIdentity> identity_of(const Json& json) {
  SuiteIdentity identity;
  const auto member = [](const Json& object, const char* key) -> Json {
    return object.is_object() && object.contains(key) ? object[key] : Json();
  };
  const Json files = member(json, "vectors");
  const Json cases = member(json, "cases");
  if (!files.is_array() || !cases.is_array() || files.size() > most_entries ||
      cases.size() > most_entries)
    return Error{"the suite lists no vectors or no cases"};
  for (const Json& one : files) {
    const Json path = member(one, "path");
    const Json hash = member(one, "sha256");
    if (!is_text(path) || !is_text(hash)) return Error{"the suite lists vectors without a hash"};
    identity.vectors.push_back({path.get<std::string>(), hash.get<std::string>()});
  }
  for (const Json& one : cases) {
    if (!is_text(one)) return Error{"the suite lists a case that has no id"};
    identity.cases.push_back(one.get<std::string>());
  }
  if (member(json, "sha256") != identity.digest())
    return Error{"the hash of the suite is not that of its vectors and cases"};
  return identity;
}

}  // namespace hallmark::certificate
