#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "base/json.hpp"
#include "vectors/format/vector.hpp"

/// The patterns of plain vectors: what is right for a message that a step expects.
namespace hallmark::vectors {

/// The steps of a vector that have been written, as far as lifetimes refer to them.
struct Exchanges {
  std::vector<std::size_t> places;             ///< of the vector's steps among those written
  std::map<std::size_t, std::size_t> replies;  ///< steps that expect a reply, by their requests
  std::optional<std::size_t> request;          ///< the step whose reply is being written
};

/// Returns true if the message is judged by how much of a lifetime is left.
bool judges_lifetime(const Expected& expected);

/// The patterns of one message, all of which hold. `example` has the values of the message that is
/// given with it; where no match says otherwise, values outside of groups are those. Precondition:
/// the message answers a request if it is judged by a lifetime.
base::Json patterns_json(const Expected& expected, const base::Json& example,
                         const protocol::Message& message, const Exchanges& exchanges);

/// The patterns of a message that satisfies all patterns of one of the lists. Precondition: there
/// is a list.
base::Json either_json(std::vector<base::Json> lists);

}  // namespace hallmark::vectors
