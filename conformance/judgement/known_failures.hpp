#pragma once

#include <filesystem>
#include <optional>
#include <set>

#include "base/expected.hpp"
#include "reports/result.hpp"

/// Failures that are known and do not fail a run (docs/known-failures.md).
namespace hallmark::conformance {

/// An entry of the list.
struct KnownFailure {
  std::string cases;        ///< id, or a pattern with `*` and `?`
  std::string reason;       ///< `{n}` is a number, `{*}` is any text; empty where there is a code
  std::string why;          ///< for people; may be empty
  std::uint64_t count = 0;  ///< cases that the pattern matches; 0: it does not say
  bool flaky = false;       ///< may pass as well
  /// The code of the failure; empty if the entry pins the sentence instead.
  std::optional<reports::Code> code = {};
  bool operator==(const KnownFailure&) const = default;
};

using KnownFailures = std::vector<KnownFailure>;

/// A pattern that matches more cases has to say how many.
inline constexpr std::size_t most_unsaid = 20;

/// Reads a file as in reports/schema/known-failures.schema.json. Errors: one line with the place,
/// what came and what was expected.
base::Expected<KnownFailures, std::string> read_known_failures(const std::filesystem::path& path);
base::Expected<KnownFailures, std::string> parse_known_failures(std::string_view json,
                                                                std::string_view source);

/// Checks the list for a suite that has cases with these ids, chosen or not. Errors: a pattern that
/// matches no case, or not as many as it says; one line that says which entry.
base::Expected<void, std::string> check_known_failures(const KnownFailures& list,
                                                       const std::set<std::string>& ids);

/// True if the reason is as pinned.
bool reason_matches(std::string_view pinned, std::string_view reason);

/// Judges the result by the list. What fails as pinned becomes known; what fails otherwise, or
/// passes and is not flaky, is failed; what was not played is said in the notes. Where several
/// entries match a case, the first that pins how it fails counts, otherwise the last.
void apply_known_failures(const KnownFailures& list, reports::CertifyResult& result);

/// A list by which the run would not fail: of the old one what still holds, is flaky or was not
/// played, and an entry with the code of every other failure. Precondition: the result was not
/// judged by a list.
KnownFailures known_failures_of(const reports::CertifyResult& result, const KnownFailures& old);

/// The list as a file, sorted as it is.
std::string render_known_failures(const KnownFailures& list);

}  // namespace hallmark::conformance
