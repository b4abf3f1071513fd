#pragma once
#include <memory>
#include <span>
#include <vector>

#include "loadgen/drivers/datagram/keys.hpp"
#include "loadgen/drivers/datagram/requests.hpp"
#include "oracle/limit_oracle.hpp"
#include "reports/load/datagram_load.hpp"

namespace hallmark::loadgen::datagram {

/// The uses of one group of keys, as far as a worker knows them.
struct GroupUses {
  std::uint64_t sent = 0;
  std::uint64_t answered = 0;
  std::uint64_t over = 0;
};

/// Holds the keys of a worker to their limits. Times are nanoseconds from the start of the run.
class LimitWatch {
 public:
  LimitWatch(const Keys& keys, oracle::OverWhen over_when);

  /// Returns the number that `answered` and the others want to have.
  std::uint64_t sent(std::uint32_t key, std::int64_t at_ns);
  void answered(std::uint32_t key, std::uint64_t use, std::int64_t sent_ns,
                std::int64_t received_ns, const UseSaid& said);
  /// It timed out; whatever comes later is not judged.
  void unanswered(std::uint32_t key, std::uint64_t use);
  /// The system refused to send it.
  void not_sent(std::uint32_t key, std::uint64_t use);
  /// A use whose reply cannot be read was counted all the same.
  void unreadable(std::uint32_t key, std::uint64_t use);
  /// A reply to a use that had timed out: it was counted.
  void late(std::uint32_t key, const std::optional<UseSaid>& said);
  void repeated(std::uint32_t key);

  /// The findings. `doubled`: a reply came twice in this run, so requests may have come twice, too.
  /// Then a finding is undecided if so few uses explain it that each of the uses before could be
  /// one of them.
  reports::LimitChecks checks(bool doubled) const;
  /// Uses of a group of keys; null where there were none.
  const GroupUses* uses_of(std::uint32_t group) const noexcept {
    return watched_[group] ? &watched_[group]->uses : nullptr;
  }

 private:
  struct Watched {
    Watched(const protocol::ratelimit::Limit& limit, const oracle::Assumptions& assumptions)
        : oracle(limit, assumptions) {}
    oracle::LimitOracle oracle;
    GroupUses uses;
  };

  Watched& watched(std::uint32_t key);
  void note(const KeyGroup& group, const oracle::Finding& finding);
  void check_limit(const KeyGroup& group, const UseSaid& said, std::int64_t sent_ns,
                   std::int64_t received_ns);

  const Keys& keys_;
  oracle::OverWhen over_when_;
  std::vector<std::unique_ptr<Watched>> watched_;  ///< by group
  reports::LimitChecks checks_;
  reports::LimitChecks explicable_;  ///< findings that doubled requests may explain
};

/// The sum of what several workers found.
void add(reports::LimitChecks& sum, const reports::LimitChecks& more);

}  // namespace hallmark::loadgen::datagram
