#pragma once

#include <span>

#include "base/json.hpp"
#include "protocol/dialect.hpp"

/// JSON for several value widths at once. A value that is the same for all of them stands there
/// once; in the place of any other, an object has a member a width: `{"u8": "07", "u16": "0700"}`.
/// The member of a width that has no value is missing.
namespace hallmark::vectors {

/// The documents of all widths, in their order, as one.
base::Json merged(std::span<const protocol::Width> widths, std::span<const base::Json> documents);

/// Leaves in `json` the values of one width alone.
/// True if the value says something of each of some widths.
bool is_by_width(const base::Json& json);

void keep_width(base::Json& json, protocol::Width width);

}  // namespace hallmark::vectors
