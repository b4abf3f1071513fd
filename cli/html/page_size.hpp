#pragma once

#include <string>

#include "reports/load/load_result.hpp"
#include "reports/result.hpp"

/// Results without what would make a page too large to open. Every number stays; what is left out
/// stands in the file of --json.
namespace hallmark::cli {

template <class Result>
struct Slim {
  Result result;
  std::string note;  ///< one line on what is left out; empty: nothing
};

/// Fits a load into its share of a page of so many results. Of a run of many seconds, their
/// histograms become coarse and those of single operations go. A run with more seconds than its
/// share has them two and two as one, and the histograms of the whole run become coarse last.
Slim<reports::LoadResult> slim_for_page(const reports::LoadResult& result, std::size_t results = 1);

/// Bytes of JSON for evidence that a page carries, beside that of its findings.
inline constexpr std::size_t most_evidence_bytes = 1'000'000;

/// Many failures: the bytes of those that no finding is shown by go once `evidence_left`, which is
/// of the whole page, is used up; those of cases that passed go before.
Slim<reports::CertifyResult> slim_for_page(const reports::CertifyResult& result,
                                           std::size_t& evidence_left);

}  // namespace hallmark::cli
