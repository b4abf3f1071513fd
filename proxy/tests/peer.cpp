#include "proxy/tests/peer.hpp"

#include <poll.h>

#include <boost/asio/buffer.hpp>
#include <stdexcept>

namespace hallmark::proxy {
namespace {

constexpr int patience_ms = 60'000;
const std::string last_word = "that is all";

}  // namespace

Peer::Peer(const std::string& address, std::uint16_t port)
    : socket_(context_, Udp::endpoint(boost::asio::ip::make_address(address), port)) {
  socket_.non_blocking(true);
}

void Peer::send(const std::string& bytes, const Udp::endpoint& to) {
  socket_.send_to(boost::asio::buffer(bytes), to);
}

std::optional<std::string> Peer::read() {
  std::string bytes(65'536, '\0');
  boost::system::error_code error;
  const auto size = socket_.receive_from(boost::asio::buffer(bytes), sender_, 0, error);
  if (error) return std::nullopt;
  bytes.resize(size);
  return bytes;
}

std::optional<std::string> Peer::receive() {
  pollfd waiting{socket_.native_handle(), POLLIN, 0};
  if (::poll(&waiting, 1, patience_ms) != 1) return std::nullopt;
  return read();
}

std::vector<std::string> Peer::received() {
  std::vector<std::string> all;
  while (auto bytes = read()) all.push_back(std::move(*bytes));
  return all;
}

Echo::Echo(const std::string& address, std::uint16_t port)
    : peer_(address, port), address_(peer_.address()), thread_([this] {
        while (const auto bytes = peer_.receive()) {
          if (*bytes == last_word) return;
          peer_.send(*bytes, peer_.sender());
        }
      }) {}

Echo::~Echo() {
  Peer(address_.address().to_string()).send(last_word, address_);
  thread_.join();
}

}  // namespace hallmark::proxy
