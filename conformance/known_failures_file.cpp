#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "conformance/known_failures.hpp"
#include "reports/json_reader.hpp"
#include "reports/text.hpp"

namespace hallmark::conformance {
namespace {

constexpr std::string_view format_name = "hallmark-known-failures";
constexpr std::uint64_t format_version = 1;
constexpr std::size_t most_file_bytes = std::size_t{16} << 20;
constexpr std::uint64_t most_count = 100'000;

/// As it stands in the file.
struct SavedEntry {
  std::string cases;
  std::string reason;
  std::optional<std::string> why;
  std::optional<std::uint64_t> count;
  std::optional<bool> flaky;
};

void describe(auto& archive, SavedEntry& entry) {
  archive("case", entry.cases);
  archive("reason", entry.reason);
  archive("why", entry.why);
  archive("count", entry.count);
  archive("flaky", entry.flaky);
}

struct SavedList {
  std::string format;
  std::uint64_t version = 0;
  std::vector<SavedEntry> failures;
};

void describe(auto& archive, SavedList& list) {
  archive("format", list.format);
  archive("format_version", list.version);
  archive("failures", list.failures);
}

KnownFailure checked(const SavedEntry& saved, const std::string& place) {
  const auto refuse = [&](const char* key, std::string_view expected, const nlohmann::json& came) {
    throw reports::Mismatch(fmt::format("{}/{}", place, key), expected, &came);
  };
  if (saved.cases.empty()) refuse("case", "the id of a case, or a pattern", saved.cases);
  if (saved.reason.empty()) refuse("reason", "why the case fails", saved.reason);
  if (saved.reason.find('\n') != std::string::npos) refuse("reason", "one line", saved.reason);
  if (saved.why && saved.why->find('\n') != std::string::npos)
    refuse("why", "one line", *saved.why);
  if (saved.count && (*saved.count < 1 || *saved.count > most_count))
    refuse("count", fmt::format("1 to {}", most_count), *saved.count);
  return {saved.cases, saved.reason, saved.why.value_or(""), saved.count.value_or(0),
          saved.flaky.value_or(false)};
}

KnownFailures read(const nlohmann::json& json) {
  const auto saved = reports::JsonReader::structure<SavedList>(json, "");
  if (saved.format != format_name)
    throw reports::Mismatch("/format", fmt::format("\"{}\"", format_name), &json["format"]);
  if (saved.version != format_version)
    throw reports::Mismatch("/format_version", std::to_string(format_version),
                            &json["format_version"]);
  KnownFailures list;
  for (const SavedEntry& entry : saved.failures)
    list.push_back(checked(entry, fmt::format("/failures/{}", list.size())));
  return list;
}

}  // namespace

boost::system::result<KnownFailures, std::string> parse_known_failures(std::string_view json,
                                                                       std::string_view source) {
  try {
    return read(nlohmann::json::parse(json));
  } catch (const nlohmann::json::exception&) {
    return fmt::format(
        "{} is no JSON; allowed: a list of known failures, as --write-known-failures writes it",
        source);
  } catch (const reports::Mismatch& mismatch) {
    return fmt::format("{}: {}", source, mismatch.what());
  }
}

boost::system::result<KnownFailures, std::string> read_known_failures(
    const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (!file || !std::filesystem::is_regular_file(path))
    return fmt::format("cannot read {}; allowed: a list of known failures", path.string());
  if (text.size() > most_file_bytes)
    return fmt::format("{} has {} bytes; allowed: at most {}", path.string(), text.size(),
                       most_file_bytes);
  return parse_known_failures(text, path.string());
}

std::string render_known_failures(const KnownFailures& list) {
  nlohmann::ordered_json json = {{"format", format_name},
                                 {"format_version", format_version},
                                 {"failures", nlohmann::ordered_json::array()}};
  for (const KnownFailure& entry : list) {
    nlohmann::ordered_json one = {{"case", reports::printable(entry.cases)},
                                  {"reason", reports::printable(entry.reason)}};
    if (!entry.why.empty()) one["why"] = reports::printable(entry.why);
    if (entry.count != 0) one["count"] = entry.count;
    if (entry.flaky) one["flaky"] = true;
    json["failures"].push_back(std::move(one));
  }
  return json.dump(1) + '\n';
}

}  // namespace hallmark::conformance
