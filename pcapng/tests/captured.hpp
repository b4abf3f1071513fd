#pragma once

#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "pcapng/blocks.hpp"

namespace hallmark::pcapng::test {

struct CapturedPacket {
  Time at{0};
  base::Bytes frame;
};

/// The packets of a file as libpcap reads it. Throws std::runtime_error where it cannot.
std::vector<CapturedPacket> packets_in(const std::string& path);

/// 0 where the checksum of the bytes, that of a header or segment among them, is right.
std::uint16_t rest_of_checksum(base::ByteView bytes, std::uint32_t pseudo_header = 0);

}  // namespace hallmark::pcapng::test
