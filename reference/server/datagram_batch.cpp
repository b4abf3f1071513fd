#include "reference/server/datagram_batch.hpp"

namespace hallmark::server {

DatagramBatch::DatagramBatch(std::size_t most, std::size_t most_bytes, bool merges)
    : most_bytes_(most_bytes),
      bytes_(most * most_bytes),
      addresses_(most),
      controls_(most),
      parts_(most),
      received_(most),
      outbox_(most, merges),
      offered_(most) {
  for (std::size_t i = 0; i < most; ++i) {
    parts_[i] = {&bytes_[i * most_bytes], most_bytes};
    msghdr& message = received_[i].msg_hdr;
    message.msg_iov = &parts_[i];
    message.msg_iovlen = 1;
    message.msg_name = &addresses_[i];
    message.msg_control = &controls_[i];
  }
}

/// The system sets what it used of these.
void DatagramBatch::offer(std::size_t index) {
  msghdr& message = received_[index].msg_hdr;
  message.msg_namelen = sizeof(sockaddr_storage);
  message.msg_controllen = sizeof(Control);
}

std::size_t DatagramBatch::receive(const DatagramSocket& socket) {
  outbox_.clear();
  for (std::size_t i = 0; i < offered_; ++i) offer(i);
  const int count = ::recvmmsg(socket.descriptor(), received_.data(),
                               static_cast<unsigned>(received_.size()), MSG_DONTWAIT, nullptr);
  offered_ = count > 0 ? static_cast<std::size_t>(count) : 0;
  return offered_;
}

}  // namespace hallmark::server
