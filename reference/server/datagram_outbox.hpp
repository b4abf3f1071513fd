#pragma once
#include <netinet/in.h>
#include <sys/socket.h>

#include <vector>

#include "protocol/codec/byte_buffer.hpp"
#include "reference/server/datagram_socket.hpp"

namespace hallmark::server {

/// Replies that wait to be sent by one system call. Those of one size that go one after the other
/// to one client can be handed to the system as one piece, which it cuts into datagrams again (UDP
/// segmentation offload, Linux 4.18): they arrive as if sent one by one, for half the time.
class DatagramOutbox {
 public:
  explicit DatagramOutbox(std::size_t most, bool merges);
  DatagramOutbox(const DatagramOutbox&) = delete;
  DatagramOutbox& operator=(const DatagramOutbox&) = delete;

  void clear();

  /// The buffer that replies are appended to.
  protocol::ByteBuffer& bytes() { return bytes_; }

  /// The last `size` bytes that were appended, at least one, are the reply to `request`, which came
  /// from its name and was sent to the address in its control data. It stays until they are sent.
  void add(const msghdr& request, std::size_t size);

  struct Sent {
    std::size_t replies = 0;
    std::size_t errors = 0;  ///< replies that the system refused
  };
  /// Sends the replies in their order. One that cannot be sent does not hold up the others.
  Sent send(const DatagramSocket& socket);

 private:
  struct Reply {
    const msghdr* request;
    std::size_t offset;
    std::size_t size;
  };
  /// Room for the address that a reply comes from, and the size of the pieces.
  struct alignas(cmsghdr) Control {
    unsigned char bytes[CMSG_SPACE(sizeof(in6_pktinfo)) + CMSG_SPACE(sizeof(std::uint16_t))];
  };

  void compose(std::size_t first, bool merging);
  std::size_t mergeable(std::size_t first) const;
  void compose_one(std::size_t first, std::size_t merged);

  bool merges_;
  protocol::ByteBuffer bytes_;
  std::vector<Reply> replies_;
  std::vector<mmsghdr> messages_;
  std::vector<std::size_t> merged_;  ///< replies of each message
  std::vector<iovec> parts_;
  std::vector<Control> controls_;
};

}  // namespace hallmark::server
