#pragma once
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <memory>

#include "protocol/codec/byte_buffer.hpp"
#include "reference/server/connection_hooks.hpp"
#include "reference/session/session.hpp"

namespace hallmark::server {

class Worker;

/// A stream socket of either family, without a type-erased executor.
using StreamSocket = boost::asio::basic_stream_socket<boost::asio::generic::stream_protocol,
                                                      boost::asio::io_context::executor_type>;

/// Moves bytes between one socket and its session. Lives on its worker's thread.
class ClientConnection : public std::enable_shared_from_this<ClientConnection> {
 public:
  ClientConnection(Worker& worker, StreamSocket socket, model::Connection& model_connection);

  std::uint64_t number() const { return number_; }
  model::Connection& model_connection() { return model_connection_; }

  /// Starts reading.
  void start() { read(); }

  /// Answers what has been read; the worker holds the mutex.
  void answer(std::vector<Delivery>& deliveries);

  /// Queues a publication; the worker flushes later. A subscriber that does not keep up is closed
  /// then.
  void deliver(const protocol::ByteBuffer& frame);

  /// Sends what is queued, in one write where the socket takes it, and goes on reading.
  void flush();

  /// Reads no more; closes once everything queued has been sent.
  void shut_down();

  /// Closes at once.
  void close(Ending ending = Ending::orderly);

 private:
  void read();
  void on_read(const boost::system::error_code& error, std::size_t size);
  void on_input_end();
  void answer_and_flush();
  bool may_read() const;
  void wait_until_writable();
  void wait_for(short events);
  void on_sent();
  void linger();
  void discard();
  void on_discarded(const boost::system::error_code& error, std::size_t size);

  Worker& worker_;
  StreamSocket socket_;
  model::Connection& model_connection_;
  const std::uint64_t number_;
  std::unique_ptr<Session> session_;
  protocol::ByteBuffer in_;
  protocol::ByteBuffer out_;
  std::size_t read_size_;
  SessionState state_ = SessionState::reading;
  bool is_reading_ = false;
  bool is_waiting_to_write_ = false;
  bool input_ended_ = false;
  bool is_overrun_ = false;  ///< its backlog exceeded the limit
  bool is_closed_ = false;
  bool is_lingering_ = false;
  std::size_t discarded_ = 0;
  boost::asio::steady_timer linger_timer_;
};

}  // namespace hallmark::server
