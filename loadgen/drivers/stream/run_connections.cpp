#include "loadgen/drivers/stream/run_connections.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "loadgen/drivers/stream/setup.hpp"
#include "loadgen/results/run_record.hpp"
#include "loadgen/results/summary.hpp"

namespace hallmark::loadgen {
namespace {

namespace asio = boost::asio;
using std::chrono::nanoseconds;

/// Between attempts to connect again: doubled from the first to the longest.
constexpr nanoseconds first_pause = std::chrono::milliseconds(10);
constexpr nanoseconds longest_pause = std::chrono::seconds(1);

/// Half of it or more: connections that were lost together do not all come back at once.
nanoseconds pause_before(std::uint32_t connection, unsigned attempt) {
  const auto longest = std::min(longest_pause, first_pause * (1U << std::min(attempt, 10U)));
  const std::uint64_t drawn = base::mix64(std::uint64_t{connection} << 32 | attempt);
  return longest / 2 +
         nanoseconds(base::scaled(drawn, static_cast<std::uint64_t>(longest.count() / 2)));
}

std::uint64_t elapsed_since(std::chrono::steady_clock::time_point since) {
  return static_cast<std::uint64_t>(nanoseconds(std::chrono::steady_clock::now() - since).count());
}

}  // namespace

RunConnections::RunConnections(asio::io_context& context, const LoadOptions& options,
                               const Requests& requests, Adopt adopt)
    : context_(context),
      options_(options),
      requests_(requests),
      adopt_(std::move(adopt)),
      all_opened_(context, Clock::time_point::max()) {}

bool RunConnections::is_own(std::uint32_t connection) const {
  if (!options_.share || is_subscriber(connection)) return true;
  return connection % options_.share->of == options_.share->number;
}

asio::awaitable<base::Result<void>> RunConnections::open_all(Endpoints endpoints) {
  endpoints_ = std::move(endpoints);
  sockets_.resize(options_.connections + options_.workload.subscribers);
  opening_ = own_connections(options_) + options_.workload.subscribers;
  for (std::uint32_t i = 0; i < sockets_.size(); ++i) {
    if (is_own(i)) asio::co_spawn(context_, open_first(i), asio::detached);
  }
  boost::system::error_code ignored;
  // Those that fail at once have done so by now.
  if (opening_ != 0)
    co_await all_opened_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  if (not_opened_) co_return *not_opened_;
  co_return base::Result<void>{};
}

std::optional<asio::ip::address> RunConnections::source_of(std::uint32_t connection) const {
  const auto& sources = options_.sources;
  if (sources.empty()) return std::nullopt;
  return asio::ip::make_address(sources[connection % sources.size()]);
}

/// A connection that is ready for its requests, or its deliveries.
asio::awaitable<RunConnections::Opened> RunConnections::open(std::uint32_t connection) {
  const auto began = Clock::now();
  auto stream = co_await connect_from(source_of(connection), endpoints_, options_.timeout);
  if (!stream) {
    ++facts_.failed;
    co_return stream.error();
  }
  connecting_.record(elapsed_since(began));
  ++facts_.opened;
  if (!is_subscriber(connection)) co_return std::move(*stream);
  const auto steps = requests_.subscription();
  const auto subscribed = co_await play(*stream, requests_, steps, options_.timeout);
  if (!subscribed) co_return NotConnected{subscribed.error().message};
  co_return std::move(*stream);
}

asio::awaitable<void> RunConnections::open_first(std::uint32_t connection) {
  auto stream = co_await open(connection);
  if (stream) {
    sockets_[connection] = base::Descriptor{stream->release()};
  } else {
    not_opened_ = base::Error{stream.error().message};
  }
  if (--opening_ == 0) all_opened_.cancel();
}

void RunConnections::open_again(std::uint32_t connection, bool gone) {
  asio::co_spawn(context_, reconnect(connection, gone), asio::detached);
}

asio::awaitable<void> RunConnections::reconnect(std::uint32_t connection, bool gone) {
  if (gone) {
    ++facts_.lost;
    gone_.emplace(connection, Clock::now());
  }
  asio::steady_timer pause{context_};
  for (unsigned attempt = gone ? 0 : 1; !stopped_; ++attempt) {
    // A connection that is replaced still works: the first attempt need not wait.
    if (gone || attempt > 1) {
      pause.expires_after(pause_before(connection, attempt));
      co_await pause.async_wait(asio::use_awaitable);
    }
    if (stopped_) co_return;
    auto stream = co_await open(connection);
    if (stream) {
      settle(connection, gone);
      adopt_(connection, base::Descriptor{stream->release()});
      co_return;
    }
    ++not_reconnected_.count;
    not_reconnected_.example = stream.error().message;
    if (stream.error().starved) adopt_(connection, {});
  }
}

void RunConnections::settle(std::uint32_t connection, bool gone) {
  ++(gone ? facts_.regained : facts_.replaced);
  const auto since = gone_.find(connection);
  if (since == gone_.end()) return;
  facts_.longest_gap_ns = std::max(facts_.longest_gap_ns, elapsed_since(since->second));
  gone_.erase(since);
}

reports::ConnectionFacts RunConnections::facts() const {
  reports::ConnectionFacts facts = facts_;
  for (const auto& [connection, since] : gone_)
    facts.longest_gap_ns = std::max(facts.longest_gap_ns, elapsed_since(since));
  facts.connecting = latency_of(connecting_);
  return facts;
}

}  // namespace hallmark::loadgen
