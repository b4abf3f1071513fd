#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/hex.hpp"
#include "protocol/dialects.hpp"
#include "reference/server/decorator.hpp"

namespace hallmark::server::testing {

/// One client of a `SimulatedServer`.
struct SimulatedClient {
  model::Connection* connection = nullptr;
  std::unique_ptr<Session> session{};
  protocol::ByteBuffer in{};
  protocol::ByteBuffer out{};
  SessionState state = SessionState::reading;
};

struct SimulatedOptions {
  protocol::Width width = protocol::Width::u16;
  protocol::Readings readings{protocol::throttr_7_1, protocol::Profile::deployed};
  model::Limits limits{};
  std::size_t max_value_bytes = std::size_t{1} << 20;
  std::size_t max_output_bytes = std::size_t{1} << 20;
  std::shared_ptr<const Decorator> decorator = std::make_shared<Decorator>();
};

/// Sessions around one model, with a clock that stands still until it is moved.
class SimulatedServer {
 public:
  static constexpr model::Time start = 1'795'166'096'000'000'000;
  static constexpr model::Time second = 1'000'000'000;

  explicit SimulatedServer(const SimulatedOptions& options = {})
      : width_(options.width),
        readings_(options.readings),
        model_(model::ModelOptions{.value_bytes = static_cast<unsigned>(bytes_of(options.width)),
                                   .started_at = start,
                                   .seed = 1,
                                   .version = "5.0.3",
                                   .limits = options.limits,
                                   .behaviour = model::behaviour_of(options.readings)}),
        context_{model_, readings_, options.max_value_bytes, options.max_output_bytes},
        decorator_(options.decorator) {
    decorator_->around_model(model_);
  }

  model::Model& model() { return model_; }
  void advance(model::Time nanoseconds) { model_.advance(model_.moment().now + nanoseconds); }

  SimulatedClient& connect() {
    model::Peer peer{.port = 49'384, .address = {127, 0, 0, 1}};
    std::string_view("127.0.0.1").copy(peer.ip.data(), peer.ip.size());
    model::Connection* const connection = model_.open(peer);
    auto session = decorator_->around_session(make_session(width_, context_, *connection), width_,
                                              context_, *connection);
    clients_.push_back(
        std::make_unique<SimulatedClient>(SimulatedClient{connection, std::move(session)}));
    return *clients_.back();
  }

  /// Gives bytes to a client's session; deliveries go to the outputs of their recipients.
  void feed(SimulatedClient& client, base::ByteView bytes) {
    client.in.append(bytes);
    resume(client);
  }

  void resume(SimulatedClient& client) {
    std::vector<Delivery> deliveries;
    client.state = client.session->process(client.in, client.out, deliveries);
    for (const Delivery& delivery : deliveries) {
      for (const auto& other : clients_) {
        if (other->connection->number == delivery.recipient)
          other->out.append(delivery.frame->view());
      }
    }
  }

  /// Everything the client was sent since the last call, as hex.
  static std::string take(SimulatedClient& client) {
    std::string hex = base::to_hex(client.out.view());
    client.out.clear();
    return hex;
  }

  /// Request in hex, reply in hex.
  std::string exchange(SimulatedClient& client, std::string_view request) {
    feed(client, base::from_hex(request).value());
    return take(client);
  }

 private:
  protocol::Width width_;
  protocol::Readings readings_;
  model::Model model_;
  SessionContext context_;
  std::shared_ptr<const Decorator> decorator_;
  std::vector<std::unique_ptr<SimulatedClient>> clients_;
};

/// True if hex agrees with a pattern in which `..` stands for any byte.
inline bool matches(std::string_view hex, std::string_view pattern) {
  if (hex.size() != pattern.size()) return false;
  for (std::size_t i = 0; i < hex.size(); ++i) {
    if (pattern[i] != '.' && pattern[i] != hex[i]) return false;
  }
  return true;
}

}  // namespace hallmark::server::testing
