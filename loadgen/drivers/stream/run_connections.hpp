#pragma once
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "base/descriptor.hpp"
#include "loadgen/drivers/stream/stream.hpp"
#include "loadgen/engine/run.hpp"
#include "loadgen/histogram/histogram.hpp"

namespace hallmark::loadgen {

/// The connections of a run over streams: opened before it, and opened again while it lasts where
/// they are lost or to be replaced. Numbers of connections are those of the run; behind those of
/// the schedule come the subscribers. Used by the thread that runs the context.
class RunConnections {
 public:
  /// A socket for a connection that was lost, or that is to be replaced. One that is not open: the
  /// client has no port or no descriptor for it now.
  using Adopt = std::function<void(std::uint32_t connection, base::Descriptor socket)>;

  /// `context`, `options` and `requests` outlive it.
  RunConnections(boost::asio::io_context& context, const LoadOptions& options,
                 const Requests& requests, Adopt adopt);

  /// Opens those of this process. Error: why one of them cannot be.
  boost::asio::awaitable<base::Result<void>> open_all(Endpoints endpoints);

  /// One for each connection, to be taken away; those of other shares are not open.
  std::vector<base::Descriptor>& sockets() noexcept { return sockets_; }

  /// Opens one again, with pauses that double while that fails. `gone`: it has no socket any more,
  /// else it is replaced.
  void open_again(std::uint32_t connection, bool gone);

  /// Stops opening connections.
  void stop() noexcept { stopped_ = true; }

  /// The facts about all connections until now.
  reports::ConnectionFacts facts() const;
  /// Attempts that failed; the count may be 0.
  const reports::ErrorKind& not_reconnected() const noexcept { return not_reconnected_; }

 private:
  using Clock = std::chrono::steady_clock;

  bool is_subscriber(std::uint32_t connection) const { return connection >= options_.connections; }
  bool is_own(std::uint32_t connection) const;
  using Opened = base::Expected<Stream, NotConnected>;
  boost::asio::awaitable<Opened> open(std::uint32_t connection);
  /// The client's own address, of those that were given; nothing: the system's choice.
  std::optional<boost::asio::ip::address> source_of(std::uint32_t connection) const;
  boost::asio::awaitable<void> open_first(std::uint32_t connection);
  boost::asio::awaitable<void> reconnect(std::uint32_t connection, bool gone);
  void settle(std::uint32_t connection, bool gone);

  boost::asio::io_context& context_;
  const LoadOptions& options_;
  const Requests& requests_;
  Adopt adopt_;
  Endpoints endpoints_;
  std::vector<base::Descriptor> sockets_;
  std::uint32_t opening_ = 0;
  std::optional<base::Error> not_opened_;
  boost::asio::steady_timer all_opened_;  ///< expires never; cancelled when they are
  bool stopped_ = false;
  reports::ErrorKind not_reconnected_{"reconnect failed", 0, {}};
  reports::ConnectionFacts facts_;
  Histogram connecting_;
  std::map<std::uint32_t, Clock::time_point> gone_;  ///< connections, since when
};

}  // namespace hallmark::loadgen
