#include "cli/html/page_size.hpp"

#include <fmt/format.h>

#include <set>

#include "base/text.hpp"
#include "loadgen/histogram/hdr_codec.hpp"

namespace hallmark::cli {
namespace {

/// Bytes of histograms of seconds that a page carries as they are: those of about a minute.
constexpr std::size_t most_histogram_bytes = 300'000;

/// A histogram that cannot be read stays as it is.
void make_coarse(std::string& histogram) {
  if (histogram.empty()) return;
  if (auto coarse = loadgen::coarse_compressed_base64(histogram)) histogram = std::move(*coarse);
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

Slim<reports::LoadResult> slim_for_page(const reports::LoadResult& result) {
  std::size_t size = 0;
  for (const auto& second : result.series) size += second.histogram.size();
  if (size <= most_histogram_bytes) return {result, ""};
  Slim<reports::LoadResult> slim{result,
                                 "Latency over time is drawn from histograms in steps of 6 %."};
  for (auto& second : slim.result.series) {
    make_coarse(second.histogram);
    make_coarse(second.censored);
  }
  for (auto& operation : slim.result.operations) {
    operation.corrected.histogram.clear();
    operation.uncorrected.histogram.clear();
  }
  return slim;
}

Slim<reports::CertifyResult> slim_for_page(const reports::CertifyResult& result,
                                           std::size_t& evidence_left) {
  std::set<std::string_view> shown;
  for (const auto& finding : result.findings) shown.insert(finding.shown_by);
  Slim<reports::CertifyResult> slim{result, ""};
  std::size_t without = 0;
  for (auto& one : slim.result.cases) {
    if (one.evidence.empty() || shown.contains(one.id)) continue;
    const std::size_t size = evidence_size(one);
    if (size <= evidence_left) {
      evidence_left -= size;
      continue;
    }
    one.evidence.clear();
    one.reproduction.clear();
    ++without;
  }
  if (without != 0)
    slim.note = fmt::format("The bytes of {} are left out of this page; --json has them.",
                            base::counted(without, "case", "cases"));
  return slim;
}

}  // namespace hallmark::cli
