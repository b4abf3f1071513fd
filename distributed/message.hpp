#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/bytes.hpp"
#include "base/error.hpp"

/// Messages between the ranks of a run. Times are nanoseconds of a rank's own clocks.
namespace hallmark::distributed {

// Messages to rank 0.

/// A rank is there. `refusal`: why it cannot take part, one line; empty if it can.
struct Hello {
  std::string host;
  std::vector<std::string> options;  ///< as the command line gave them
  std::string options_hash;          ///< of what they and the files that they name say
  std::string refusal;
};
/// The clocks when a Ping came.
struct Pong {
  std::int64_t steady_ns = 0;
  std::int64_t system_ns = 0;
};
/// All connections of the rank are open.
struct Connected {};
/// A second of the measured part; `tally` as loadgen::encode writes it.
struct Second {
  std::uint64_t second = 0;
  std::uint64_t length_ns = 0;
  base::Bytes tally;
};
/// By how much the rank moved the counters, as `encode` of counter_sums.hpp writes it. Comes before
/// Ended.
struct Moved {
  base::Bytes counters;
};
/// Every request of the rank has ended.
struct Ended {};
/// The run of the rank is over. `result`: JSON of what its tallies do not hold.
struct Finished {
  std::string result;
};
/// A signal asked the rank to end the run.
struct Interrupted {};
/// The last message of a rank.
struct Gone {};

// Any rank sends these to one that judges keys.

/// Observations of the keys that the receiver judges, as ObservationSender writes them. Everything
/// sent before `complete_ns` has been told; INT64_MAX: nothing more comes. Times are nanoseconds
/// from the start of the run.
struct Observed {
  std::int64_t complete_ns = 0;
  base::Bytes observations;
};

// Messages to rank 0, and from it to all ranks.

/// The rank has nothing else to say, and has not died.
struct Alive {};

// Messages from rank 0.

/// Asks what the receiver's clocks say.
struct Ping {};
/// Open your connections. The setup of the target may begin.
struct Prepare {
  std::string run;          ///< its name
  std::uint64_t nonce = 0;  ///< loadgen::Share::nonce
};
/// The plan begins at this time of the receiver's steady clock, give or take `bound_ns`.
struct Begin {
  std::int64_t steady_ns = 0;
  std::int64_t bound_ns = 0;
  std::int64_t system_ns = 0;  ///< the same, since 1970 by the clock of rank 0
};
/// Every request of every rank has ended.
struct AllEnded {};
/// Plan nothing more; tell what was measured. `lost`: not 0 if a rank died, which is not waited
/// for.
struct Stop {
  std::uint64_t lost = 0;
};
/// Rank 0 has the results of all. Until Leave it says nothing more: it reports.
struct Taken {};
/// The end, with the exit code of all.
struct Leave {
  std::uint64_t exit_code = 0;
};

using Message =
    std::variant<Hello, Pong, Connected, Second, Moved, Ended, Finished, Interrupted, Gone,
                 Observed, Alive, Ping, Prepare, Begin, AllEnded, Stop, Taken, Leave>;

base::Bytes encode(const Message& message);
/// Error: the bytes are not a message of this version.
base::Result<Message> decode(base::ByteView bytes);

}  // namespace hallmark::distributed
