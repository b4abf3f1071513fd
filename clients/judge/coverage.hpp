#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "clients/format.hpp"
#include "clients/serve/message.hpp"

namespace hallmark::clients {

/// Counts how often the tests of a client met one operation or push, and in which forms.
struct Met {
  std::uint64_t requests = 0;  ///< of a push: deliveries
  std::uint64_t succeeded = 0;
  std::uint64_t failed = 0;
  std::uint64_t silent = 0;  ///< requests that were not answered, as their dialect has it
  /// Values of fields that have a list of choices, "request ttl_type seconds": how often.
  std::map<std::string, std::uint64_t> choices{};
  /// Replies of a listing without an entry, with one fragment, and with several.
  std::uint64_t empty = 0;
  std::uint64_t one_fragment = 0;
  std::uint64_t several_fragments = 0;
};

/// Keyed by the names of operations and pushes.
using Coverage = std::map<std::string, Met, std::less<>>;

/// Notes a message of the server and the request before it.
void note(Coverage& coverage, const Format& format, const Message& message);

/// All choices that messages of this name could have: "request ttl_type seconds".
std::vector<std::string> possible_choices(const Format& format, std::string_view name);

}  // namespace hallmark::clients
