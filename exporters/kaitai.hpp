#pragma once

#include <string>
#include <string_view>

#include "base/error.hpp"
#include "protocol/readings.hpp"

namespace hallmark::exporters {

/// A Kaitai Struct description (.ksy) of all messages of a dialect under those readings. A type for
/// each message; the value width, where the dialect has one, is a parameter of each. Error: one
/// line, a reading that Kaitai Struct cannot express. `profile` is the name of what the readings
/// are, for people.
base::Result<std::string> kaitai_of(const protocol::Readings& readings, std::string_view profile);

}  // namespace hallmark::exporters
