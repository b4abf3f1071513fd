#include "cli/html/page_size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "loadgen/histogram/hdr_codec.hpp"
#include "loadgen/results/summary.hpp"

namespace hallmark::cli {
namespace {

// The loads of a page share these bounds: bytes of encoded histograms, and samples.
/// The histograms of seconds and operations stay as they are: those of about a minute and a half.
constexpr std::size_t most_histogram_bytes = 500'000;
/// The histograms of whole runs stay as they are: those of nine runs without stages.
constexpr std::size_t most_curve_bytes = 800'000;
/// Several loads share so many samples; one alone has at most 1,800, the bound of its recorder.
constexpr std::size_t most_samples = 800;

/// A histogram that cannot be read stays as it is.
void make_coarse(std::string& histogram) {
  if (histogram.empty()) return;
  if (auto coarse = loadgen::coarse_compressed_base64(histogram)) histogram = std::move(*coarse);
}

template <class Result, class Use>
void for_each_curve(Result& result, const Use& use) {
  for (auto* curve : {&result.corrected, &result.uncorrected, &result.send_lag}) use(*curve);
  if (!result.stages) return;
  auto& stages = *result.stages;
  for (auto* curve : {&stages.planned_to_written, &stages.written_to_kernel_sent,
                      &stages.kernel_sent_to_received, &stages.kernel_received_to_read})
    use(*curve);
}

std::size_t size_of_curves(const reports::LoadResult& result) {
  std::size_t size = 0;
  for_each_curve(result, [&](const reports::Latency& curve) { size += curve.histogram.size(); });
  return size;
}

std::size_t size_of_histograms(const reports::Latency& latency) {
  std::size_t size = latency.histogram.size();
  if (latency.censored) size += latency.censored->histogram.size();
  if (latency.client_delayed)
    size += latency.client_delayed->with.size() + latency.client_delayed->without.size();
  return size;
}

/// The size of the histograms of seconds, and of those that no page draws.
std::size_t size_of_parts(const reports::LoadResult& result) {
  std::size_t size = 0;
  for (const auto& second : result.series) size += second.histogram.size() + second.censored.size();
  for (const auto& one : result.operations)
    size += size_of_histograms(one.corrected) + size_of_histograms(one.uncorrected);
  for_each_curve(result, [&](const reports::Latency& curve) {
    size += size_of_histograms(curve) - curve.histogram.size();
  });
  return size;
}

/// Leaves the quantiles.
void forget_histograms(reports::Latency& latency) {
  latency.histogram.clear();
  if (latency.censored) latency.censored->histogram.clear();
  latency.client_delayed.reset();
}

/// Makes two and two samples one until there are at most so many, or few.
void keep_samples(std::vector<reports::SecondSample>& series, std::size_t most) {
  constexpr std::size_t least = 8;
  while (series.size() > std::max(most, least)) {
    std::vector<reports::SecondSample> halved;
    for (std::size_t i = 0; i < series.size(); i += 2)
      halved.push_back(i + 1 < series.size() ? loadgen::together(series[i], series[i + 1])
                                             : std::move(series[i]));
    series = std::move(halved);
  }
}

void thin_parts(reports::LoadResult& result) {
  for (auto& second : result.series) {
    make_coarse(second.histogram);
    make_coarse(second.censored);
  }
  for (auto& operation : result.operations) {
    forget_histograms(operation.corrected);
    forget_histograms(operation.uncorrected);
  }
  for_each_curve(result, [](reports::Latency& curve) { curve.client_delayed.reset(); });
}

/// About as many bytes as it takes in JSON.
std::size_t evidence_size(const reports::CaseResult& one) {
  constexpr std::size_t names_of_a_field = 100;
  std::size_t size = 0;
  for (const reports::Exchange& exchange : one.evidence) {
    size += 2 * exchange.bytes.size() + names_of_a_field;
    if (exchange.expected) size += 2 * exchange.expected->size();
    for (const auto& field : exchange.fields)
      size += names_of_a_field + field.path.size() + field.meaning.size() + field.expected.size();
  }
  for (const std::string& line : one.reproduction) size += line.size();
  return size;
}

}  // namespace

Slim<reports::LoadResult> slim_for_page(const reports::LoadResult& result, std::size_t results) {
  Slim<reports::LoadResult> slim{result, ""};
  const bool coarse_series = size_of_parts(result) > most_histogram_bytes / results;
  const bool coarse_curves = size_of_curves(result) > most_curve_bytes / results;
  auto& series = slim.result.series;
  if (coarse_series) {
    if (results > 1) keep_samples(series, most_samples / results);
    thin_parts(slim.result);
  }
  if (coarse_curves)
    for_each_curve(slim.result, [](reports::Latency& curve) {
      make_coarse(curve.histogram);
      if (curve.censored) make_coarse(curve.censored->histogram);
    });
  if (coarse_series || coarse_curves)
    slim.note = fmt::format("{} drawn from histograms in steps of 6 %.",
                            !coarse_curves   ? "Latency over time is"
                            : !coarse_series ? "Latency by quantile is"
                                             : "Latency by quantile and over time is");
  if (series.size() < result.series.size())
    slim.note += fmt::format(" Over time, {:.0f} s are one row.", series.front().length_s);
  return slim;
}

Slim<reports::CertifyResult> slim_for_page(const reports::CertifyResult& result,
                                           std::size_t& evidence_left) {
  std::set<std::string_view> shown;
  for (const auto& finding : result.findings) shown.insert(finding.shown_by);
  Slim<reports::CertifyResult> slim{result, ""};
  std::size_t without = 0;
  const auto fit = [&](reports::CaseResult& one) {
    if (one.evidence.empty() || shown.contains(one.id)) return;
    const std::size_t size = evidence_size(one);
    if (size <= evidence_left) {
      evidence_left -= size;
      return;
    }
    one.evidence.clear();
    one.reproduction.clear();
    ++without;
  };
  // Failures come first; what is left is for readings, whose bytes show answers.
  const auto passed = [](const reports::CaseResult& one) {
    return one.verdict == reports::Verdict::pass;
  };
  for (auto& one : slim.result.cases)
    if (!passed(one)) fit(one);
  for (auto& one : slim.result.cases)
    if (passed(one)) fit(one);
  if (without != 0)
    slim.note = fmt::format("The bytes of {} are left out of this page; --json has them.",
                            base::counted(without, "case", "cases"));
  return slim;
}

}  // namespace hallmark::cli
