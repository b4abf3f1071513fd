#include "loadgen/drivers/stream/stream.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <memory>

#include "base/local_resources.hpp"
#include "loadgen/drivers/stream/as_result.hpp"

namespace hallmark::loadgen {
namespace {

using base::Error;
using base::Result;

namespace asio = boost::asio;
using boost::system::error_code;

void without_delay(Stream& stream, int family) {
  if (family != AF_INET && family != AF_INET6) return;
  const int on = 1;
  ::setsockopt(stream.native_handle(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

NotConnected why_not(const error_code& error) {
  return {base::with_remedy(error.message(), error.value()),
          base::is_lack_of_resources(error.value())};
}

/// Binds the stream to a source address. Its port is chosen when it connects: then one port serves
/// for several targets.
error_code bind_to(Stream& stream, const std::optional<asio::ip::address>& source,
                   const asio::generic::stream_protocol::endpoint& target) {
  error_code error;
  if (!source) return error;
  stream.open(target.protocol(), error);
  if (error) return error;
  const int on = 1;
  ::setsockopt(stream.native_handle(), IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
  stream.bind(asio::ip::tcp::endpoint{*source, 0}, error);
  return error;
}

}  // namespace

asio::awaitable<Result<Endpoints>> resolve(Target target) {
  Endpoints endpoints;
  if (const auto* path = std::get_if<base::UnixEndpoint>(&target)) {
    endpoints.emplace_back(asio::local::stream_protocol::endpoint{path->path});
    co_return endpoints;
  }
  const auto& tcp = std::get<base::TcpEndpoint>(target);
  asio::ip::tcp::resolver resolver{co_await asio::this_coro::executor};
  const auto [error, found] =
      co_await resolver.async_resolve(tcp.host, std::to_string(tcp.port), as_result);
  if (error) co_return Error{error.message()};
  for (const auto& entry : found) endpoints.emplace_back(entry.endpoint());
  co_return endpoints;
}

asio::awaitable<base::Expected<Stream, NotConnected>> connect_from(
    std::optional<asio::ip::address> source, Endpoints endpoints,
    std::chrono::nanoseconds timeout) {
  const auto executor = co_await asio::this_coro::executor;
  NotConnected last{"no address"};
  for (const auto& endpoint : endpoints) {
    auto stream = std::make_shared<Stream>(executor);
    if (const error_code unbound = bind_to(*stream, source, endpoint)) {
      last = why_not(unbound);
      continue;
    }
    asio::steady_timer deadline{executor, timeout};
    deadline.async_wait([stream](error_code cancelled) {
      error_code ignored;
      if (!cancelled) stream->close(ignored);
    });
    const auto [error] = co_await stream->async_connect(endpoint, as_result);
    const bool expired = deadline.cancel() == 0;
    if (!error && !expired) {
      without_delay(*stream, endpoint.protocol().family());
      co_return std::move(*stream);
    }
    last = expired ? NotConnected{"no answer in time"} : why_not(error);
  }
  co_return last;
}

asio::awaitable<Result<Stream>> connect(Endpoints endpoints, std::chrono::nanoseconds timeout) {
  auto connected = co_await connect_from(std::nullopt, std::move(endpoints), timeout);
  if (!connected) co_return Error{connected.error().message};
  co_return std::move(*connected);
}

reports::SocketFacts facts_of(std::span<const base::Descriptor> sockets) {
  reports::SocketFacts facts{.no_delay = true};
  const auto option = [](int fd, int level, int name) -> std::uint64_t {
    int value = 0;
    socklen_t size = sizeof value;
    return getsockopt(fd, level, name, &value, &size) == 0 && value > 0
               ? static_cast<std::uint64_t>(value)
               : 0;
  };
  const auto least = [&](std::uint64_t& kept, std::uint64_t came) {
    kept = facts.count == 1 ? came : std::min(kept, came);
  };
  for (const base::Descriptor& socket : sockets) {
    if (!socket.open()) continue;
    ++facts.count;
    facts.tcp = option(socket.get(), SOL_SOCKET, SO_DOMAIN) != AF_UNIX;
    facts.no_delay = facts.no_delay && option(socket.get(), IPPROTO_TCP, TCP_NODELAY) != 0;
    least(facts.send_buffer_bytes, option(socket.get(), SOL_SOCKET, SO_SNDBUF));
    least(facts.receive_buffer_bytes, option(socket.get(), SOL_SOCKET, SO_RCVBUF));
  }
  facts.no_delay = facts.no_delay && facts.count != 0;
  return facts;
}

}  // namespace hallmark::loadgen
