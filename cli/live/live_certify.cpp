#include "cli/live/live_certify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "conformance/engine/run_header.hpp"
#include "conformance/findings/findings.hpp"
#include "pages/page.hpp"
#include "reports/json_report.hpp"

namespace hallmark::cli {
namespace {

std::string certify_progress_text(const conformance::Progress& progress) {
  if (progress.total == 0) return "RUNNING  Hallmark finds out what the target speaks";
  return fmt::format("RUNNING  {} of {} cases, {} failed", base::grouped(progress.done),
                     base::grouped(progress.total), base::grouped(progress.failed));
}

}  // namespace

LiveCertify::LiveCertify(const conformance::CertifyOptions& options) {
  conformance::fill_header(result_, options);
  conformance::fill_format(result_, options.asked);
  result_.header.version = HALLMARK_VERSION;
}

void LiveCertify::add(std::span<const reports::CaseResult> cases) {
  const std::scoped_lock lock{mutex_};
  ++version_;
  reports::CertifyResult judged;
  judged.cases.assign(cases.begin(), cases.end());
  for (reports::CaseResult& one : slim_for_page(judged, evidence_left_).result.cases)
    result_.cases.push_back(std::move(one));
}

void LiveCertify::add(const conformance::Progress& progress) {
  const std::scoped_lock lock{mutex_};
  ++version_;
  progress_ = progress;
}

/// Returns the findings of the run until now. If a case was played again, only its last verdict
/// counts. The cases are grouped anew only after a case has failed or was played again.
const std::vector<reports::CertifyFinding>& LiveCertify::findings() {
  const auto begin = result_.cases.begin() + static_cast<std::ptrdiff_t>(grouped_cases_);
  const auto changes = [&](const reports::CaseResult& one) {
    return one.verdict != reports::Verdict::pass ||
           std::any_of(result_.cases.begin(), begin,
                       [&](const reports::CaseResult& before) { return before.id == one.id; });
  };
  const bool changed = std::any_of(begin, result_.cases.end(), changes);
  grouped_cases_ = result_.cases.size();
  if (!changed) return findings_;
  std::map<std::string_view, std::size_t> last;
  for (std::size_t i = 0; i < result_.cases.size(); ++i) last[result_.cases[i].id] = i;
  reports::CertifyResult judged;
  judged.header = result_.header;
  for (std::size_t i = 0; i < result_.cases.size(); ++i) {
    if (last.at(result_.cases[i].id) == i) judged.cases.push_back(result_.cases[i]);
  }
  findings_ = conformance::findings_of(judged);
  return findings_;
}

std::optional<std::string> LiveCertify::news(LivePosition& seen) {
  const std::scoped_lock lock{mutex_};
  if (seen.version == version_) return std::nullopt;
  const std::uint64_t from = seen.entries;
  reports::CertifyResult news;
  news.header = result_.header;
  news.header.duration = std::chrono::steady_clock::now() - begun_;
  news.cases.assign(result_.cases.begin() + static_cast<std::ptrdiff_t>(from), result_.cases.end());
  news.findings = findings();
  seen = {0, result_.cases.size(), version_};
  return pages::render_event(
      {.version = HALLMARK_VERSION,
       .results = {{"certify", certify_progress_text(progress_), reports::render_json(news), ""}},
       .facts = {{"from", from}}});
}

}  // namespace hallmark::cli
