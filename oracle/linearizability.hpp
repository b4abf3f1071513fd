#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "oracle/record_specification.hpp"

/// Decides if one order of all operations explains what clients saw of records. In it, each
/// operation takes effect at one time between its invocation and its return (Herlihy and Wing,
/// 1990).
///
/// The search is that of Wing and Gong (1993), with Lowe's improvements (2017): operations in a
/// linked list from which those that have taken effect are lifted, and a set of the configurations,
/// operations done and state, that were seen to lead nowhere. Records are independent of each
/// other, so each key is decided by itself (locality). The problem is NP-complete: bounds end a
/// search that takes too long, and then the outcome is that it is not decided.
namespace hallmark::oracle {

/// The bounds of the search for one key.
struct SearchBounds {
  std::uint64_t most_steps = 20'000'000;            ///< operations tried at a place in an order
  std::size_t most_bytes = std::size_t{256} << 20;  ///< of configurations remembered
};

enum class HistoryVerdict : std::uint8_t {
  linearizable,
  violated,   ///< no order explains it
  undecided,  ///< a bound was met before it was known
};

/// The order in which requests of one connection take effect that are in flight together: the order
/// in which they were sent, or any.
enum class ClientOrder : std::uint8_t { as_sent, any };

/// The finding about the history of one key.
struct HistoryFinding {
  /// The largest number of states that a dead end is shown with.
  static constexpr std::size_t most_states = 8;

  HistoryVerdict verdict = HistoryVerdict::linearizable;
  std::uint32_t key = 0;
  std::uint64_t steps = 0;
  std::string_view bound = {};  ///< of what is undecided: "steps" or "memory"
  /// The operation that no order gets past in a violation, by its position among those given. Every
  /// order that fits what returned before its return fails to place it.
  std::size_t stuck_at = 0;
  /// The states that the record can have then, at most `most_states` of them.
  std::vector<RecordState> states = {};
};

/// Decides histories of single keys. Not for use by two threads at once.
class LinearizabilityChecker {
 public:
  explicit LinearizabilityChecker(const RecordRules& rules,
                                  ClientOrder order = ClientOrder::as_sent,
                                  SearchBounds bounds = {})
      : specification_(rules), order_(order), bounds_(bounds) {}

  /// `operations` are of one key. `initial`: what the record can be before them; not empty.
  HistoryFinding check(std::span<const RecordOperation> operations,
                       std::span<const RecordState> initial) const;

  /// The same for a record that does not exist at first.
  HistoryFinding check(std::span<const RecordOperation> operations) const;

  /// Everything that the record can be after the operations, all of which have returned; none,
  /// where they are a violation. Nothing where a bound was met, which here holds for the number of
  /// states, too.
  std::optional<std::vector<RecordState>> states_after(std::span<const RecordOperation> operations,
                                                       std::span<const RecordState> initial) const;

  /// Each key of a history by itself, in ascending order of the keys; positions are those in
  /// `history`. Memory: besides the bounds, which hold for one key at a time, in proportion to the
  /// history.
  std::vector<HistoryFinding> check_keys(std::span<const RecordOperation> history) const;

 private:
  RecordSpecification specification_;
  ClientOrder order_;
  SearchBounds bounds_;
};

}  // namespace hallmark::oracle
