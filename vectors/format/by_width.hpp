#pragma once

#include <span>

#include "base/json.hpp"
#include "protocol/dialect.hpp"

/// JSON that says the same for several value widths at once. What is the same for all of them
/// stands there once; in the place of what is not, an object has a member a width:
/// `{"u8": "07", "u16": "0700"}`. Where a width has none, its member is missing.
namespace hallmark::vectors {

/// The documents of all widths, in their order, as one.
base::Json merged(std::span<const protocol::Width> widths, std::span<const base::Json> documents);

/// What `json` says for one width.
void keep_width(base::Json& json, protocol::Width width);

}  // namespace hallmark::vectors
