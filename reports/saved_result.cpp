#include "reports/saved_result.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "base/read_file.hpp"
#include "reports/certify/run_verdict.hpp"
#include "reports/structure_reader.hpp"

namespace hallmark::reports {
namespace {

using base::Error;
using base::Json;
using base::JsonReader;
using base::Result;

/// The members that say what the document is, and the one that follows from the rest of it.
void describe_preamble(StructureReader& archive, std::uint64_t& code) {
  std::string format;
  std::uint64_t version = 0;
  archive("format", format);
  archive("format_version", version);
  archive("exit_code", code);
}

template <class T>
void check_code(const JsonReader& reader, const T& result, std::uint64_t code) {
  const auto expected = static_cast<unsigned>(exit_code(result));
  if (code != expected)
    base::JsonMembers(reader)["exit_code"].refuse(
        fmt::format("{}, which follows from the rest", expected));
}

/// Reports of earlier versions do not name the operations that the target lacks.
void take_missing_operations(const JsonReader& reader, CertifyResult& result) {
  const bool all_there = count_verdicts(result).unsupported == 0;
  if (result.missing_operations.empty()) result.missing_operations = unsupported_operations(result);
  if (all_there && !result.missing_operations.empty())
    base::JsonMembers(reader)["missing_operations"].refuse("nothing, as no case is unsupported");
}

CertifyResult read_certify(const JsonReader& reader) {
  CertifyResult result;
  VerdictCounts summary;
  std::uint64_t code = 0;
  std::optional<std::string> verdict;
  StructureReader structure(reader);
  describe_preamble(structure, code);
  describe(structure, result);
  structure("verdict", verdict);
  structure("summary", summary);
  structure.no_more();
  check_code(reader, result, code);
  take_missing_operations(reader, result);
  if (verdict && *verdict != run_verdict(result))
    base::JsonMembers(reader)["verdict"].refuse(
        fmt::format("{}, which follows from the rest", run_verdict(result)));
  if (summary != count_verdicts(result))
    base::JsonMembers(reader)["summary"].refuse("the counts of the cases");
  return result;
}

/// A result of which only the exit code follows from the rest.
template <class T>
T read_plain(const JsonReader& reader) {
  T result;
  std::uint64_t code = 0;
  StructureReader structure(reader);
  describe_preamble(structure, code);
  describe(structure, result);
  structure.no_more();
  check_code(reader, result, code);
  return result;
}

/// A kind of document: what it says of itself, and how it is read.
struct SavedFormat {
  std::string_view name;
  std::uint64_t version;
  SavedResult (*read)(const JsonReader& reader);
};

constexpr SavedFormat saved_formats[] = {
    {json_fields::certify_format, json_fields::format_version,
     [](const JsonReader& reader) { return SavedResult(read_certify(reader)); }},
    {json_fields::load_format, json_fields::load_format_version,
     [](const JsonReader& reader) { return SavedResult(read_plain<LoadResult>(reader)); }},
    {json_fields::knee_format, json_fields::format_version,
     [](const JsonReader& reader) { return SavedResult(read_plain<Knee>(reader)); }},
    {json_fields::load_comparison_format, json_fields::format_version,
     [](const JsonReader& reader) { return SavedResult(read_plain<LoadComparison>(reader)); }}};

/// Says what to do with a document of another version.
void check_version(const JsonReader& came, const SavedFormat& format) {
  if (came.json() == format.version) return;
  const bool newer = came.json().is_natural() && came.json().natural() > format.version;
  if (newer)
    came.refuse(
        fmt::format("{}; a newer hallmark wrote this: read it with that one", format.version));
  if (format.name == json_fields::load_format)
    came.refuse(fmt::format("{}; its quantiles leave out requests without a reply: measure again",
                            format.version));
  came.refuse(std::to_string(format.version));
}

/// The kinds of documents that are read, for people.
std::string expected_kinds(std::span<const std::string_view> others) {
  std::vector<std::string> names;
  for (const SavedFormat& format : saved_formats)
    names.push_back(fmt::format("\"{}\"", format.name));
  for (const std::string_view other : others) names.push_back(fmt::format("\"{}\"", other));
  const std::string last = names.back();
  names.pop_back();
  return fmt::format("a saved result (\"format\": {} or {})", fmt::join(names, ", "), last);
}

SavedResult read_saved(const JsonReader& reader, std::span<const std::string_view> others) {
  if (!reader.json().is_object()) reader.refuse(expected_kinds(others));
  base::JsonMembers members(reader);
  const auto came = members.find("format");
  if (!came) reader.refuse(expected_kinds(others));
  for (const SavedFormat& format : saved_formats) {
    if (came->json() != format.name) continue;
    check_version(members["format_version"], format);
    return format.read(reader);
  }
  came->refuse(expected_kinds(others));
}

}  // namespace

Result<SavedResult> parse_result(std::string_view json, std::string_view source,
                                 std::span<const std::string_view> others) {
  auto result =
      base::read_json(json, [&](const JsonReader& reader) { return read_saved(reader, others); });
  if (!result) return Error{fmt::format("{}: {}", source, result.error().message)};
  return result;
}

Result<SavedResult> read_result(const std::filesystem::path& path) {
  const auto text = base::read_file(path, most_saved_bytes, "a saved result");
  if (!text) return text.error();
  return parse_result(*text, path.string());
}

}  // namespace hallmark::reports
