#include "loadgen/client/socket_times.hpp"

#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <chrono>
#include <cstring>
#include <ctime>

#include "base/nanoseconds.hpp"

namespace hallmark::loadgen {
namespace {

std::int64_t ns_of(const timespec& time) { return time.tv_sec * base::second_ns + time.tv_nsec; }

/// Room for the times of a message and the note of an error queue, with what they stand behind.
struct Control {
  alignas(cmsghdr) std::array<char, 512> bytes;  // the system fills in what it says is used
};

template <class T>
T data_of(const cmsghdr& header) {
  T data;
  std::memcpy(&data, CMSG_DATA(&header), sizeof data);
  return data;
}

}  // namespace

std::int64_t stamp_in(msghdr& message) {
  for (cmsghdr* one = CMSG_FIRSTHDR(&message); one != nullptr; one = CMSG_NXTHDR(&message, one)) {
    if (one->cmsg_level != SOL_SOCKET || one->cmsg_type != SCM_TIMESTAMPING) continue;
    const auto stamps = data_of<scm_timestamping>(*one);
    const std::int64_t at = ns_of(stamps.ts[0]);
    return at != 0 ? at : -1;
  }
  return -1;
}

namespace {

/// SO_TIMESTAMPING; Unix sockets take it and tell nothing.
bool ask_for(int socket, int wanted) {
  int domain = 0;
  socklen_t size = sizeof domain;
  if (getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &domain, &size) != 0 || domain == AF_UNIX)
    return false;
  return setsockopt(socket, SOL_SOCKET, SO_TIMESTAMPING, &wanted, sizeof wanted) == 0;
}

}  // namespace

bool ask_for_times(int socket) {
  return ask_for(socket, SOF_TIMESTAMPING_TX_SOFTWARE | SOF_TIMESTAMPING_RX_SOFTWARE |
                             SOF_TIMESTAMPING_SOFTWARE | SOF_TIMESTAMPING_OPT_ID |
                             SOF_TIMESTAMPING_OPT_TSONLY);
}

bool ask_for_receive_times(int socket) {
  return ask_for(socket, SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE);
}

TimedRead read_with_time(int socket, std::span<std::uint8_t> into) {
  iovec place{into.data(), into.size()};
  Control control;
  msghdr message{};
  message.msg_iov = &place;
  message.msg_iovlen = 1;
  message.msg_control = control.bytes.data();
  message.msg_controllen = control.bytes.size();
  TimedRead result;
  result.bytes = ::recvmsg(socket, &message, MSG_DONTWAIT);
  if (result.bytes > 0) result.received_ns = stamp_in(message);
  return result;
}

std::optional<SentNote> next_sent_note(int socket) {
  Control control;
  msghdr message{};
  message.msg_control = control.bytes.data();
  message.msg_controllen = control.bytes.size();
  if (::recvmsg(socket, &message, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) return std::nullopt;
  SentNote note{.last_byte = 0, .sent_ns = stamp_in(message)};
  for (cmsghdr* one = CMSG_FIRSTHDR(&message); one != nullptr; one = CMSG_NXTHDR(&message, one)) {
    const bool about_error = (one->cmsg_level == IPPROTO_IP && one->cmsg_type == IP_RECVERR) ||
                             (one->cmsg_level == IPPROTO_IPV6 && one->cmsg_type == IPV6_RECVERR);
    if (about_error) note.last_byte = data_of<sock_extended_err>(*one).ee_data;
  }
  return note;
}

// Between two readings of a clock the thread may lose its processor: of a few tries, the quickest
// counts.
// counts.
std::int64_t realtime_ahead() {
  constexpr int tries = 5;
  const auto steady = [] {
    return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  std::int64_t quickest = INT64_MAX;
  std::int64_t ahead = 0;
  for (int i = 0; i < tries; ++i) {
    timespec real{};
    const std::int64_t before = steady();
    clock_gettime(CLOCK_REALTIME, &real);
    const std::int64_t took = steady() - before;
    if (took >= quickest) continue;
    quickest = took;
    ahead = ns_of(real) - before - took / 2;
  }
  return ahead;
}

std::optional<reports::TcpFacts> tcp_state(int socket) {
  tcp_info info{};
  socklen_t size = sizeof info;
  if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return std::nullopt;
  return reports::TcpFacts{.round_trip_us = info.tcpi_rtt,
                           .variation_us = info.tcpi_rttvar,
                           .congestion_window = info.tcpi_snd_cwnd,
                           .unacknowledged = info.tcpi_unacked,
                           .retransmitted = info.tcpi_total_retrans};
}

}  // namespace hallmark::loadgen
