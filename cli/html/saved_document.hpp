#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "reports/result.hpp"

namespace hallmark::cli {

/// A saved kill matrix or audit: `report` shows its verdict, and all of it as a page.
struct SavedDocument {
  std::string json;     ///< as it was saved
  std::string verdict;  ///< one line
  reports::ExitCode code = reports::ExitCode::as_expected;
};

/// Reads a document of these kinds; nothing if it is of another one. Error: one line
/// that names `source`, the place, what came and what was expected.
base::Result<std::optional<SavedDocument>> parse_document(const std::string& json,
                                                          std::string_view source);

/// The formats of these kinds.
std::vector<std::string_view> document_formats();

}  // namespace hallmark::cli
