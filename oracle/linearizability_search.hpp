#pragma once
#include "oracle/configuration_set.hpp"
#include "oracle/linearizability.hpp"

namespace hallmark::oracle {

/// One search over one key's operations; used once.
class LinearizabilitySearch {
 public:
  LinearizabilitySearch(std::span<const RecordOperation> operations,
                        const RecordSpecification& specification, ClientOrder order,
                        SearchBounds bounds);

  /// Goes on from `initial` until an order is found, or with `all` until there is none left. False:
  /// a bound was met.
  bool run(const RecordState& initial, bool all);

  /// The states with which the orders that were found end.
  const std::vector<RecordState>& ends() const { return ends_; }
  std::uint64_t steps() const { return steps_; }
  std::string_view bound() const { return bound_; }

  /// The latest return that was not got past, and the states met there.
  std::size_t stuck_at() const { return stuck_at_; }
  const std::vector<RecordState>& stuck_states() const { return stuck_states_; }

 private:
  static constexpr std::size_t most_ends = 256;
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// An invocation or a return, in order of time; of one that never returns there is no return.
  struct Event {
    std::uint32_t operation;
    std::uint32_t before;
    std::uint32_t after;
    bool call;
  };
  /// A place in the order: what can take it, what does, and what it was like before.
  struct Placed {
    std::size_t candidates = 0;  ///< in `candidates_`
    std::size_t end = 0;
    std::size_t at = 0;  ///< the candidate that is placed
    std::size_t branch = 0;
    bool free = false;           ///< nothing else has to be tried in this place
    std::uint32_t deadline = 0;  ///< the first return that is left
    RecordState earlier = {};
  };

  void list_events();
  void number_operations();
  void note_ends();
  void list_candidates();
  bool may_go_next(std::uint32_t operation) const;
  RecordSuccessors after(std::uint32_t operation);
  bool place_for_free();
  bool has_stand_in(std::size_t candidate) const;
  bool place_next();
  void place(const RecordState& state);
  bool is_new(const RecordState& state);
  bool take_back();
  void lift(std::uint32_t event);
  void put_back(std::uint32_t event);
  void note_dead_end();
  void mark(std::uint32_t operation);
  void unmark(std::uint32_t operation);
  bool marked(std::uint32_t operation) const;

  std::span<const RecordOperation> operations_;
  const RecordSpecification& specification_;
  SearchBounds bounds_;
  ConfigurationSet seen_;

  std::vector<Event> events_;               ///< from 1; 0 is the head of the list
  std::vector<std::uint32_t> returns_;      ///< by operation: its return, or none
  std::vector<std::uint32_t> sent_before_;  ///< by operation: the one that has to go first, or none
  std::int64_t last_ns_ = 0;                ///< when something was invoked or returned last
  bool can_end_ = false;                    ///< a record may, before that
  std::vector<bool> awaited_;  ///< by operation: one of its client was sent before it returned
  std::vector<std::uint32_t> bits_;  ///< by operation: its place in `done_`
  /// Bits of the operations placed. Those that return are in order of invocation, so that all but a
  /// window of them are either all set or all clear; the others are behind `open_from_`.
  std::vector<std::uint64_t> done_;
  std::size_t open_from_ = 0;
  std::size_t low_ = 0;   ///< all words before are full
  std::size_t high_ = 0;  ///< all words from here to `open_from_` are empty

  RecordState state_;
  std::vector<Placed> placed_;
  Placed next_;
  std::vector<std::uint32_t> candidates_;  ///< calls, of all places one behind the other
  std::uint32_t deadline_ = 0;
  std::size_t left_ = 0;  ///< operations that return and are not placed
  std::vector<std::uint64_t> configuration_;

  std::vector<RecordState> ends_;
  std::uint64_t steps_ = 0;
  std::string_view bound_;
  std::uint32_t stuck_event_ = 0;
  std::size_t stuck_at_ = 0;
  std::vector<RecordState> stuck_states_;
};

}  // namespace hallmark::oracle
