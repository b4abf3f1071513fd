#pragma once

#include <string>

#include "base/json.hpp"
#include "protocol/readings.hpp"

/// The layouts of all messages of a dialect for runners in other languages: what its table says, as
/// JSON (vectors/schema/layouts.schema.json). docs/vectors.md explains how a codec walks them.
namespace hallmark::vectors {

/// `layouts/DIALECT.json`
std::string layouts_path_of(std::string_view dialect);

/// The file of a dialect, for all its widths and every answer to its readings. Equal tables give
/// equal text, with a newline at the end.
std::string write_layouts(const protocol::Dialect& dialect);

/// The layouts of the messages that servers of one width with these answers have: no condition is
/// left.
base::Json layouts_json(const protocol::Readings& readings, protocol::Width width);

/// An answer to each reading, by its id.
base::Json answers_json(const protocol::Readings& readings);

}  // namespace hallmark::vectors
