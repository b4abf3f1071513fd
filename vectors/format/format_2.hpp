#pragma once

#include "vectors/format/json.hpp"

/// Format 2 of vector files: a file an operation, a profile and a width. Hallmark 0.1.0 reads and
/// writes it; here it is only read, to be converted.
namespace hallmark::vectors {

/// The complaint about such a file, or a folder of them, in the place of format 3.
inline constexpr std::string_view is_of_format_2 =
    "vectors of format 2, which hallmark 0.1.0 reads; `hallmark vectors convert OLD NEW` writes "
    "them as format 3";

/// True if the text is a JSON object that says so.
bool is_format_2(std::string_view text);

/// Errors: one line with the place in the JSON, what stood there and what was expected.
Result<VectorFile> read_format_2(std::string_view text);

}  // namespace hallmark::vectors
