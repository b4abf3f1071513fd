#include "reference/server/server.hpp"

#include <boost/asio/post.hpp>

#include "reference/server/listener.hpp"
#include "reference/server/shared_state.hpp"
#include "reference/server/worker.hpp"

namespace hallmark::server {

namespace {

namespace asio = boost::asio;

model::ModelOptions model_options(const ServerOptions& options, model::Time started_at) {
  return {static_cast<unsigned>(protocol::bytes_of(options.width)),
          started_at,
          options.seed,
          options.version,
          {options.limits.max_keys, options.limits.max_value_bytes, options.limits.max_connections,
           options.limits.max_subscriptions, options.limits.max_stored_bytes},
          model::behaviour_of(options.readings)};
}

}  // namespace

SharedState::SharedState(const ServerOptions& server_options)
    : options(server_options),
      model(model_options(options, clock.started_at())),
      session_context{model, options.readings, options.limits.max_value_bytes,
                      options.limits.max_output_bytes} {
  decorator().around_model(model);
}

SharedState::~SharedState() = default;

class Server::Impl {
 public:
  explicit Impl(const ServerOptions& options) : shared_(options) {
    for (unsigned i = 0; i < std::max(1U, options.threads); ++i) {
      shared_.workers.push_back(std::make_unique<Worker>(shared_, i));
    }
  }

  base::Result<void> start() {
    for (const StreamEndpoint& endpoint : shared_.options.listen) {
      auto listener = listen(first().context(), endpoint, [this]() -> Worker& { return next(); });
      if (!listener) {
        stop_listening();
        return listener.error();
      }
      listeners_.push_back(std::move(*listener));
      endpoints_.push_back(listeners_.back()->endpoint());
    }
    for (const auto& listener : listeners_) listener->start();
    for (const auto& worker : shared_.workers) worker->start();
    return {};
  }

  void stop() {
    asio::post(first().context(), [this] { stop_listening(); });
    for (const auto& worker : shared_.workers) worker->stop();
    for (const auto& worker : shared_.workers) worker->join();
  }

  const std::vector<StreamEndpoint>& endpoints() const { return endpoints_; }

 private:
  Worker& first() { return *shared_.workers.front(); }

  Worker& next() { return *shared_.workers[next_++ % shared_.workers.size()]; }

  void stop_listening() {
    for (const auto& listener : listeners_) listener->stop();
  }

  SharedState shared_;
  std::vector<std::unique_ptr<Listener>> listeners_;
  std::vector<StreamEndpoint> endpoints_;
  std::size_t next_ = 0;
};

std::string_view version() { return HALLMARK_VERSION; }

Server::Server() = default;
Server::~Server() { stop(); }

base::Result<void> Server::start(const ServerOptions& options) {
  auto impl = std::make_unique<Impl>(options);
  auto started = impl->start();
  if (started) impl_ = std::move(impl);
  return started;
}

const std::vector<StreamEndpoint>& Server::endpoints() const {
  static const std::vector<StreamEndpoint> none;
  return impl_ ? impl_->endpoints() : none;
}

void Server::stop() {
  if (impl_) impl_->stop();
  impl_.reset();
}

}  // namespace hallmark::server
