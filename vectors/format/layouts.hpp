#pragma once

#include <string>

#include "protocol/dialect.hpp"

/// The layouts of all messages of a dialect for runners in other languages: what its table says, as
/// JSON (vectors/schema/layouts.schema.json). docs/vectors.md explains how a codec walks them.
namespace hallmark::vectors {

/// `layouts/DIALECT.json`
std::string layouts_path_of(std::string_view dialect);

/// The file of a dialect, for all its widths and every answer to its readings. Equal tables give
/// equal text, with a newline at the end.
std::string write_layouts(const protocol::Dialect& dialect);

}  // namespace hallmark::vectors
