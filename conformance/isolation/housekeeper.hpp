#pragma once

#include <limits>
#include <optional>

#include "conformance/drivers/stream/conversation.hpp"

namespace hallmark::conformance {

/// A connection beside those of a case: removes keys, and puts a round trip between two segments.
/// Opened when first needed, replaced when it breaks and, once one has broken that was answered
/// before, after as many requests. A target that serves one connection at a time keeps it no longer
/// than each use.
class Housekeeper {
 public:
  explicit Housekeeper(RunContext& context);

  /// Removes records, named by the fields of a PURGE, whether they exist or not. A target that does
  /// not answer that fails no case, which is about something else. When that happens several times
  /// in a row, nothing more is removed from this process. Returns false if it did not answer.
  bool purge(std::span<const protocol::Record> records);
  /// The same between two parts of a request. A target that lets others wait for the rest of it is
  /// waited for briefly: meanwhile it answers no other case.
  bool purge_beside_half_a_request(std::span<const protocol::Record> records);

  /// A round trip of a harmless request: what was sent on other connections before has left us in a
  /// segment of its own. It may be part of a request: as `purge_beside_half_a_request`. Does
  /// nothing where the target serves one connection at a time, or waits for the rest of a request
  /// before it serves others. Returns false if it did not answer.
  bool barrier();

  /// Returns true if the target still answers a connection that did nothing wrong.
  bool answers();
  /// The same of the process that did not answer before: a new one says nothing about it.
  bool is_answered_again();

  /// Returns true if this process took requests and did not answer them: it may still do what they
  /// say, in the middle of a case that has the same keys.
  bool is_owed_answers() const { return owed_answers_; }

  /// Closes the connection; the next use opens another.
  void leave() {
    conversation_.reset();
    answered_ = 0;
  }

 private:
  enum class Outcome : std::uint8_t {
    done,         ///< each was answered, and nothing else came
    failed,       ///< on a connection
    unreachable,  ///< there was no connection
  };

  /// Leaves a process that has ended for the one that was started after it.
  void meet_process();
  /// Leaves a connection that would break of so many more requests.
  void leave_in_time(std::size_t requests);
  Conversation& conversation();
  std::vector<Outgoing> purges_of(std::span<const protocol::Record> records) const;
  enum class Asked : std::uint8_t { together, one_by_one };
  using Wait = Conversation::Wait;
  Outcome exchange(std::span<const Outgoing> requests, Wait wait, Asked how = Asked::one_by_one);
  /// Returns false if the target took the requests, and did not answer them.
  bool tidy(std::span<const Outgoing> requests, Wait wait);

  RunContext& context_;
  Outgoing harmless_;
  std::optional<Conversation> conversation_;
  std::size_t answered_ = 0;  ///< requests on the connection
  /// Requests that a connection bears: as many as were answered on the one that broke soonest.
  std::size_t lasts_for_ = std::numeric_limits<std::size_t>::max();
  bool owed_answers_ = false;
  unsigned generation_ = 0;  ///< the process of a supervised target that it is connected to
};

}  // namespace hallmark::conformance
