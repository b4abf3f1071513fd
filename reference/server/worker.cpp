#include "reference/server/worker.hpp"

#include "reference/server/mutated_session.hpp"

#include <boost/asio/post.hpp>

namespace hallmark::server {

namespace asio = boost::asio;

Worker::Worker(SharedState& shared, std::uint64_t index)
    : shared_(shared), index_(index), work_(context_.get_executor()), stop_timer_(context_) {}

void Worker::start() {
  thread_ = std::thread([this] { context_.run(); });
}

void Worker::join() {
  if (thread_.joinable()) thread_.join();
}

void Worker::adopt(StreamSocket socket, const model::Peer& peer) {
  asio::post(context_, [this, peer, socket = std::move(socket)]() mutable {
    if (!is_stopping_) serve(std::move(socket), peer);
  });
}

void Worker::serve(StreamSocket socket, const model::Peer& peer) {
  model::Connection* opened = nullptr;
  {
    const std::lock_guard lock(shared_.mutex);
    shared_.model.advance(shared_.clock.now());
    opened = shared_.model.open(peer);
    if (opened == nullptr) return;
    opened->owner = index_;
  }
  const auto connection = std::make_shared<ClientConnection>(*this, std::move(socket), *opened);
  connections_.emplace(connection->number(), connection);
  connection->start();
}

std::unique_ptr<Session> Worker::make_session(model::Connection& connection) {
  return mutated(server::make_session(shared_.options.width, shared_.session_context, connection),
                 shared_.options.width, shared_.session_context);
}

void Worker::answer(ClientConnection& connection) {
  const std::lock_guard lock(shared_.mutex);
  shared_.model.advance(shared_.clock.now());
  empty_mailbox();
  connection.answer(deliveries_);
  route(deliveries_);
}

void Worker::route(std::vector<Delivery>& deliveries) {
  for (Delivery& delivery : deliveries) {
    if (delivery.owner == index_) {
      deliver(delivery);
    } else {
      Worker& owner = *shared_.workers[delivery.owner];
      owner.post_to_mailbox(std::move(delivery));
    }
  }
  deliveries.clear();
}

void Worker::post_to_mailbox(Delivery delivery) {
  mailbox_.push_back(std::move(delivery));
  if (mailbox_.size() > 1) return;
  asio::post(context_, [this] {
    {
      const std::lock_guard lock(shared_.mutex);
      empty_mailbox();
    }
    flush_recipients();
  });
}

void Worker::empty_mailbox() {
  for (const Delivery& delivery : mailbox_) deliver(delivery);
  mailbox_.clear();
}

void Worker::deliver(const Delivery& delivery) {
  const auto found = connections_.find(delivery.recipient);
  if (found == connections_.end()) return;
  found->second->deliver(*delivery.frame);
  if (recipients_.empty() || recipients_.back() != found->second) {
    recipients_.push_back(found->second);
  }
}

void Worker::flush_recipients() {
  // Flushing may close connections, but never delivers: nothing is added while this runs.
  for (const auto& recipient : recipients_) recipient->flush();
  recipients_.clear();
}

void Worker::forget(ClientConnection& connection) {
  {
    const std::lock_guard lock(shared_.mutex);
    shared_.model.close(connection.model_connection());
  }
  connections_.erase(connection.number());
  finish_if_empty();
}

void Worker::stop() {
  asio::post(context_, [this] {
    is_stopping_ = true;
    stop_timer_.expires_after(shared_.options.stop_within);
    stop_timer_.async_wait([this](const boost::system::error_code& error) {
      if (error) return;
      const auto left = connections_;
      for (const auto& [number, connection] : left) connection->close();
    });
    shut_down_connections();
    finish_if_empty();
  });
}

void Worker::shut_down_connections() {
  const auto all = connections_;
  for (const auto& [number, connection] : all) connection->shut_down();
}

void Worker::finish_if_empty() {
  if (!is_stopping_ || !connections_.empty()) return;
  stop_timer_.cancel();
  work_.reset();
}

}  // namespace hallmark::server
