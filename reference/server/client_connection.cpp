#include "reference/server/client_connection.hpp"

#include <poll.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include "reference/server/worker.hpp"

namespace hallmark::server {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr std::size_t smallest_read = 2'048;
constexpr std::size_t largest_read = 65'536;
// An idle connection keeps no more memory than this in each direction.
constexpr std::size_t kept_bytes = 65'536;
// Closing a socket that holds unread bytes resets the connection, and the reset may overtake the
// replies on their way; so the other end gets this much time and room to finish.
constexpr std::chrono::seconds linger_time{1};
constexpr std::size_t linger_bytes = std::size_t{1} << 20;

}  // namespace

ClientConnection::ClientConnection(Worker& worker, StreamSocket socket,
                                   model::Connection& model_connection)
    : worker_(worker),
      socket_(std::move(socket)),
      model_connection_(model_connection),
      number_(model_connection.number),
      session_(worker.make_session(model_connection)),
      read_size_(smallest_read),
      linger_timer_(socket_.get_executor()) {
  worker.hooks().begin(in_, out_);
}

void ClientConnection::answer(std::vector<Delivery>& deliveries) {
  worker_.hooks().received(in_);
  state_ = session_->process(in_, out_, deliveries);
  in_.release(kept_bytes);
}

void ClientConnection::deliver(const protocol::ByteBuffer& frame) {
  if (is_closed_ || is_lingering_) return;
  if (out_.size() > worker_.limits().max_backlog_bytes) {
    is_overrun_ = true;
  } else {
    out_.append(frame.view());
  }
}

bool ClientConnection::may_read() const {
  return !is_reading_ && !input_ended_ && state_ == SessionState::reading &&
         out_.size() < worker_.limits().max_output_bytes;
}

void ClientConnection::read() {
  if (!may_read()) return;
  is_reading_ = true;
  socket_.async_read_some(asio::buffer(in_.prepare(read_size_), read_size_),
                          [self = shared_from_this()](const error_code& error, std::size_t size) {
                            self->on_read(error, size);
                          });
}

void ClientConnection::on_read(const error_code& error, std::size_t size) {
  is_reading_ = false;
  if (is_closed_) return;
  if (error == asio::error::eof || error == asio::error::operation_aborted) {
    on_input_end();
  } else if (error) {
    close(Ending::broken);
  } else {
    in_.commit(size);
    if (size == read_size_) read_size_ = std::min(2 * read_size_, largest_read);
    answer_and_flush();
  }
}

void ClientConnection::on_input_end() {
  ConnectionHooks& hooks = worker_.hooks();
  if (hooks.half_close_unnoticed(in_)) return;
  while (hooks.fills_up(in_)) worker_.answer(*this);
  input_ended_ = true;
  if (hooks.half_close_ends()) return close();
  flush();
}

void ClientConnection::answer_and_flush() {
  if (is_closed_) return;
  worker_.answer(*this);
  if (worker_.hooks().waits_for_input(in_)) wait_for(POLLIN);
  if (worker_.hooks().ends_all(state_)) return worker_.close_all();
  flush();
  worker_.flush_recipients();
}

void ClientConnection::flush() {
  if (is_closed_ || is_lingering_) return;
  if (is_overrun_) return close();
  if (is_waiting_to_write_) return read();
  error_code error;
  while (!out_.empty() && !error) {
    out_.consume(socket_.write_some(asio::buffer(out_.data(), out_.size()), error));
  }
  if (!error) return on_sent();
  if (error != asio::error::would_block && error != asio::error::try_again)
    return close(Ending::broken);
  if (worker_.hooks().closes_unsent(out_)) return close();
  if (worker_.hooks().waits_for_output()) wait_for(POLLOUT);
  wait_until_writable();
  read();
}

/// Holds up everybody, half a minute at most.
void ClientConnection::wait_for(short events) {
  constexpr int longest_ms = 30'000;
  pollfd one{socket_.native_handle(), events, 0};
  ::poll(&one, 1, longest_ms);
}

void ClientConnection::wait_until_writable() {
  is_waiting_to_write_ = true;
  socket_.async_wait(StreamSocket::wait_write, [self = shared_from_this()](const error_code&) {
    self->is_waiting_to_write_ = false;
    self->flush();
  });
}

void ClientConnection::on_sent() {
  out_.release(kept_bytes);
  if (state_ == SessionState::throttled) {
    // Through the queue, so that the others have their turn.
    return asio::post(socket_.get_executor(),
                      [self = shared_from_this()] { self->answer_and_flush(); });
  }
  if (input_ended_) return close();
  if (state_ == SessionState::finished) return linger();
  read();
}

void ClientConnection::shut_down() {
  if (is_lingering_) return close();
  input_ended_ = true;
  if (state_ == SessionState::throttled) state_ = SessionState::reading;
  flush();
}

void ClientConnection::close(Ending ending) {
  if (is_closed_) return;
  is_closed_ = true;
  worker_.hooks().ended(ending, in_, out_);
  const auto self = shared_from_this();
  error_code ignored;
  socket_.close(ignored);
  linger_timer_.cancel();
  worker_.forget(*this, ending);
}

void ClientConnection::linger() {
  is_lingering_ = true;
  error_code error;
  socket_.shutdown(StreamSocket::shutdown_send, error);
  if (error) return close();
  linger_timer_.expires_after(linger_time);
  linger_timer_.async_wait([self = shared_from_this()](const error_code&) { self->close(); });
  discard();
}

void ClientConnection::discard() {
  in_.clear();
  socket_.async_read_some(asio::buffer(in_.prepare(smallest_read), smallest_read),
                          [self = shared_from_this()](const error_code& error, std::size_t size) {
                            self->on_discarded(error, size);
                          });
}

void ClientConnection::on_discarded(const error_code& error, std::size_t size) {
  discarded_ += size;
  if (error || discarded_ > linger_bytes) return close();
  discard();
}

}  // namespace hallmark::server
