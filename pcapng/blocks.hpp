#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/bytes.hpp"

/// Blocks of the pcapng file format (draft-ietf-opsawg-pcapng), in the byte order of this machine:
/// the section header says which that is.
namespace hallmark::pcapng {

/// Nanoseconds since the Unix epoch.
using Time = std::chrono::nanoseconds;

/// Longer comments are cut: an option holds at most 65,535 bytes.
inline constexpr std::size_t longest_comment = 16'384;

/// Section header and one interface of Ethernet frames with times in nanoseconds. `application`
/// wrote the file; `interface` is the name that readers show.
void append_head(std::string& to, std::string_view application, std::string_view interface);

/// An enhanced packet block of the first interface. An empty comment is not written.
void append_packet(std::string& to, Time at, base::ByteView frame, std::string_view comment);

}  // namespace hallmark::pcapng
