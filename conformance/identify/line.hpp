#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "conformance/drivers/stream/network.hpp"
#include "conformance/drivers/stream/wire_format.hpp"

namespace hallmark::conformance {

/// Requests that go behind another one: nothing else resembles their replies, so what stands before
/// those is the reply to the other, whatever its layout. They remove what they store.
class Fence {
 public:
  /// Makes fences for a target that speaks 6.0 or later in `format`, which outlives this. Nobody
  /// else uses keys that begin with `key`.
  Fence(const WireFormat& format, std::string key);

  /// The requests of one more fence. Each INSERT has a key of its own, so that a target that keeps
  /// what is purged gives the same replies.
  base::Bytes next();
  /// The replies to each fence.
  const base::Bytes& replies() const { return replies_; }
  /// PURGEs of all keys that fences have stored so far.
  base::Bytes removals() const;

 private:
  std::string key_of(std::size_t insert) const;

  const WireFormat& format_;
  std::string key_;
  std::size_t inserts_ = 0;
  base::Bytes replies_;
};

/// The end of what came on a line.
enum class Ending : std::uint8_t {
  fenced,   ///< the target has no more to say
  closed,   ///< by the target; also where the connection was reset or could not be made
  silent,   ///< until the deadline, or until the run was over
  endless,  ///< more came than any reply needs
};

struct Heard {
  base::Bytes bytes;
  Ending ending = Ending::silent;
};

/// Returns true once `stop` is set, which may be null.
bool is_over(Network& network, const std::atomic<bool>* stop);

/// A connection to a target of which little is known, opened again when it was closed.
class Line {
 public:
  static constexpr std::size_t most_bytes = std::size_t{4} << 20;

  /// Waits for nothing beyond `until`, nor once `stop` is set; null: nobody does.
  Line(Network& network, Time until, const std::atomic<bool>* stop = nullptr)
      : network_(network), until_(until), stop_(stop) {}

  /// Error: why there is no connection.
  base::Expected<void, std::string> open();

  void send(base::ByteView bytes);

  /// Waits for bytes and appends them to `heard`. How it ended; nothing while it goes on.
  std::optional<Ending> hear(base::Bytes& heard) { return hear(heard, until_); }
  std::optional<Ending> hear(base::Bytes& heard, Time until);

  /// The reply to `request`, which may be several or none. Bytes that came before are part of it.
  /// Closes the connection if the fence does not come.
  Heard ask(base::ByteView request, Fence& fence) { return ask(request, fence, until_); }
  Heard ask(base::ByteView request, Fence& fence, Time until);

  void close() { link_.reset(); }

  /// Says that nothing more is sent, and gives the target a moment to take what was.
  void finish();

 private:
  Arrival receive(base::Bytes& heard, Time until);

  Network& network_;
  Time until_;
  const std::atomic<bool>* stop_;
  std::unique_ptr<Link> link_;
};

}  // namespace hallmark::conformance
