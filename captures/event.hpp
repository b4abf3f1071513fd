#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/bytes.hpp"
#include "protocol/codec/layout.hpp"

/// A transcript consists of these events, in the order in which they are told. Each request is
/// followed at once by its reply or by the reason why there is none. Pushes and findings stand
/// where they came.
namespace hallmark::captures {

using base::Bytes;
using base::ByteView;

/// Since the first packet of the capture.
using Time = std::chrono::nanoseconds;

enum class Side : std::uint8_t { client, server };

/// "client" or "server".
constexpr std::string_view name_of(Side side) { return side == Side::client ? "client" : "server"; }

constexpr Side opposite(Side side) { return side == Side::client ? Side::server : Side::client; }

/// Part of the bytes that one side of a connection sent.
struct Stretch {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  bool operator==(const Stretch&) const = default;
};

/// A complete message.
struct Message {
  protocol::Layout layout;
  Bytes bytes;
  std::uint64_t offset = 0;  ///< its first byte's place among the bytes of its side
  std::optional<Time> at;    ///< when its last byte came; none without a capture
};

struct Request {
  Message message;
  std::uint64_t number;  ///< from 1 on each connection
  /// The reading under which it would be answered, where the readings at hand leave it unanswered.
  std::optional<protocol::When> answered_under;
};

struct Reply {
  Message message;
  std::uint64_t number;  ///< the number of its request
  /// The time from the last byte of the request to the last byte of the reply, as captured.
  std::optional<Time> latency;
  /// True if the pairing rests on a guess, because the capture lacks what came before.
  bool guessed = false;
};

struct Push {
  Message message;
  std::uint64_t awaiting;  ///< the request whose reply was due next; 0: none
};

enum class FindingKind : std::uint8_t {
  // Faults: something could not be decoded, or paired, or is wrong.
  malformed,      ///< bytes that are not the message they should be
  truncated,      ///< a message whose end never came
  unanswered,     ///< a request without its reply
  unasked,        ///< bytes of the server that no request asked for
  mismatched,     ///< a reply that repeats the id of another request
  unlisted,       ///< a value that its field does not list
  contradictory,  ///< fields of one message that say the opposite of each other
  missing,        ///< bytes that were sent, and are not in the capture
  undecoded,      ///< bytes passed over after one of the above
  conflicting,    ///< a retransmission with other bytes than the first
  damaged,        ///< the capture itself is incomplete
  // Remarks: nothing is lost.
  retransmitted,
  reordered,
  ambiguous,  ///< a message that could have been taken for another one
  resumed,    ///< decoding goes on behind a place where it had lost its way
};

/// Returns the name used in reports, for example "unanswered".
std::string_view name_of(FindingKind kind);
constexpr bool is_fault(FindingKind kind) { return kind < FindingKind::retransmitted; }

struct Finding {
  FindingKind kind;
  Side side = Side::client;
  Stretch where;             ///< its place among the bytes of that side
  std::string reason;        ///< one line
  Bytes bytes = {};          ///< the first of the bytes it is about
  std::uint64_t number = 0;  ///< the request that it is about; 0: none
  std::optional<Time> at = {};
  /// The layout that the bytes were read by; `bytes` then hold as much of the message as there was.
  std::optional<protocol::Layout> layout = {};
};

/// The evidence by which client and server of a connection were told apart.
enum class Evidence : std::uint8_t { handshake, port, decoding, port_order };

std::string_view name_of(Evidence evidence);
constexpr bool is_guess(Evidence evidence) { return evidence >= Evidence::decoding; }

struct Opened {
  std::string client, server;  ///< ADDRESS:PORT, [IPV6]:PORT
  Time at;
  Evidence evidence;
  bool from_beginning;  ///< the capture holds its first bytes
};

struct Closed {
  std::string how;  ///< "the client closed the connection", "the capture ends"
  Time at;
};

/// One thing that happened. Layouts refer to the Format it was decoded by.
struct Event {
  std::uint32_t connection;  ///< from 1; 0: bytes that came without a connection
  std::variant<Opened, Request, Reply, Push, Finding, Closed> what;
};

using Sink = std::function<void(const Event&)>;

}  // namespace hallmark::captures
