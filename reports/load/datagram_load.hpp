#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hallmark::reports {

/// The ends of the request ids of a run over datagrams, warm-up included. Each is counted when it
/// happens; none is the difference of others.
struct DatagramCounts {
  std::uint64_t planned = 0;
  std::uint64_t shed = 0;      ///< never given to the system: too late, or too many waited
  std::uint64_t not_sent = 0;  ///< the system refused to send
  std::uint64_t sent = 0;
  // Requests that were sent, by id:
  std::uint64_t received = 0;   ///< answered in time, and as the protocol says
  std::uint64_t malformed = 0;  ///< answered with something else
  std::uint64_t late = 0;       ///< answered after the timeout
  std::uint64_t lost = 0;       ///< not answered until the end
  // Datagrams that came:
  std::uint64_t datagrams = 0;
  std::uint64_t duplicate = 0;   ///< to an id that had been answered
  std::uint64_t unmatched = 0;   ///< to an id that was never sent, or sent longer ago than is kept
  std::uint64_t unreadable = 0;  ///< without an id
  bool operator==(const DatagramCounts&) const = default;
};

/// Errors that the system reported for the client's sockets.
struct SocketTrouble {
  std::uint64_t would_block = 0;  ///< EAGAIN: the send buffer was full
  std::uint64_t no_buffers = 0;   ///< ENOBUFS
  std::uint64_t refused = 0;      ///< ECONNREFUSED: nobody listens
  std::uint64_t other = 0;        ///< anything else
  std::uint64_t receive_overflow =
      0;  ///< replies the system dropped for want of room (SO_RXQ_OVFL)
  bool operator==(const SocketTrouble&) const = default;
};

/// The target's own count of uses, compared with what was sent and answered. Only of keys whose
/// statistics the rules keep and that nobody else can have used.
struct ServerCounts {
  std::uint64_t keys = 0;         ///< asked for
  std::uint64_t unanswered = 0;   ///< of them
  std::uint64_t disagreeing = 0;  ///< of them
  std::uint64_t n_req = 0;        ///< the target's, of all that answered
  std::uint64_t at_least = 0;     ///< uses answered: each was counted
  std::uint64_t at_most = 0;      ///< uses sent: no other can have been
  std::string example = {};       ///< one line: a key that disagrees
  bool operator==(const ServerCounts&) const = default;
};

/// One use of a key, in nanoseconds from the start of the run.
struct LimitedUse {
  std::uint64_t sent_ns = 0;
  std::uint64_t received_ns = 0;
  bool over = false;
  double rate = 0;  ///< as the target said
  bool operator==(const LimitedUse&) const = default;
};

/// A window of time that proves a target wrong about the limit of a key.
struct LimitFinding {
  std::string kind;  ///< "over-admission", "under-admission", "rate", "limit"
  std::string key;   ///< that uses are counted under
  std::uint64_t from_ns = 0, to_ns = 0;
  std::uint64_t admitted = 0;  ///< in the window
  std::uint64_t allowed = 0;   ///< over-admission: at most so many; under-admission: at least
  std::string reason;          ///< one line
  std::vector<LimitedUse> uses = {};  ///< the last of the window
  bool operator==(const LimitFinding&) const = default;
};

/// The findings of the limit oracle about the uses of a run.
struct LimitChecks {
  std::uint64_t uses = 0;       ///< judged
  std::uint64_t decided = 0;    ///< of them the evidence said whether they had to be admitted
  std::uint64_t unlimited = 0;  ///< of keys that no rule is for: not judged
  std::uint64_t over_admissions = 0;
  std::uint64_t under_admissions = 0;
  std::uint64_t wrong_rates = 0;
  std::uint64_t wrong_limits = 0;           ///< a reply that names another limit or period
  std::uint64_t undecided = 0;              ///< would be findings, had no datagram come twice
  std::vector<LimitFinding> findings = {};  ///< the first of each kind
  bool operator==(const LimitChecks&) const = default;
};

/// Results that only a run over datagrams has.
struct DatagramLoad {
  DatagramCounts counts;
  SocketTrouble trouble;
  std::uint64_t receive_buffer = 0;  ///< bytes, of each socket, as the system says
  std::string accounting_error;      ///< one line, internal: an id was not counted once; else empty
  std::optional<LimitChecks> limits;
  std::optional<ServerCounts> server;
  bool operator==(const DatagramLoad&) const = default;
};

/// Why the counts do not account for each id once; empty when they do.
std::string imbalance(const DatagramCounts& counts);

/// True if the target was shown to be wrong.
bool proven_wrong(const DatagramLoad& load);

}  // namespace hallmark::reports
