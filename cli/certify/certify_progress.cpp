#include "cli/certify/certify_progress.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/quantity.hpp"
#include "base/text.hpp"

namespace hallmark::cli {

std::vector<std::string> certify_progress_lines(const conformance::Progress& progress,
                                                std::chrono::nanoseconds took,
                                                const std::string& last_failure,
                                                std::size_t columns) {
  const std::string counts =
      fmt::format("{}/{} cases · {} failed · {}", base::grouped(progress.done),
                  base::grouped(progress.total), base::grouped(progress.failed),
                  base::human_duration(std::chrono::floor<std::chrono::seconds>(took)));
  const std::size_t used = base::display_width(counts) + 3;
  const std::size_t bar = columns > used ? std::min<std::size_t>(columns - used, 40) : 0;
  const double share = progress.total == 0 ? 0
                                           : static_cast<double>(progress.done) /
                                                 static_cast<double>(progress.total);
  std::vector<std::string> lines = {reports::progress_bar(share, bar) + (bar > 0 ? "  " : "") +
                                    counts};
  if (!last_failure.empty()) lines.push_back("failed: " + last_failure);
  return lines;
}

void CertifyProgress::add(std::span<const reports::CaseResult> cases) {
  for (const reports::CaseResult& one : cases) {
    if (verbose_)
      fmt::print(stderr, "{:<13} {}{}{}\n", reports::name_of(one.verdict), base::printable(one.id),
                 one.reason.empty() ? "" : "  ", base::printable(one.reason));
    if (one.verdict == reports::Verdict::fail) last_failure_ = one.id;
  }
}

void CertifyProgress::show(const conformance::Progress& progress) {
  const auto took = std::chrono::steady_clock::now() - begun_;
  const auto style = reports::style_for(stderr);
  lines_.update(
      certify_progress_lines(progress, took, last_failure_, style.dumb ? 0 : style.width));
}

}  // namespace hallmark::cli
