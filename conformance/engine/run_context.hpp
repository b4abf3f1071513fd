#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "conformance/drivers/stream/network.hpp"
#include "conformance/drivers/stream/wire_format.hpp"
#include "conformance/engine/patience.hpp"
#include "conformance/engine/reply_times.hpp"
#include "conformance/judgement/refuted_causes.hpp"

namespace hallmark::conformance {

class Failures;

/// Why nothing more is asked of a target that was not started here.
enum class Loss : std::uint8_t { none, hangs, gone };

/// "the target hangs: it answers no new connection"; empty for `none`.
std::string in_words(Loss loss);

/// The state that all cases of a run share. Used by several threads.
struct RunContext {
  Network& network;
  const WireFormat& format;
  Patience& patience;
  /// Part of the names of keys that no other run may use.
  std::string nonce = "0";
  /// Nobody else uses the target.
  bool exclusive = false;
  /// A reply larger than this is malformed.
  std::size_t max_reply_bytes = std::size_t{16} << 20;

  /// Takes what failed; null: nobody cuts it down.
  Failures* failures = nullptr;

  /// Set from outside to end the run; null: nobody does.
  const std::atomic<bool>* stop = nullptr;

  /// The run ends by then, whatever is left to play: for targets that answer, but late.
  Time until = std::numeric_limits<Time>::max();

  /// Returns the length that a wait should have, in ns: what is left for it, or more if the usual
  /// reply takes longer. For that, a wait for the end of a connection that may go on gets a
  /// suspicious silence at most, and any other a fifth of the deadline.
  Time wanted(Patience::For what) const {
    const Time left = patience.allowance(what);
    const Time usual = reply_times.usual();
    if (what == Patience::For::farewells) return std::min(suspicion(), std::max(2 * usual, left));
    return std::max(left, std::min(4 * usual, patience.deadline() / 5));
  }

  static Shared curtailed_by(Patience::For what) {
    switch (what) {
      case Patience::For::replies: return Shared::curtailed;
      case Patience::For::deliveries: return Shared::curtailed_deliveries;
      case Patience::For::farewells: return Shared::curtailed_farewells;
    }
    return Shared::curtailed;
  }

  /// The target is a process that can be started afresh.
  bool started_here() const { return network.supervisor() != nullptr; }

  Loss given_up() const {
    const auto known = static_cast<std::uint64_t>(loss.load());
    return static_cast<Loss>(network.shared(Shared::lost, known));
  }
  void give_up(Loss why) {
    Loss before = Loss::none;
    loss.compare_exchange_strong(before, why);
  }
  /// The case was being played when the target was lost, and had sent that last.
  void suspect(const std::string& case_and_bytes) {
    const std::lock_guard lock(mutex);
    suspects.insert(case_and_bytes);
  }

  /// ns; a silence that is longer than the usual reply so far by a large factor. Never more than
  /// the deadline.
  Time suspicion() const {
    constexpr Time least = 500'000'000;
    constexpr Time factor = 16;
    const Time slowness = std::max(least, factor * reply_times.usual()) - least;
    return std::min(patience.deadline(), least + network.shared(Shared::slowness, slowness));
  }

  /// After so many failures in a row to remove what cases leave behind, the run stops trying, until
  /// it meets another process: that one may answer.
  static constexpr unsigned most_failed_tidying = 3;
  void tidy_process(unsigned generation) {
    if (tidied_process.exchange(generation) != generation) failed_tidying = 0;
  }
  bool untidy() const {
    return network.shared(Shared::untidy, failed_tidying >= most_failed_tidying) != 0;
  }

  /// Notes of a case that its failure says little: it may have met what others left behind, on a
  /// process of which nothing is removed any more, or has waited less than sure waits for a reply.
  void note_unsure(const std::string& id) {
    const std::lock_guard lock(mutex);
    unsure.insert(id);
  }

  /// Notes of a case that it waited in vain while another one owed the target the rest of a
  /// request.
  void note_owed(const std::string& id) {
    const std::lock_guard lock(mutex);
    beside_owed.insert(id);
  }

  /// The replies to a case when it was played last; not those to what cleans up behind it.
  void note_replies(const std::string& id, std::size_t replies) {
    const std::lock_guard lock(mutex);
    replies_in[id] = replies;
  }

  bool overdue() const { return network.now() >= until; }
  bool stopped() const { return network.is_over((stop != nullptr && stop->load()) || overdue()); }
  /// Returns how long the next wait may be in vain, in ns: less and less.
  Time allowance(Patience::For what = Patience::For::replies) const {
    if (given_up() != Loss::none) return patience.floor(what);
    const Time full = patience.deadline();
    const Time curtailed = full - std::min(full, wanted(what));
    return full - std::min(full, network.shared(curtailed_by(what), curtailed));
  }
  /// Returns true if no request was ever answered, and no time is left for waits in vain.
  bool hopeless() const {
    return network.shared(Shared::hopeless, patience.exhausted() && !answered_anything()) != 0;
  }
  /// Returns a number that no other request of the run has.
  std::uint64_t next_serial() { return network.shared(Shared::serial, ++serial); }

  /// True if fences can be trusted; the sanity case finds that out.
  std::atomic<bool> fences{true};
  /// The harmless request of the canary was answered before all cases: a silence means something.
  bool canary_sings = true;
  /// It was answered beside another connection of ours: the target serves several at a time.
  bool serves_several = true;
  /// It answered nobody while it waited for the rest of a request, and did so afterwards.
  std::atomic<bool> waits_for_half_requests{false};
  void note_waiting() {
    waits_for_half_requests = true;
    failed_tidying = 0;
  }
  bool serves_beside_half_requests() const {
    return serves_several && network.shared(Shared::waits, waits_for_half_requests) == 0;
  }
  /// Requests of which a part was sent, and whose rest waits for what others say: meanwhile, a
  /// target may let everybody wait, and does not hang.
  std::atomic<unsigned> halves{0};
  bool waits_with_rest() const { return network.shared(Shared::halves, halves) != 0; }
  /// It answered requests one by one that it had not answered when they came together.
  std::atomic<bool> answers_apart{false};
  bool answers_together() const { return network.shared(Shared::apart, answers_apart) == 0; }
  /// The sanity case's opinion of what is wrong with the target as a whole; set before other
  /// threads run.
  std::string likely_cause{};
  /// True for an opcode if the target has answered such a request at least once.
  std::array<std::atomic<bool>, 256> answered{};
  bool answered_anything() const {
    return std::ranges::any_of(answered, [](const auto& one) { return one.load(); });
  }
  std::atomic<std::uint64_t> serial{0};
  ReplyTimes reply_times{};
  std::atomic<unsigned> tidied_process{0};  ///< the supervisor's number of it
  std::atomic<unsigned> failed_tidying{0};  ///< in a row
  std::atomic<unsigned> playing{0};         ///< cases
  std::atomic<Loss> loss{Loss::none};
  std::map<std::string, std::size_t> replies_in{};  ///< by the id of a case
  std::set<std::string> unsure{};                   ///< ids of cases
  std::set<std::string> beside_owed{};              ///< ids of cases
  mutable std::mutex mutex{};
  std::set<std::string> suspects{};
  RefutedCauses refuted{};
};

/// Counts among a number of the run as long as it lives: the cases that are played
/// (`RunContext::playing`), the requests whose rest is owed (`RunContext::halves`).
class Counted {
 public:
  explicit Counted(std::atomic<unsigned>& number) : number_(number) { ++number_; }
  ~Counted() { --number_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  std::atomic<unsigned>& number_;
};

}  // namespace hallmark::conformance
