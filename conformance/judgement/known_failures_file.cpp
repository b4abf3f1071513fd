#include <fmt/format.h>

#include "base/json_reader.hpp"
#include "base/read_file.hpp"
#include "base/text.hpp"
#include "conformance/judgement/known_failures.hpp"

namespace hallmark::conformance {
namespace {

using base::Json;
using base::JsonMembers;
using base::JsonReader;

constexpr std::string_view format_name = "hallmark-known-failures";
constexpr std::uint64_t format_version = 1;
constexpr std::size_t most_file_bytes = 16 * base::mebibyte;
constexpr std::uint64_t most_count = 100'000;

/// Reads how the case fails: by its code, or by the sentence.
void read_pinned(const JsonReader& reader, JsonMembers& members, KnownFailure& entry) {
  const auto code = members.find("code");
  const auto reason = members.find("reason");
  if (code.has_value() == reason.has_value())
    reader.complain("expected either 'code' or 'reason', and not both");
  if (reason) {
    entry.reason = reason->printable_string();
    if (entry.reason.empty()) reason->refuse("why the case fails");
    return;
  }
  entry.code = reports::parse_code(code->printable_string());
  if (!entry.code)
    code->refuse("the code of a failure, such as \"wrong-field QUERY.status 00-for-01\"");
}

KnownFailure read_entry(const JsonReader& reader) {
  JsonMembers members(reader);
  KnownFailure entry;
  const JsonReader cases = members["case"];
  entry.cases = cases.printable_string();
  if (entry.cases.empty()) cases.refuse("the id of a case, or a pattern");
  read_pinned(reader, members, entry);
  if (const auto why = members.find("why")) entry.why = why->printable_string();
  if (const auto count = members.find("count")) entry.count = count->natural(1, most_count);
  if (const auto flaky = members.find("flaky")) entry.flaky = flaky->boolean();
  members.no_more();
  return entry;
}

KnownFailures read_list(const JsonReader& reader) {
  JsonMembers members(reader);
  if (const JsonReader format = members["format"]; format.string() != format_name)
    format.refuse(fmt::format("\"{}\"", format_name));
  if (const JsonReader version = members["format_version"]; version.natural() != format_version)
    version.refuse(std::to_string(format_version));
  KnownFailures list;
  for (const JsonReader& entry : members["failures"].items()) list.push_back(read_entry(entry));
  members.no_more();
  return list;
}

}  // namespace

base::Expected<KnownFailures, std::string> parse_known_failures(std::string_view json,
                                                                std::string_view source) {
  auto list = base::read_json(json, read_list);
  if (!list) return fmt::format("{}: {}", source, list.error().message);
  return std::move(*list);
}

base::Expected<KnownFailures, std::string> read_known_failures(const std::filesystem::path& path) {
  const auto text = base::read_file(path, most_file_bytes, "a list of known failures");
  if (!text) return text.error().message;
  return parse_known_failures(*text, path.string());
}

std::string render_known_failures(const KnownFailures& list) {
  Json json = {
      {"format", format_name}, {"format_version", format_version}, {"failures", Json::array()}};
  for (const KnownFailure& entry : list) {
    Json one = {{"case", base::printable(entry.cases)}};
    if (entry.code) one["code"] = text_of(*entry.code);
    if (!entry.code) one["reason"] = base::printable(entry.reason);
    if (!entry.why.empty()) one["why"] = base::printable(entry.why);
    if (entry.count != 0) one["count"] = entry.count;
    if (entry.flaky) one["flaky"] = true;
    json["failures"].push_back(std::move(one));
  }
  return json.dump(1) + '\n';
}

}  // namespace hallmark::conformance
