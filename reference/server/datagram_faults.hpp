#pragma once

#include <string>
#include <string_view>

namespace hallmark::server {

/// What a mutant remembers of earlier requests.
struct DatagramMemory {
  std::string id;
  std::string key;
};

/// A request as the mutant that is switched on reads it.
std::string spoilt_request(std::string_view request);

/// The reply that the mutant that is switched on sends in place of `reply`, which is empty where
/// there is none.
std::string spoilt_reply(std::string_view request, std::string reply, DatagramMemory& memory);

}  // namespace hallmark::server
