#include "oracle/linearizability_search.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace hallmark::oracle {
namespace {

constexpr std::size_t word_bits = 64;
constexpr std::uint64_t full = ~std::uint64_t{0};

void add_once(std::vector<RecordState>& states, const RecordState& state) {
  if (std::ranges::find(states, state) == states.end()) states.push_back(state);
}

}  // namespace

LinearizabilitySearch::LinearizabilitySearch(std::span<const RecordOperation> operations,
                                             const RecordSpecification& specification,
                                             ClientOrder order, SearchBounds bounds)
    : operations_(operations),
      specification_(specification),
      bounds_(bounds),
      seen_(bounds.most_bytes),
      returns_(operations.size(), none),
      sent_before_(operations.size(), none),
      awaited_(operations.size(), false),
      bits_(operations.size()) {
  list_events();
  number_operations();
  note_ends();
  if (order == ClientOrder::any) return;
  std::map<std::uint32_t, std::uint32_t> last;
  for (std::uint32_t i = 0; i < operations_.size(); ++i) {
    const auto [found, first] = last.try_emplace(operations_[i].client, i);
    if (first) continue;
    const std::uint32_t before = std::exchange(found->second, i);
    sent_before_[i] = before;
    awaited_[before] = operations_[i].invoked_ns <= operations_[before].returned_ns;
  }
}

// An operation that returns at the time at which another is invoked may still overlap it.
void LinearizabilitySearch::list_events() {
  struct Moment {
    std::int64_t at_ns;
    bool returns;
    std::uint32_t operation;
  };
  std::vector<Moment> moments;
  for (std::uint32_t i = 0; i < operations_.size(); ++i) {
    moments.push_back({operations_[i].invoked_ns, false, i});
    if (operations_[i].returned()) moments.push_back({operations_[i].returned_ns, true, i});
  }
  std::ranges::stable_sort(moments, {},
                           [](const Moment& one) { return std::pair(one.at_ns, one.returns); });
  events_.resize(moments.size() + 1);
  for (std::uint32_t i = 0; i < events_.size(); ++i) {
    const auto count = static_cast<std::uint32_t>(events_.size());
    events_[i] = {none, (i + count - 1) % count, (i + 1) % count, true};
    if (i == 0) continue;
    const Moment& moment = moments[i - 1];
    events_[i].operation = moment.operation;
    events_[i].call = !moment.returns;
    if (moment.returns) returns_[moment.operation] = i;
  }
}

void LinearizabilitySearch::number_operations() {
  left_ = static_cast<std::size_t>(
      std::ranges::count_if(operations_, [](const auto& one) { return one.returned(); }));
  open_from_ = (left_ + word_bits - 1) / word_bits;
  const std::size_t open = operations_.size() - left_;
  done_.assign(open_from_ + (open + word_bits - 1) / word_bits, 0);
  auto closed_bit = std::uint32_t{0};
  auto open_bit = static_cast<std::uint32_t>(open_from_ * word_bits);
  for (const Event& event : events_) {
    if (event.operation == none || !event.call) continue;
    bits_[event.operation] = operations_[event.operation].returned() ? closed_bit++ : open_bit++;
  }
}

void LinearizabilitySearch::note_ends() {
  for (const RecordOperation& one : operations_)
    last_ns_ = std::max({last_ns_, one.invoked_ns, one.returned() ? one.returned_ns : 0});
  can_end_ = std::ranges::any_of(operations_, [&](const RecordOperation& one) {
    return one.ttl_ns != never_ns && one.invoked_ns <= last_ns_ - one.ttl_ns;
  });
}

bool LinearizabilitySearch::run(const RecordState& initial, bool all) {
  state_ = initial;
  if (initial.ends_from_ns <= last_ns_) can_end_ = true;
  if (!is_new(initial)) return bound_.empty();
  for (bool forward = true; forward || !placed_.empty();) {
    if (forward && left_ == 0) {
      if (ends_.size() == most_ends) bound_ = "states";
      add_once(ends_, state_);
      if (!all) return true;
      forward = false;
    } else if (forward) {
      list_candidates();
      forward = place_for_free() || place_next();
    } else {
      forward = take_back();
    }
    if (!bound_.empty()) return false;
  }
  candidates_.clear();
  return true;
}

/// Lists the operations that were invoked before the first return that is left. The first to return
/// comes first: it has the least time left to take effect.
void LinearizabilitySearch::list_candidates() {
  const std::size_t begin = candidates_.size();
  std::uint32_t event = events_[0].after;
  for (; events_[event].call; event = events_[event].after) {
    if (may_go_next(events_[event].operation)) candidates_.push_back(event);
  }
  deadline_ = event;
  const auto of_this = std::span(candidates_).subspan(begin);
  std::ranges::sort(of_this, {},
                    [&](std::uint32_t call) { return returns_[events_[call].operation]; });
  next_ = {.candidates = begin, .end = candidates_.size(), .at = begin};
}

bool LinearizabilitySearch::may_go_next(std::uint32_t operation) const {
  return sent_before_[operation] == none || marked(sent_before_[operation]);
}

RecordSuccessors LinearizabilitySearch::after(std::uint32_t operation) {
  if (++steps_ > bounds_.most_steps) bound_ = "steps";
  return specification_.after(state_, operations_[operation]);
}

/// Places an operation that changes nothing and can take effect now, if there is one. No order is
/// lost by that: all that fits later fits then, too.
bool LinearizabilitySearch::place_for_free() {
  for (std::size_t i = next_.candidates; i < candidates_.size(); ++i) {
    const std::uint32_t operation = events_[candidates_[i]].operation;
    if (!operations_[operation].changes_nothing()) continue;
    const RecordSuccessors successors = after(operation);
    if (successors.states().size() != 1 || successors.states().front() != state_) continue;
    next_.at = i;
    next_.free = true;
    place(successors.states().front());
    return true;
  }
  return false;
}

/// Returns true if an operation that returns earlier would do just the same in the candidate's
/// place; then that one goes first. Returns false if records may end meanwhile: what an operation
/// finds then depends on when it was under way.
bool LinearizabilitySearch::has_stand_in(std::size_t candidate) const {
  const std::uint32_t operation = events_[candidates_[candidate]].operation;
  const RecordOperation& one = operations_[operation];
  if (can_end_ || awaited_[operation] || one.ttl_ns != never_ns) return false;
  for (std::size_t i = next_.candidates; i < candidate; ++i) {
    const RecordOperation& other = operations_[events_[candidates_[i]].operation];
    if (other.action == one.action && other.argument == one.argument && other.reply == one.reply &&
        other.told == one.told && other.ttl_ns == never_ns)
      return true;
  }
  return false;
}

/// The next operation takes effect in the next way that was not seen to lead nowhere.
bool LinearizabilitySearch::place_next() {
  for (; next_.at < candidates_.size(); ++next_.at, next_.branch = 0) {
    if (has_stand_in(next_.at)) continue;
    const std::uint32_t operation = events_[candidates_[next_.at]].operation;
    const RecordSuccessors successors = after(operation);
    mark(operation);
    for (; next_.branch < successors.states().size(); ++next_.branch) {
      if (!is_new(successors.states()[next_.branch])) continue;
      unmark(operation);
      place(successors.states()[next_.branch]);
      return true;
    }
    unmark(operation);
  }
  note_dead_end();
  candidates_.resize(next_.candidates);
  return false;
}

void LinearizabilitySearch::place(const RecordState& state) {
  const std::uint32_t event = candidates_[next_.at];
  const std::uint32_t operation = events_[event].operation;
  next_.earlier = state_;
  next_.deadline = deadline_;
  placed_.push_back(next_);
  state_ = state;
  lift(event);
  mark(operation);
  if (operations_[operation].returned()) --left_;
}

/// Undoes what was placed last, and places what else could have been there.
bool LinearizabilitySearch::take_back() {
  next_ = placed_.back();
  placed_.pop_back();
  candidates_.resize(next_.end);
  const std::uint32_t event = candidates_[next_.at];
  const std::uint32_t operation = events_[event].operation;
  put_back(event);
  unmark(operation);
  if (operations_[operation].returned()) ++left_;
  state_ = next_.earlier;
  deadline_ = next_.deadline;
  if (next_.free) {
    candidates_.resize(next_.candidates);
    return false;
  }
  ++next_.branch;
  return place_next();
}

/// Returns true if this set of finished operations, with this record, has not been visited before.
bool LinearizabilitySearch::is_new(const RecordState& state) {
  configuration_.assign({low_, static_cast<std::uint64_t>(state.kind), state.content,
                         static_cast<std::uint64_t>(state.ends_from_ns),
                         static_cast<std::uint64_t>(state.ends_by_ns)});
  const auto word = [&](std::size_t at) { return done_.begin() + static_cast<std::ptrdiff_t>(at); };
  configuration_.insert(configuration_.end(), word(open_from_), done_.end());
  if (high_ > low_) configuration_.insert(configuration_.end(), word(low_), word(high_));
  const ConfigurationSet::Added added = seen_.add(configuration_);
  if (added == ConfigurationSet::Added::no_room) bound_ = "memory";
  return added == ConfigurationSet::Added::fresh;
}

void LinearizabilitySearch::lift(std::uint32_t event) {
  const auto unlink = [&](std::uint32_t one) {
    events_[events_[one].before].after = events_[one].after;
    events_[events_[one].after].before = events_[one].before;
  };
  unlink(event);
  const std::uint32_t back = returns_[events_[event].operation];
  if (back != none) unlink(back);
}

void LinearizabilitySearch::put_back(std::uint32_t event) {
  const auto link = [&](std::uint32_t one) {
    events_[events_[one].before].after = one;
    events_[events_[one].after].before = one;
  };
  const std::uint32_t back = returns_[events_[event].operation];
  if (back != none) link(back);
  link(event);
}

void LinearizabilitySearch::note_dead_end() {
  if (deadline_ < stuck_event_) return;
  if (deadline_ > stuck_event_) stuck_states_.clear();
  stuck_event_ = deadline_;
  stuck_at_ = events_[deadline_].operation;
  if (stuck_states_.size() < HistoryFinding::most_states) add_once(stuck_states_, state_);
}

void LinearizabilitySearch::mark(std::uint32_t operation) {
  const std::size_t word = bits_[operation] / word_bits;
  done_[word] |= std::uint64_t{1} << (bits_[operation] % word_bits);
  if (word >= open_from_) return;
  high_ = std::max(high_, word + 1);
  while (low_ < open_from_ && done_[low_] == full) ++low_;
}

void LinearizabilitySearch::unmark(std::uint32_t operation) {
  const std::size_t word = bits_[operation] / word_bits;
  done_[word] &= ~(std::uint64_t{1} << (bits_[operation] % word_bits));
  if (word >= open_from_) return;
  low_ = std::min(low_, word);
  while (high_ > 0 && done_[high_ - 1] == 0) --high_;
}

bool LinearizabilitySearch::marked(std::uint32_t operation) const {
  return (done_[bits_[operation] / word_bits] >> (bits_[operation] % word_bits) & 1) != 0;
}

}  // namespace hallmark::oracle
