#pragma once
#include <vector>

#include "protocol/rules/ratelimit_key_template.hpp"

namespace hallmark::protocol::ratelimit {

/// The meaning of the stars of a pattern, as far as its words tell: an address behind `ip=`,
/// `addr=`, `ip6=` and the like, octets in `*.*.*.*` and `ip=10.*`, otherwise text.
struct StarPlaces {
  std::vector<KeyPlace> places;  ///< one for each star
  /// The pattern has a part of the address itself: hosts of that network may be real users.
  bool in_network = false;
};

StarPlaces star_places(const Pattern& pattern);

}  // namespace hallmark::protocol::ratelimit
