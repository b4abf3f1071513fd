#pragma once

#include <string>
#include <vector>

namespace hallmark::cli {

/// True if the words can only be datagrams of ratelimit-udp: the first line of them is one, perhaps
/// with > or < in front.
bool looks_like_datagrams(const std::vector<std::string>& words);

}  // namespace hallmark::cli
