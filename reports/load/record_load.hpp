#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hallmark::reports {

/// A request that a violation rests on, and its reply. Times are nanoseconds from the start of the
/// run, warm-up included.
struct RecordExchange {
  std::uint64_t connection = 0;     ///< a socket of the run
  std::uint64_t request_index = 0;  ///< in the run
  std::uint64_t sent_ns = 0;
  std::optional<std::uint64_t> received_ns = {};  ///< nothing: no reply came in time
  std::string request;                            ///< in hexadecimal, the first 256 bytes
  std::string reply;                              ///< likewise
  bool operator==(const RecordExchange&) const = default;
};

/// An answer of a target about a record that is impossible.
struct RecordViolation {
  std::string key;
  std::string reason;                          ///< one line
  std::vector<std::string> drawing = {};       ///< lines for a font of one width
  std::vector<RecordExchange> exchanges = {};  ///< in order of sending
  bool operator==(const RecordViolation&) const = default;
};

/// The findings about the records of a run over streams, warm-up included.
struct RecordChecks {
  std::uint64_t keys = 0;       ///< watched: all of their requests were held against each other
  std::uint64_t requests = 0;   ///< of those, judged
  std::uint64_t given_up = 0;   ///< keys that were never at rest: watched in the beginning only
  std::uint64_t undecided = 0;  ///< keys with too many orders to try
  std::uint64_t violated = 0;   ///< keys for which no order of the requests explains the replies
  std::uint64_t inserts = 0;    ///< INSERTs of keys that are not watched, and that succeeded
  std::uint64_t inserts_twice = 0;   ///< of those, on a record that another had inserted
  std::uint64_t counters = 0;        ///< read back at the end
  std::uint64_t counters_wrong = 0;  ///< of those, not what was added and taken away
  std::vector<RecordViolation> violations = {};  ///< the first ones
  bool operator==(const RecordChecks&) const = default;
};

/// True if a record was shown to be wrong.
inline bool proven_wrong(const RecordChecks& checks) {
  return checks.violated != 0 || checks.inserts_twice != 0 || checks.counters_wrong != 0;
}

}  // namespace hallmark::reports
