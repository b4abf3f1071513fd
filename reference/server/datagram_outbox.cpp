#include "reference/server/datagram_outbox.hpp"

#include <netinet/udp.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace hallmark::server {

namespace {

// Limits that every Linux that merges accepts; the bytes fit in one datagram.
constexpr std::size_t most_merged = 64;
constexpr std::size_t most_merged_bytes = 60'000;

/// Turns the address that a datagram was sent to into the one that its reply comes from. The
/// interface is left to the routes, unless the address is only valid on one interface.
void answer_from(in_pktinfo& address) { address.ipi_ifindex = 0; }

void answer_from(in6_pktinfo& address) {
  if (!IN6_IS_ADDR_LINKLOCAL(&address.ipi6_addr)) address.ipi6_ifindex = 0;
  if (IN6_IS_ADDR_MULTICAST(&address.ipi6_addr)) address = {};
}

template <class Address>
void answer_from(cmsghdr& told) {
  Address address;
  std::memcpy(&address, CMSG_DATA(&told), sizeof address);
  answer_from(address);
  std::memcpy(CMSG_DATA(&told), &address, sizeof address);
}

void answer_from_asked_address(msghdr& message) {
  cmsghdr* const told = CMSG_FIRSTHDR(&message);
  if (told == nullptr) return;
  if (told->cmsg_level == IPPROTO_IP) {
    answer_from<in_pktinfo>(*told);
  } else {
    answer_from<in6_pktinfo>(*told);
  }
}

/// Adds to the control data, which has room for it, that the message is to be cut.
void cut_into(std::uint16_t size, msghdr& message) {
  cmsghdr added{};
  added.cmsg_level = SOL_UDP;
  added.cmsg_type = UDP_SEGMENT;
  added.cmsg_len = CMSG_LEN(sizeof size);
  auto* const end = static_cast<unsigned char*>(message.msg_control) + message.msg_controllen;
  std::memcpy(end, &added, sizeof added);
  std::memcpy(end + CMSG_LEN(0), &size, sizeof size);
  message.msg_controllen += CMSG_SPACE(sizeof size);
}

bool same_bytes(const void* left, std::size_t left_size, const void* right,
                std::size_t right_size) {
  return left_size == right_size && (left_size == 0 || std::memcmp(left, right, left_size) == 0);
}

/// True if both are for one client, which asked at one address.
bool same_ends(const msghdr& left, const msghdr& right) {
  return same_bytes(left.msg_name, left.msg_namelen, right.msg_name, right.msg_namelen) &&
         same_bytes(left.msg_control, left.msg_controllen, right.msg_control, right.msg_controllen);
}

}  // namespace

DatagramOutbox::DatagramOutbox(std::size_t most, bool merges)
    : merges_(merges), parts_(most), controls_(most) {
  replies_.reserve(most);
  messages_.reserve(most);
  merged_.reserve(most);
}

void DatagramOutbox::clear() {
  bytes_.clear();
  replies_.clear();
}

void DatagramOutbox::add(const msghdr& request, std::size_t size) {
  replies_.push_back({&request, bytes_.size() - size, size});
}

DatagramOutbox::Sent DatagramOutbox::send(const DatagramSocket& socket) {
  Sent sent;
  bool merging = merges_;
  while (sent.replies + sent.errors < replies_.size()) {
    compose(sent.replies + sent.errors, merging);
    const int count = ::sendmmsg(socket.descriptor(), messages_.data(),
                                 static_cast<unsigned>(messages_.size()), MSG_DONTWAIT);
    // It stops at what it cannot send, and fails only when that comes first.
    for (int i = 0; i < count; ++i) sent.replies += merged_[static_cast<std::size_t>(i)];
    if (count > 0 || errno == EINTR) continue;
    if (merged_.front() == 1) {
      ++sent.errors;
    } else {
      merging = false;
      if (errno == EINVAL || errno == EIO) merges_ = false;  // this system or its device cannot
    }
  }
  return sent;
}

/// Makes the messages of all replies from `first` on.
void DatagramOutbox::compose(std::size_t first, bool merging) {
  messages_.clear();
  merged_.clear();
  while (first < replies_.size()) {
    const std::size_t merged = merging ? mergeable(first) : 1;
    compose_one(first, merged);
    first += merged;
  }
}

std::size_t DatagramOutbox::mergeable(std::size_t first) const {
  const Reply& begin = replies_[first];
  const std::size_t most =
      std::min({most_merged, most_merged_bytes / begin.size, replies_.size() - first});
  std::size_t count = 1;
  while (count < most && replies_[first + count].size == begin.size &&
         same_ends(*replies_[first + count].request, *begin.request)) {
    ++count;
  }
  return count;
}

void DatagramOutbox::compose_one(std::size_t first, std::size_t merged) {
  const Reply& reply = replies_[first];
  const std::size_t index = messages_.size();
  // Sending writes to neither.
  auto* const bytes = const_cast<std::uint8_t*>(bytes_.data()) + reply.offset;
  parts_[index] = {bytes, reply.size * merged};
  msghdr message = *reply.request;
  message.msg_flags = 0;
  message.msg_iov = &parts_[index];
  message.msg_iovlen = 1;
  if (message.msg_controllen != 0) {
    std::memcpy(&controls_[index], message.msg_control, message.msg_controllen);
  }
  message.msg_control = &controls_[index];
  answer_from_asked_address(message);
  if (merged > 1) cut_into(static_cast<std::uint16_t>(reply.size), message);
  messages_.push_back({message, 0});
  merged_.push_back(merged);
}

}  // namespace hallmark::server
