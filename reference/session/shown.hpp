#pragma once
#include "protocol/readings.hpp"

namespace hallmark::server {

/// The answers that decide which of several facts a reply shows, looked up once for a session.
struct Shown {
  explicit Shown(const protocol::Readings& readings);

  bool raw_ip;               ///< the 16 bytes of IP are the address itself
  bool connection_by_index;  ///< CONNECTION asks by index
  bool whoami_by_index;      ///< WHOAMI answers with it
  std::uint64_t first_index;
  /// Added to the number of a fragment, which is counted from 1.
  std::uint64_t first_fragment;
};

}  // namespace hallmark::server
