#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "clients/format.hpp"
#include "clients/serve/message.hpp"
#include "protocol/codec/decode.hpp"
#include "protocol/record.hpp"
#include "reference/session/session.hpp"

namespace hallmark::clients {

/// The reference server of a stream dialect, without sockets: answers request by request, so that
/// each message is known for what it is. No clock: callers say what time it is.
class StreamService {
 public:
  /// `format` outlives it. The same seed and connections give the same ids.
  StreamService(const Format& format, std::uint64_t seed, model::Time now);
  StreamService(const StreamService&) = delete;
  StreamService& operator=(const StreamService&) = delete;

  /// Time does not go back.
  void advance(model::Time now) { state_->model.advance(now); }

  /// A connection was made; returns its number, counted from 1. 0: there are too many.
  std::uint64_t open(const model::Peer& peer);
  /// It has ended. What it left unanswered is lost.
  void close(std::uint64_t connection);

  /// Bytes that came on a connection.
  void receive(std::uint64_t connection, base::ByteView bytes);

  /// The result of one answer. `messages`: the reply and the deliveries that it caused, in the
  /// order in which they are sent; a request that is answered by silence has a reply without bytes.
  struct Answer {
    std::vector<Message> messages{};
    bool is_request = true;  ///< false: the bytes in front are not one
    bool ends = false;       ///< the server ends this connection behind it
  };
  /// Answers the next whole request of a connection. Nothing: it has not sent one.
  std::optional<Answer> answer_next(std::uint64_t connection);

  /// Returns the bytes of a request that has not come whole so far.
  base::ByteView unanswered(std::uint64_t connection) const;

  /// Another client, whom nobody sees, asks for something. Returns the deliveries to others.
  /// Precondition: the dialect has the operation, and the record its fields.
  std::vector<Message> ask_as_another(const protocol::Operation& operation,
                                      const protocol::Record& record);

  /// Starts again as after a crash: without records and connections. The numbering goes on.
  void restart(model::Time now);

  const Format& format() const { return format_; }

 private:
  struct Connection {
    model::Connection* known;  ///< to the model
    std::unique_ptr<server::Session> session;
    protocol::ByteBuffer received{};
    protocol::ByteBuffer to_session{};
    protocol::ByteBuffer from_session{};
    std::optional<protocol::Decoder> decoder{};  ///< of the request in front
    const protocol::Operation* operation = nullptr;
    std::uint64_t messages = 0;
    bool ended = false;
  };

  /// The number of the client that nobody sees.
  static constexpr std::uint64_t another = 0;

  Connection* add(std::uint64_t number, const model::Peer& peer);
  /// The size of the whole request in front; 0: more is needed. Nothing: it is not a request.
  std::optional<std::size_t> whole_request(Connection& connection);
  Answer answer_bytes(std::uint64_t number, Connection& connection, std::size_t size);
  std::vector<Message> take_deliveries();

  /// The state that is lost with the process.
  struct State {
    State(const Format& format, std::uint64_t seed, model::Time now);
    model::Model model;
    server::SessionContext context;
  };

  const Format& format_;
  std::uint64_t seed_;
  std::unique_ptr<State> state_;
  std::map<std::uint64_t, Connection> connections_;
  std::map<std::uint64_t, std::uint64_t> by_model_;  ///< the model's number to that of here
  std::uint64_t opened_ = 0;
  std::vector<server::Delivery> deliveries_;
};

}  // namespace hallmark::clients
