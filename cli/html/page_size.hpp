#pragma once

#include <string>

#include "reports/load_result.hpp"
#include "reports/result.hpp"

/// Results without what would make a page too large to open. Every number stays; what is left out
/// stands in the file of --json.
namespace hallmark::cli {

template <class Result>
struct Slim {
  Result result;
  std::string note;  ///< one line on what is left out; empty: nothing
};

/// A run of many seconds: their histograms become coarse, those of single operations go.
Slim<reports::LoadResult> slim_for_page(const reports::LoadResult& result);

/// Many failures: the bytes of those that no finding is shown by go.
Slim<reports::CertifyResult> slim_for_page(const reports::CertifyResult& result);

}  // namespace hallmark::cli
