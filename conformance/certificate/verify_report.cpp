#include "conformance/certificate/verify_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.hpp"
#include "base/text.hpp"
#include "reports/certify/run_heading.hpp"
#include "reports/certify/run_verdict.hpp"

namespace hallmark::certificate {
namespace {

using base::counted;
using base::Json;
using reports::ExitCode;

constexpr std::size_t most_listed = 20;

bool is_complete(const Verification& verification) {
  return verification.missing.empty() && verification.whole_choice;
}

/// "790 passed, 5 skipped"
std::string verdicts(const reports::CertifyResult& result) {
  const reports::VerdictCounts counts = count_verdicts(result);
  std::string text = fmt::format("{} passed", counts.pass);
  for (const reports::Verdict verdict : reports::all_verdicts) {
    const std::size_t count = counts.of(verdict);
    if (count == 0 || verdict == reports::Verdict::pass) continue;
    const std::string_view name =
        verdict == reports::Verdict::fail ? std::string_view("failed") : name_of(verdict);
    text += fmt::format(", {} {}", count, name);
  }
  return text;
}

std::string list(const std::vector<Refutation>& refutations) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most_listed, refutations.size()); ++i) {
    text += fmt::format("refuted  {}\n         {}\n", base::printable(refutations[i].id),
                        base::printable(refutations[i].what));
  }
  if (refutations.size() > most_listed)
    text += fmt::format("… and {} more\n", refutations.size() - most_listed);
  return text.empty() ? text : text + '\n';
}

std::string completeness(const Certificate& certificate, const Verification& verification) {
  if (is_complete(verification))
    return fmt::format("complete: all {} of the suite\n",
                       counted(verification.suite_cases, "case", "cases"));
  const std::size_t missing = verification.missing.size();
  std::string why = "the run came to nothing";
  if (!certificate.result.run_error.empty()) why = certificate.result.run_error;
  if (certificate.result.interrupted) why = "the run was interrupted";
  if (!verification.whole_choice) why = "the run was of chosen cases only";
  return fmt::format("incomplete: {}; {} of {} left out{}\n", why, missing,
                     counted(verification.suite_cases, "case", "cases"),
                     missing == 0 ? "" : ", the first " + verification.missing.front());
}

std::string verdict_of(ExitCode code, const Certificate& certificate,
                       const Verification& verification) {
  if (!verification.refutations.empty()) return "REFUTED";
  const std::string missing = missing_in_words(certificate.result);
  switch (code) {
    case ExitCode::as_expected: return missing.empty() ? "VERIFIED" : "VERIFIED WITHOUT " + missing;
    case ExitCode::failures: return "FAILED";
    case ExitCode::indeterminate: return is_complete(verification) ? "UNDECIDED" : "INCOMPLETE";
    default: return "UNDECIDED";
  }
}

std::string last_line(const Certificate& certificate, const Verification& verification) {
  const ExitCode code = exit_code(certificate, verification);
  const std::string verdict = verdict_of(code, certificate, verification);
  if (!verification.refutations.empty())
    return fmt::format(
        "{}  {} not as certified\n", verdict,
        counted(verification.refutations.size(), "part of the run is", "parts of the run are"));
  return fmt::format("{}  the same verdicts: {}\n", verdict, verdicts(certificate.result));
}

}  // namespace

std::string render_terminal(const Certificate& certificate, const Verification& verification,
                            const reports::TerminalStyle& style) {
  std::string text = reports::heading_of("certificate of", certificate.result.header,
                                         certificate.result.suite, style);
  text += fmt::format("judged again: {} from {}\n\n", counted(verification.judged, "case", "cases"),
                      counted(verification.crossings, "crossing", "crossings"));
  text += list(verification.refutations);
  return text + completeness(certificate, verification) + last_line(certificate, verification);
}

std::string render_json(const Certificate& certificate, const Verification& verification) {
  const ExitCode code = exit_code(certificate, verification);
  Json refuted = Json::array();
  for (const Refutation& one : verification.refutations)
    refuted.push_back({{"id", base::printable(one.id)}, {"what", base::printable(one.what)}});
  const reports::VerdictCounts counts = count_verdicts(certificate.result);
  Json certified = Json::object();
  for (const reports::Verdict verdict : reports::all_verdicts)
    certified[std::string(name_of(verdict))] = counts.of(verdict);
  const Json document = {{"format", "hallmark-verification"},
                         {"format_version", 1},
                         {"verdict", verdict_of(code, certificate, verification)},
                         {"exit_code", static_cast<int>(code)},
                         {"target", base::printable(certificate.result.header.target)},
                         {"dialect", certificate.result.header.dialect},
                         {"width", certificate.result.header.width},
                         {"certified_by", base::printable(certificate.tool)},
                         {"suite_sha256", certificate.suite.digest()},
                         {"certified", certified},
                         {"missing_operations", certificate.result.missing_operations},
                         {"judged", verification.judged},
                         {"crossings", verification.crossings},
                         {"refuted", refuted},
                         {"complete", is_complete(verification)},
                         {"missing", verification.missing}};
  return document.dump(2) + '\n';
}

}  // namespace hallmark::certificate
