#include <sys/epoll.h>

#include <array>
#include <cerrno>
#include <list>
#include <string>
#include <system_error>
#include <unordered_map>

#include "base/waker.hpp"
#include "observe/relay.hpp"

namespace hallmark::observe {
namespace {

using base::ByteView;
using base::Descriptor;

constexpr std::size_t largest_datagram = 65'535;
constexpr int datagrams_at_once = 64;
constexpr int datagram_events_at_once = 256;
constexpr int retry_datagrams_after_ms = 20;

struct Client {
  SocketAddress address{};
  Descriptor upstream{};
  Line line{};
};

std::string key_of(const SocketAddress& address) {
  return {reinterpret_cast<const char*>(&address.storage), address.length};
}

class DatagramRelay : public Relay {
 public:
  DatagramRelay(Listener listener, const SocketAddress& target, std::size_t most_clients, Tap& tap,
                RelayCounts& counts)
      : listener_(std::move(listener)),
        target_(target),
        most_clients_(most_clients),
        tap_(tap),
        counts_(counts),
        epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
    if (!epoll_.open()) throw std::system_error(errno, std::generic_category(), "epoll_create1");
    add(waker_.fd(), 0);
    add(listener_.socket.get(), listener_key);
  }

  void run() override;
  void stop() override {
    stopped_ = true;
    waker_.wake();
  }

 private:
  using Clients = std::list<Client>;
  static constexpr std::uint64_t listener_key = ~std::uint64_t{0};

  /// Clients are named by their numbers: an event of one that was forgotten meanwhile finds nobody.
  void add(int socket, std::uint64_t key) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = key;
    ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, socket, &event);
  }
  void take_requests();
  void take_replies(std::uint64_t number);
  Client* client_at(const SocketAddress& address);
  Client* make_client(const SocketAddress& address);
  void forget_oldest();
  void touch(Clients::iterator client) { clients_.splice(clients_.end(), clients_, client); }

  Listener listener_;
  SocketAddress target_;
  std::size_t most_clients_;
  Tap& tap_;
  RelayCounts& counts_;
  Descriptor epoll_;
  base::Waker waker_;
  std::atomic<bool> stopped_{false};
  bool untold_ = false;
  Clients clients_;  ///< the one that was silent for longest comes first
  std::unordered_map<std::string, Clients::iterator> by_address_;
  std::unordered_map<std::uint64_t, Clients::iterator> by_number_;
  std::array<std::uint8_t, largest_datagram> buffer_{};
};

void DatagramRelay::run() {
  std::array<epoll_event, datagram_events_at_once> events{};
  while (!stopped_) {
    const int count = ::epoll_wait(epoll_.get(), events.data(), datagram_events_at_once,
                                   untold_ ? retry_datagrams_after_ms : -1);
    for (int i = 0; i < count; ++i) {
      const std::uint64_t key = events[static_cast<std::size_t>(i)].data.u64;
      if (key == listener_key) take_requests();
      if (key != listener_key && key != 0) take_replies(key);
    }
    if (untold_) untold_ = !tap_.settle();
  }
  while (!clients_.empty()) forget_oldest();
}

void DatagramRelay::take_requests() {
  for (int i = 0; i < datagrams_at_once; ++i) {
    SocketAddress from;
    const auto length = ::recvfrom(listener_.socket.get(), buffer_.data(), buffer_.size(), 0,
                                   from.get(), &from.length);
    if (length < 0) return;
    Client* const client = client_at(from);
    const auto size = static_cast<std::size_t>(length);
    // A refusal that comes instead is that of an earlier request: this one has still to be sent.
    auto sent = client == nullptr ? -1 : ::send(client->upstream.get(), buffer_.data(), size, 0);
    if (client != nullptr && sent < 0 && errno == ECONNREFUSED)
      sent = ::send(client->upstream.get(), buffer_.data(), size, 0);
    if (sent < 0) ++counts_.not_sent[index_of(Side::client)];
    if (client != nullptr && sent >= 0)
      tap_.bytes(client->line, Side::client, ByteView(buffer_).first(size));
  }
}

void DatagramRelay::take_replies(std::uint64_t number) {
  const auto found = by_number_.find(number);
  if (found == by_number_.end()) return;
  Client& client = *found->second;
  touch(found->second);
  for (int i = 0; i < datagrams_at_once; ++i) {
    const auto length = ::recv(client.upstream.get(), buffer_.data(), buffer_.size(), 0);
    if (length < 0 && errno == ECONNREFUSED) {
      ++counts_.unreachable;
      continue;
    }
    if (length < 0) return;
    const auto size = static_cast<std::size_t>(length);
    const auto sent = ::sendto(listener_.socket.get(), buffer_.data(), size, 0,
                               client.address.get(), client.address.length);
    if (sent < 0) ++counts_.not_sent[index_of(Side::server)];
    tap_.bytes(client.line, Side::server, ByteView(buffer_).first(size));
  }
}

Client* DatagramRelay::client_at(const SocketAddress& address) {
  const auto found = by_address_.find(key_of(address));
  if (found == by_address_.end()) return make_client(address);
  touch(found->second);
  return &*found->second;
}

/// Null where the system has no socket for it.
Client* DatagramRelay::make_client(const SocketAddress& address) {
  if (clients_.size() >= most_clients_) forget_oldest();
  Descriptor upstream = open_datagrams_to(target_);
  if (!upstream.open() && !clients_.empty()) {
    forget_oldest();
    upstream = open_datagrams_to(target_);
  }
  if (!upstream.open()) return nullptr;
  clients_.push_back({address, std::move(upstream), {}});
  Client& client = clients_.back();
  tap_.open(client.line, {address_of(address, 0, 0), address_of(target_, 0, 0)});
  const auto place = std::prev(clients_.end());
  by_address_[key_of(address)] = place;
  by_number_[client.line.number] = place;
  add(client.upstream.get(), client.line.number);
  return &client;
}

void DatagramRelay::forget_oldest() {
  Client& client = clients_.front();
  if (!stopped_) ++counts_.evicted;
  by_address_.erase(key_of(client.address));
  by_number_.erase(client.line.number);
  tap_.close(client.line);
  untold_ = !tap_.settle();
  clients_.pop_front();
}

}  // namespace

std::unique_ptr<Relay> make_datagram_relay(Listener listener, const SocketAddress& target,
                                           std::size_t most_clients, Tap& tap,
                                           RelayCounts& counts) {
  return std::make_unique<DatagramRelay>(std::move(listener), target, most_clients, tap, counts);
}

}  // namespace hallmark::observe
