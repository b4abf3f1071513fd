#include "reference/server/worker.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>

namespace hallmark::server {

namespace asio = boost::asio;

Worker::Worker(SharedState& shared, std::uint64_t index)
    : shared_(shared),
      index_(index),
      work_(context_.get_executor()),
      stop_timer_(context_),
      hooks_(shared.decorator().connection_hooks()) {}

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
  if (hooks_->refuses()) return;
  if (hooks_->waits(connections_.size())) {
    waiting_.emplace_back(std::move(socket), peer);
    return;
  }
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
  if (hooks_->evicts_oldest(connections_.size())) close_one(true);
}

void Worker::serve_next_waiting() {
  if (waiting_.empty() || is_stopping_) return;
  auto [socket, peer] = std::move(waiting_.front());
  waiting_.pop_front();
  serve(std::move(socket), peer);
}

void Worker::close_one(bool oldest) {
  const auto by_age = [](const auto& a, const auto& b) { return a.first < b.first; };
  const auto found = oldest ? std::ranges::min_element(connections_, by_age)
                            : std::ranges::max_element(connections_, by_age);
  if (found == connections_.end()) return;
  const auto connection = found->second;
  connection->close();
}

void Worker::close_all() {
  const auto all = connections_;
  for (const auto& [number, connection] : all) connection->close();
}

std::unique_ptr<Session> Worker::make_session(model::Connection& connection) {
  const ServerOptions& options = shared_.options;
  auto session = server::make_session(options.width, shared_.session_context, connection);
  return shared_.decorator().around_session(std::move(session), options.width,
                                            shared_.session_context, connection);
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
  auto found = connections_.find(delivery.recipient);
  if (found == connections_.end() && hooks_->inherits()) {
    found = std::ranges::max_element(
        connections_, [](const auto& a, const auto& b) { return a.first < b.first; });
  }
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

void Worker::forget(ClientConnection& connection, Ending ending) {
  if (!(hooks_->inherits() && ending == Ending::broken)) {
    const std::lock_guard lock(shared_.mutex);
    shared_.model.close(connection.model_connection());
  }
  connections_.erase(connection.number());
  if (hooks_->takes_newest_along(ending)) close_one(false);
  serve_next_waiting();
  finish_if_empty();
}

void Worker::stop() {
  asio::post(context_, [this] {
    is_stopping_ = true;
    stop_timer_.expires_after(shared_.options.stop_within);
    stop_timer_.async_wait([this](const boost::system::error_code& error) {
      if (!error) close_all();
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
