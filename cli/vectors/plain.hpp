#pragma once

#include <string>

#include "base/error.hpp"
#include "base/json.hpp"
#include "cli/decode/format_options.hpp"

/// `hallmark vectors plain`: the vectors for servers of one width that give certain answers.
namespace hallmark::cli {

/// Plain vectors from the vectors of a directory, or those that the program carries if it is empty.
/// Errors: one line; the vectors cannot be read.
base::Result<base::Json> plain_vectors_of(const std::string& directory, const Format& format);

void add_plain_vectors(Command& group, const std::string& default_directory, int& exit_code);

}  // namespace hallmark::cli
