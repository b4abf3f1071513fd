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

asio::awaitable<Result<Stream>> connect(Endpoints endpoints, std::chrono::nanoseconds timeout) {
  const auto executor = co_await asio::this_coro::executor;
  Error last{"no address"};
  for (const auto& endpoint : endpoints) {
    auto stream = std::make_shared<Stream>(executor);
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
    last.message = expired ? "no answer in time" : error.message();
  }
  co_return last;
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
