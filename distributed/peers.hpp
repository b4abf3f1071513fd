#pragma once
#include <cstdint>
#include <optional>

#include "base/bytes.hpp"

namespace hallmark::distributed {

/// A message that has come, and the rank that sent it.
struct Envelope {
  std::uint32_t from = 0;
  base::Bytes bytes;
};

/// The processes of one run, numbered from 0: their ranks. All that a run asks of the way they are
/// connected; MPI is one such way. Used by one thread.
class Peers {
 public:
  virtual ~Peers() = default;
  virtual std::uint32_t rank() const = 0;  ///< of this process
  virtual std::uint32_t size() const = 0;
  /// Returns at once. Messages from one rank to another arrive in their order; a rank may send to
  /// itself. A message to a rank that has died is lost.
  virtual void send(std::uint32_t to, base::Bytes message) = 0;
  /// A message that has come; nothing if none has. Brings forward what is being sent.
  virtual std::optional<Envelope> receive() = 0;
};

}  // namespace hallmark::distributed
