#pragma once
#include <netinet/in.h>
#include <sys/socket.h>

#include <vector>

#include "protocol/codec/byte_buffer.hpp"
#include "reference/server/datagram_outbox.hpp"

namespace hallmark::server {

/// Datagrams that one system call receives, and their replies, which another one sends.
class DatagramBatch {
 public:
  /// Makes room for at most `most` datagrams, and for the first `most_bytes` of each. `merges`: the
  /// system may cut several replies out of one piece.
  DatagramBatch(std::size_t most, std::size_t most_bytes, bool merges = true);
  DatagramBatch(const DatagramBatch&) = delete;
  DatagramBatch& operator=(const DatagramBatch&) = delete;

  /// Receives the datagrams that have arrived, in place of the batch before; returns their number.
  /// Never waits.
  std::size_t receive(const DatagramSocket& socket);

  base::ByteView datagram(std::size_t index) const {
    return {&bytes_[index * most_bytes_], received_[index].msg_len};
  }

  /// The buffer that replies are appended to.
  protocol::ByteBuffer& replies() { return outbox_.bytes(); }
  /// The last `size` bytes that were appended, at least one, go to where a datagram came from, from
  /// the address that it was sent to.
  void reply_to(std::size_t index, std::size_t size) {
    outbox_.add(received_[index].msg_hdr, size);
  }
  DatagramOutbox::Sent send(const DatagramSocket& socket) { return outbox_.send(socket); }

 private:
  /// Room for the address that a datagram was sent to.
  struct alignas(cmsghdr) Control {
    unsigned char bytes[CMSG_SPACE(sizeof(in6_pktinfo))];
  };

  void offer(std::size_t index);

  std::size_t most_bytes_;
  std::vector<std::uint8_t> bytes_;
  std::vector<sockaddr_storage> addresses_;
  std::vector<Control> controls_;
  std::vector<iovec> parts_;
  std::vector<mmsghdr> received_;
  DatagramOutbox outbox_;
  std::size_t offered_;  ///< places that the next call may fill
};

}  // namespace hallmark::server
