#pragma once

#include "protocol/codec/layout.hpp"
#include "protocol/record.hpp"

namespace hallmark::vectors::generator {

/// A legal message that has every field of a layout: a status is success, a choice the first that
/// is listed, numbers count up from 1, bytes are the name of their field, and a group has two
/// records, or one if these hold groups themselves. Equal layouts get equal records.
protocol::Record sample_record(const protocol::Layout& layout);

}  // namespace hallmark::vectors::generator
