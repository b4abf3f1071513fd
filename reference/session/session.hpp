#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "protocol/codec/byte_buffer.hpp"
#include "protocol/readings.hpp"
#include "reference/model/model.hpp"

namespace hallmark::server {

/// A publication on its way to one subscriber.
struct Delivery {
  std::uint64_t recipient;  ///< number of the connection
  std::uint64_t owner;      ///< the note that the server left with that connection
  std::shared_ptr<const protocol::ByteBuffer> frame;
};

/// The parts that the sessions of one server share. The model, whose behaviour is that of the
/// readings, and the readings must outlive them.
struct SessionContext {
  model::Model& model;
  const protocol::Readings& readings;
  std::size_t max_value_bytes = std::size_t{1} << 20;  ///< for SET's value and PUBLISH's payload
  std::size_t max_output_bytes = std::size_t{1}
                                 << 20;  ///< unsent replies before it stops answering
};

enum class SessionState : std::uint8_t {
  reading,    ///< everything whole was answered; it waits for more bytes
  throttled,  ///< it stopped answering because of the output; call again when that has been sent
  finished,   ///< bytes that are no request: send the output, then close the connection
};

/// One connection's half of the protocol: bytes in, reply bytes and deliveries out. No socket, no
/// clock (the model is advanced by the caller) and no memory of its own: bytes of a request that is
/// not whole stay in the caller's buffer, and of a request too large to hold nothing is kept at
/// all.
class Session {
 public:
  Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  virtual ~Session() = default;

  /// Answers the whole requests at the front of `in`, in order, and consumes them. Replies go to
  /// the end of `out`, what others are to receive to the end of `deliveries`.
  virtual SessionState process(protocol::ByteBuffer& in, protocol::ByteBuffer& out,
                               std::vector<Delivery>& deliveries) = 0;
};

/// A session of the dialect that the context's readings are of; null when it does not have that
/// width. `connection` belongs to the context's model and outlives it.
std::unique_ptr<Session> make_session(protocol::Width width, const SessionContext& context,
                                      model::Connection& connection);

}  // namespace hallmark::server
