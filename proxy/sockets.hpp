#pragma once
#include <boost/asio/ip/udp.hpp>
#include <cstdint>

#include "proxy/flows.hpp"

/// UDP sockets that never block, with room for bursts.
namespace hallmark::proxy {

using boost::system::error_code;

/// Bound to `local`.
error_code open_listening(UdpSocket& socket, const Udp::endpoint& local);

/// On a port that the system chooses, for datagrams to and from `peer` alone.
error_code open_connected(UdpSocket& socket, const Udp::endpoint& peer);

/// The number of datagrams that the system has discarded because nobody read the socket in time.
std::uint64_t missed_on(UdpSocket& socket);

}  // namespace hallmark::proxy
