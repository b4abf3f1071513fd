#include "cli/html/saved_document.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_reader.hpp"
#include "base/text.hpp"

namespace hallmark::cli {
namespace {

using base::JsonMembers;
using base::JsonReader;

/// A document says what it is within so many bytes.
constexpr std::size_t preamble_bytes = 256;

SavedDocument kill_matrix_in(const JsonReader& reader) {
  JsonMembers members(reader);
  const bool complete = members["complete"].boolean();
  const auto interruption = members.find("interrupted");
  const bool interrupted = interruption && interruption->boolean();
  std::size_t killed = 0;
  const auto mutants = members["mutants"].items();
  for (const JsonReader& mutant : mutants) {
    JsonMembers one(mutant);
    one["id"].printable_string();
    if (!one["killed_by"].printable_strings().empty()) ++killed;
  }
  if (interrupted)
    return {{},
            fmt::format("INCOMPLETE  {} killed; interrupted",
                        base::counted(killed, "mutant", "mutants")),
            reports::ExitCode::indeterminate};
  return {{},
          fmt::format("{}  {} of {} killed", complete ? "COMPLETE" : "SURVIVED", killed,
                      base::counted(mutants.size(), "mutant", "mutants")),
          complete ? reports::ExitCode::as_expected : reports::ExitCode::failures};
}

SavedDocument audit_in(const JsonReader& reader) {
  JsonMembers members(reader);
  std::string verdict = members["verdict"].printable_string();
  std::ranges::transform(verdict, verdict.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  static_cast<void>(members["audit"].members());
  return {{},
          fmt::format("{}  {}", verdict, members["store"].printable_string()),
          static_cast<reports::ExitCode>(members["exit_code"].natural(0, 4))};
}

SavedDocument client_in(const JsonReader& reader) {
  JsonMembers members(reader);
  const auto code = static_cast<reports::ExitCode>(members["exit_code"].natural(0, 4));
  const std::string verdict = members["verdict"].printable_string();
  JsonMembers counts(members["counts"]);
  constexpr std::uint64_t most = 1'000'000;
  const auto passed = counts["passed"].natural(0, most);
  const auto failed = counts["fails"].natural(0, most) + counts["error"].natural(0, most);
  static_cast<void>(members["perturbations"].items());
  return {{},
          fmt::format("{}  {} passed, {} failed", verdict,
                      base::counted(passed, "perturbation", "perturbations"), failed),
          code};
}

struct DocumentFormat {
  std::string_view name;
  SavedDocument (*read)(const JsonReader& reader);
};
constexpr DocumentFormat known_formats[] = {{"hallmark-kill-matrix", kill_matrix_in},
                                            {"hallmark-audit", audit_in},
                                            {"hallmark-certify-client", client_in}};

const DocumentFormat* document_format_of(std::string_view json) {
  const std::string_view preamble = json.substr(0, preamble_bytes);
  const auto* const found = std::ranges::find_if(known_formats, [&](const auto& one) {
    return preamble.find(fmt::format("\"{}\"", one.name)) != preamble.npos;
  });
  return found == std::end(known_formats) ? nullptr : found;
}

}  // namespace

base::Result<std::optional<SavedDocument>> parse_document(const std::string& json,
                                                          std::string_view source) {
  const DocumentFormat* const format = document_format_of(json);
  if (format == nullptr) return std::optional<SavedDocument>();
  auto saved = base::read_json(json, [&](const JsonReader& reader) {
    JsonMembers members(reader);
    if (members["format"].string() != format->name) reader.refuse(format->name);
    members["format_version"].natural(1, 1);
    return format->read(reader);
  });
  if (!saved) return base::Error{fmt::format("{}: {}", source, saved.error().message)};
  saved->json = json;
  return std::optional(std::move(*saved));
}

std::vector<std::string_view> document_formats() {
  std::vector<std::string_view> names;
  for (const DocumentFormat& format : known_formats) names.push_back(format.name);
  return names;
}

}  // namespace hallmark::cli
