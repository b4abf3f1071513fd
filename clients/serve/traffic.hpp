#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.hpp"

namespace hallmark::clients {

/// Something that crossed a socket of a server, or happened to it.
struct Crossing {
  enum class Kind : std::uint8_t {
    opened,
    received,
    sent,
    client_finished,  ///< the client sends nothing more
    server_finished,
    client_reset,
    server_reset,
  };
  std::uint64_t connection = 0;  ///< as in Message
  Kind kind = Kind::opened;
  std::chrono::nanoseconds at{};  ///< since the Unix epoch
  std::uint16_t client_port = 0;  ///< the port that it was opened from
  base::Bytes bytes{};
  std::vector<std::string> changes{};   ///< differences from an undisturbed server, for people
  std::vector<std::string> breaches{};  ///< of clauses about clients, by these bytes; for people
};

/// All that crossed the sockets of a server, in its order, up to a bound.
struct Traffic {
  std::vector<Crossing> crossings{};
  bool cut = false;  ///< more crossed than is kept

  static constexpr std::size_t most_bytes = std::size_t{8} << 20;
  static constexpr std::size_t most_crossings = 100'000;
};

}  // namespace hallmark::clients
