#pragma once

#include <string>
#include <string_view>

#include "base/error.hpp"
#include "protocol/readings.hpp"

namespace hallmark::exporters {

/// A dissector for Wireshark, in Lua, of a dialect under those readings; which port and value width
/// are its preferences. Error: one line, the dialect is not sent over a network. `profile` is the
/// name of what the readings are, for people.
base::Result<std::string> wireshark_of(const protocol::Readings& readings,
                                       std::string_view profile);

}  // namespace hallmark::exporters
