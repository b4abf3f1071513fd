#pragma once
#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <ctime>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "loadgen/drivers/stream/target.hpp"
#include "loadgen/engine/poller.hpp"

namespace hallmark::loadgen::datagram {

/// The address at which a target receives datagrams.
struct Address {
  sockaddr_storage bytes{};
  socklen_t size = 0;
};

/// Errors: the name does not resolve.
base::Result<Address> resolve(const base::UdpEndpoint& target);

/// A socket that is connected to a target, so that the system tells of a port where nobody listens.
struct Socket {
  base::Descriptor descriptor;
  std::uint64_t receive_buffer = 0;  ///< bytes, as the system says
};

/// Non-blocking. `receive_buffer`: bytes to ask for; the system may give less. `source`: one of the
/// client's own addresses; empty: the system chooses it. Errors: one line.
base::Result<Socket> connect(const Address& address, std::uint64_t receive_buffer,
                             const std::string& source = {});

/// Replies that the system dropped at this socket since it was opened, for want of room.
std::uint64_t receive_overflow(int fd);

constexpr std::size_t most_in_batch = 64;
/// No reply is longer: a request of 1000 bytes, and what is said of its key.
constexpr std::size_t most_datagram_bytes = 2048;

/// Datagrams for one system call.
class SendBatch {
 public:
  SendBatch();
  /// Sends datagrams of these sizes, one behind the other at `bytes`; at most most_in_batch.
  /// Returns how many were sent, or -1 with errno where the first one failed.
  int send(int fd, const std::uint8_t* bytes, std::span<const std::uint16_t> sizes);

 private:
  std::array<iovec, most_in_batch> parts_{};
  std::array<mmsghdr, most_in_batch> messages_{};
};

/// Room for the datagrams of one system call.
class ReceiveBatch {
 public:
  ReceiveBatch();

  /// Receives the datagrams that have come, at most most_in_batch, and returns their number.
  /// Returns -1 with errno if none has come.
  int receive(int fd);

  struct Datagram {
    base::ByteView bytes;
    bool cut = false;               ///< it was longer
    std::int64_t received_ns = -1;  ///< CLOCK_REALTIME, by the system; -1: not told
  };
  Datagram at(std::size_t i) const;
  /// The most that SO_RXQ_OVFL said since the batch was received; 0 where it said nothing.
  std::uint32_t overflow() const { return overflow_; }

 private:
  static constexpr std::size_t control_bytes =
      CMSG_SPACE(sizeof(std::uint32_t)) + CMSG_SPACE(3 * sizeof(timespec));
  struct Room {
    std::array<std::uint8_t, most_datagram_bytes> bytes;
    alignas(cmsghdr) std::array<std::uint8_t, control_bytes> control;
  };

  void look_at_control(std::size_t i);

  std::unique_ptr<std::array<Room, most_in_batch>> rooms_;
  std::array<iovec, most_in_batch> parts_{};
  std::array<mmsghdr, most_in_batch> messages_{};
  std::array<std::int64_t, most_in_batch> received_ns_{};
  std::uint32_t overflow_ = 0;
};

}  // namespace hallmark::loadgen::datagram
