#pragma once
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <deque>
#include <memory>
#include <thread>
#include <vector>

#include "reference/server/client_connection.hpp"
#include "reference/server/shared_state.hpp"

namespace hallmark::server {

/// One thread with its event loop and the connections it serves.
class Worker {
 public:
  Worker(SharedState& shared, std::uint64_t index);

  boost::asio::io_context& context() { return context_; }
  const ServerLimits& limits() const { return shared_.options.limits; }

  /// Runs the event loop on a thread of its own, until stopped and without connections.
  void start();
  void join();

  /// Serves this socket, or closes it when there are too many connections. Any thread may call it.
  void adopt(StreamSocket socket, const model::Peer& peer);

  /// Ends all connections, those that do not take what is pending after a while. Any thread may
  /// call it.
  void stop();

  // The following are called for the connections of this worker, on its thread.

  std::unique_ptr<Session> make_session(model::Connection& connection);

  /// Lets a connection answer what it has read. Publications that other threads made before come
  /// first, so that what a client sees agrees with one order of all requests.
  void answer(ClientConnection& connection);

  /// Sends what `answer` queued for other connections of this worker.
  void flush_recipients();

  /// A connection was closed.
  void forget(ClientConnection& connection, Ending ending);

  /// Closes every connection at once.
  void close_all();

  ConnectionHooks& hooks() { return *hooks_; }

 private:
  void serve(StreamSocket socket, const model::Peer& peer);
  void serve_next_waiting();
  void close_one(bool oldest);
  void post_to_mailbox(Delivery delivery);
  void empty_mailbox();
  void route(std::vector<Delivery>& deliveries);
  void deliver(const Delivery& delivery);
  void shut_down_connections();
  void finish_if_empty();

  SharedState& shared_;
  const std::uint64_t index_;
  boost::asio::io_context context_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  boost::asio::steady_timer stop_timer_;
  std::thread thread_;
  std::unique_ptr<ConnectionHooks> hooks_;
  std::deque<std::pair<StreamSocket, model::Peer>> waiting_;  ///< if the hooks make them wait
  boost::unordered_flat_map<std::uint64_t, std::shared_ptr<ClientConnection>> connections_;
  std::vector<Delivery> deliveries_;
  std::vector<std::shared_ptr<ClientConnection>> recipients_;
  std::vector<Delivery> mailbox_;  ///< guarded by the shared mutex
  bool is_stopping_ = false;
};

}  // namespace hallmark::server
