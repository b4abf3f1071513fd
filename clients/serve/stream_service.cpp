#include "clients/serve/stream_service.hpp"

#include <limits>

#include "protocol/codec/encode.hpp"
#include "reference/server/server.hpp"

namespace hallmark::clients {
namespace {

using protocol::Decoder;
using protocol::Layout;
using server::SessionState;

constexpr std::size_t most_connections = 1'024;
constexpr std::size_t most_keys = 1'000'000;
constexpr std::size_t most_value_bytes = std::size_t{1} << 20;
constexpr std::size_t most_stored_bytes = std::size_t{256} << 20;

model::ModelOptions options_of(const Format& format, std::uint64_t seed, model::Time now) {
  model::ModelOptions options;
  options.value_bytes = static_cast<unsigned>(protocol::bytes_of(format.width));
  options.started_at = now;
  options.seed = seed;
  options.version = std::string(server::version());
  options.limits.max_keys = most_keys;
  options.limits.max_value_bytes = most_value_bytes;
  options.limits.max_connections = most_connections;
  options.limits.max_buffer_bytes = most_stored_bytes;
  options.behaviour = model::behaviour_of(format.readings);
  return options;
}

}  // namespace

StreamService::State::State(const Format& format, std::uint64_t seed, model::Time now)
    : model(options_of(format, seed, now)),
      context{model, format.readings, most_value_bytes,
              // The host holds unsent bytes: a session is never throttled.
              std::numeric_limits<std::size_t>::max()} {}

StreamService::StreamService(const Format& format, std::uint64_t seed, model::Time now)
    : format_(format), seed_(seed), state_(std::make_unique<State>(format, seed, now)) {}

void StreamService::restart(model::Time now) {
  connections_.clear();
  by_model_.clear();
  state_ = std::make_unique<State>(format_, ++seed_, now);
}

StreamService::Connection* StreamService::add(std::uint64_t number, const model::Peer& peer) {
  model::Connection* const known = state_->model.open(peer);
  if (known == nullptr) return nullptr;
  by_model_[known->number] = number;
  auto session = server::make_session(format_.width, state_->context, *known);
  return &connections_.emplace(number, Connection{known, std::move(session)}).first->second;
}

std::uint64_t StreamService::open(const model::Peer& peer) {
  return add(opened_ + 1, peer) == nullptr ? 0 : ++opened_;
}

void StreamService::close(std::uint64_t number) {
  const auto found = connections_.find(number);
  if (found == connections_.end()) return;
  by_model_.erase(found->second.known->number);
  state_->model.close(*found->second.known);
  connections_.erase(found);
}

void StreamService::receive(std::uint64_t number, base::ByteView bytes) {
  const auto found = connections_.find(number);
  if (found != connections_.end()) found->second.received.append(bytes);
}

base::ByteView StreamService::unanswered(std::uint64_t number) const {
  const auto found = connections_.find(number);
  return found == connections_.end() ? base::ByteView{} : found->second.received.view();
}

std::optional<std::size_t> StreamService::whole_request(Connection& connection) {
  const base::ByteView bytes = connection.received.view();
  if (!connection.decoder) {
    connection.operation = protocol::operation_of(format_.dialect(), bytes);
    if (connection.operation == nullptr) return std::nullopt;
    connection.decoder.emplace(
        Layout::request(*connection.operation, format_.width, format_.readings),
        protocol::DecodeOptions{.refuse_unlisted = false});
  }
  switch (connection.decoder->resume(bytes)) {
    case Decoder::State::need_more: return 0;
    case Decoder::State::complete: return connection.decoder->size();
    case Decoder::State::malformed: return std::nullopt;
  }
  return std::nullopt;
}

std::optional<StreamService::Answer> StreamService::answer_next(std::uint64_t number) {
  const auto found = connections_.find(number);
  if (found == connections_.end()) return std::nullopt;
  Connection& connection = found->second;
  if (connection.ended || connection.received.empty()) return std::nullopt;
  const auto size = whole_request(connection);
  if (size && *size == 0) return std::nullopt;
  connection.decoder.reset();
  if (!size) connection.operation = nullptr;
  Answer answer = answer_bytes(number, connection, size ? *size : 1);
  answer.is_request = size.has_value();
  return answer;
}

/// The model's session decides about bytes that are not a request: one at a time is shown to it.
StreamService::Answer StreamService::answer_bytes(std::uint64_t number, Connection& connection,
                                                  std::size_t size) {
  Answer answer;
  Message reply;
  reply.connection = number;
  reply.operation = connection.operation;
  const base::ByteView request = connection.received.view().first(size);
  reply.request.assign(request.begin(), request.end());
  connection.to_session.append(request);
  connection.received.consume(size);
  const SessionState state =
      connection.session->process(connection.to_session, connection.from_session, deliveries_);
  connection.ended = answer.ends = state == SessionState::finished;
  const base::ByteView made = connection.from_session.view();
  reply.bytes.assign(made.begin(), made.end());
  connection.from_session.clear();
  reply.number = ++connection.messages;
  reply.last = connection.received.empty();
  connection.operation = nullptr;
  answer.messages.push_back(std::move(reply));
  for (Message& delivery : take_deliveries()) answer.messages.push_back(std::move(delivery));
  return answer;
}

std::vector<Message> StreamService::take_deliveries() {
  std::vector<Message> taken;
  for (const server::Delivery& delivery : deliveries_) {
    const auto known = by_model_.find(delivery.recipient);
    if (known == by_model_.end() || known->second == another) continue;
    Message message;
    message.connection = known->second;
    message.number = ++connections_.at(known->second).messages;
    const base::ByteView frame = delivery.frame->view();
    message.bytes.assign(frame.begin(), frame.end());
    message.push = protocol::push_of(format_.dialect(), frame);
    taken.push_back(std::move(message));
  }
  deliveries_.clear();
  return taken;
}

std::vector<Message> StreamService::ask_as_another(const protocol::Operation& operation,
                                                   const protocol::Record& record) {
  const auto found = connections_.find(another);
  Connection* const asking = found == connections_.end() ? add(another, {}) : &found->second;
  const auto bytes =
      protocol::encode(Layout::request(operation, format_.width, format_.readings), record);
  if (asking == nullptr || !bytes) return {};
  asking->to_session.append(*bytes);
  asking->session->process(asking->to_session, asking->from_session, deliveries_);
  asking->from_session.clear();
  return take_deliveries();
}

}  // namespace hallmark::clients
