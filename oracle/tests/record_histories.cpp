#include "oracle/tests/record_histories.hpp"

#include <algorithm>
#include <numeric>

namespace hallmark::oracle::testing {
namespace {

/// A record that is done to at one time after the other, written without the specification.
class Counter {
 public:
  void answer(RecordOperation& operation, std::int64_t at_ns) {
    if (ends_ns_ <= at_ns) quota_.reset();
    operation.reply = RecordReply::success;
    switch (operation.action) {
      case RecordAction::insert:
        if (quota_) break;
        quota_ = operation.argument;
        ends_ns_ = operation.ttl_ns == never_ns ? never_ns : at_ns + operation.ttl_ns;
        return;
      case RecordAction::query:
        if (!quota_) break;
        operation.told = quota_;
        return;
      case RecordAction::increase:
        if (!quota_) break;
        *quota_ += operation.argument;
        return;
      case RecordAction::decrease:
        if (!quota_ || *quota_ < operation.argument) break;
        *quota_ -= operation.argument;
        return;
      default:
        if (!quota_) break;
        quota_.reset();
        return;
    }
    operation.reply = RecordReply::failure;
  }

 private:
  std::optional<std::uint64_t> quota_;
  std::int64_t ends_ns_ = never_ns;
};

std::uint64_t up_to(std::mt19937_64& random, std::uint64_t most) { return random() % (most + 1); }

struct Timed {
  std::int64_t done_ns;
  std::size_t operation;
};

void answer_in_order(RecordHistory& history, std::vector<Timed> times) {
  std::ranges::stable_sort(times, {}, &Timed::done_ns);
  Counter counter;
  for (const Timed& one : times) counter.answer(history[one.operation], one.done_ns);
}

bool in_time(const RecordHistory& history, const std::vector<std::size_t>& order,
             ClientOrder clients) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t later = i + 1; later < order.size(); ++later) {
      const RecordOperation& first = history[order[i]];
      const RecordOperation& second = history[order[later]];
      if (second.returned_ns < first.invoked_ns) return false;
      const bool swapped = first.client == second.client && order[later] < order[i];
      if (swapped && clients == ClientOrder::as_sent) return false;
    }
  }
  return true;
}

/// A state, and the time that it cannot be before.
struct StateInTime {
  RecordState state;
  std::int64_t at_ns;
};

/// Returns true if the operation can have been done in time if it finds the record there, or gone.
/// Then `at_ns` is the earliest time for it.
bool in_time_for(const RecordState& before, bool gone, const RecordOperation& operation,
                 std::int64_t& at_ns) {
  at_ns = std::max(at_ns, operation.invoked_ns);
  if (before.kind == RecordState::Kind::absent) return at_ns <= operation.returned_ns;
  if (gone) at_ns = std::max(at_ns, before.ends_from_ns);
  return at_ns <= operation.returned_ns && (gone || at_ns < before.ends_by_ns);
}

/// Returns true if times alone let the operation find the record there, or gone.
bool may_find(const RecordState& before, bool gone, const RecordOperation& operation) {
  if (before.kind == RecordState::Kind::absent) return !gone;
  return gone ? before.ends_from_ns != never_ns && operation.returned_ns >= before.ends_from_ns
              : operation.invoked_ns < before.ends_by_ns;
}

/// The states after an operation of which it is known whether it finds the record there, or gone.
std::vector<RecordState> states_after(const RecordSpecification& specification,
                                      const RecordState& before, bool gone,
                                      const RecordOperation& operation) {
  RecordState found = gone ? RecordState{} : before;
  found.ends_from_ns = found.ends_by_ns = never_ns;
  std::vector<RecordState> all;
  const RecordSuccessors successors = specification.after(found, operation);
  for (RecordState after : successors.states()) {
    if (!gone && after.kind == found.kind && after.ends_from_ns == never_ns) {
      after.ends_from_ns = before.ends_from_ns;
      after.ends_by_ns = before.ends_by_ns;
    }
    all.push_back(after);
  }
  return all;
}

bool fits(const RecordHistory& history, const std::vector<std::size_t>& order,
          const RecordRules& rules, bool timed) {
  const RecordSpecification specification(rules);
  std::vector<StateInTime> states{{RecordState{}, 0}};
  for (const std::size_t at : order) {
    std::vector<StateInTime> next;
    for (const auto& [before, since_ns] : states) {
      for (const bool gone : {false, true}) {
        std::int64_t at_ns = since_ns;
        if (!may_find(before, gone, history[at])) continue;
        if (!in_time_for(before, gone, history[at], at_ns) && timed) continue;
        for (const RecordState& after : states_after(specification, before, gone, history[at]))
          next.push_back({after, at_ns});
      }
    }
    states = std::move(next);
  }
  return !states.empty();
}

/// Returns true if the chosen operations of a client are not the first ones that it sent.
bool has_gap(const RecordHistory& history, const std::vector<std::size_t>& chosen) {
  for (const std::size_t at : chosen) {
    for (std::size_t earlier = 0; earlier < at; ++earlier) {
      if (history[earlier].client == history[at].client &&
          std::ranges::find(chosen, earlier) == chosen.end())
        return true;
    }
  }
  return false;
}

bool some_order_of(const RecordHistory& history, std::vector<std::size_t> chosen,
                   const RecordRules& rules, ClientOrder order, bool timed) {
  if (order == ClientOrder::as_sent && has_gap(history, chosen)) return false;
  do {
    if (in_time(history, chosen, order) && fits(history, chosen, rules, timed)) return true;
  } while (std::ranges::next_permutation(chosen).found);
  return false;
}

}  // namespace

RecordOperation at(std::uint32_t client, std::int64_t invoked_ns, std::int64_t returned_ns,
                   RecordOperation operation) {
  operation.client = client;
  operation.invoked_ns = invoked_ns;
  operation.returned_ns = returned_ns;
  return operation;
}

RecordOperation unknown(RecordAction action, std::uint64_t argument) {
  RecordOperation operation;
  operation.action = action;
  operation.argument = argument;
  return operation;
}

RecordOperation succeeded(RecordAction action, std::uint64_t argument) {
  RecordOperation operation = unknown(action, argument);
  operation.reply = RecordReply::success;
  return operation;
}

RecordOperation failed(RecordAction action, std::uint64_t argument) {
  RecordOperation operation = unknown(action, argument);
  operation.reply = RecordReply::failure;
  return operation;
}

RecordOperation told(RecordAction action, std::uint64_t value) {
  RecordOperation operation = succeeded(action);
  operation.told = value;
  return operation;
}

namespace {

RecordHistory random_operations(std::mt19937_64& random, std::size_t operations,
                                std::size_t clients, std::size_t wrong, bool ending) {
  constexpr RecordAction actions[] = {RecordAction::insert, RecordAction::query,
                                      RecordAction::increase, RecordAction::decrease,
                                      RecordAction::purge};
  RecordHistory history;
  std::vector<Timed> times;
  std::vector<std::int64_t> free(clients, 0);
  for (std::size_t i = 0; i < operations; ++i) {
    const auto client = static_cast<std::uint32_t>(up_to(random, clients - 1));
    RecordOperation one = unknown(actions[up_to(random, 4)], up_to(random, 2));
    one.client = client;
    if (ending && one.action == RecordAction::insert)
      one.ttl_ns = static_cast<std::int64_t>(1 + up_to(random, 60));
    one.invoked_ns = free[client] + static_cast<std::int64_t>(up_to(random, 10));
    one.returned_ns = one.invoked_ns + 1 + static_cast<std::int64_t>(up_to(random, 30));
    // Now and then one is sent before the reply to the one before it has come.
    free[client] = up_to(random, 3) == 0 ? one.invoked_ns : one.returned_ns;
    times.push_back({one.invoked_ns +
                         static_cast<std::int64_t>(up_to(
                             random, static_cast<std::uint64_t>(one.returned_ns - one.invoked_ns))),
                     i});
    history.push_back(one);
  }
  answer_in_order(history, times);
  for (std::size_t i = 0; i < wrong; ++i) {
    RecordOperation& one = history[up_to(random, operations - 1)];
    if (one.told) {
      one.told = up_to(random, 4);
    } else {
      one.reply = one.reply == RecordReply::success ? RecordReply::failure : RecordReply::success;
    }
  }
  for (RecordOperation& one : history) {
    if (up_to(random, 9) != 0) continue;
    one.returned_ns = never_ns;
    if (up_to(random, 1) == 0) one.reply = RecordReply::none;
  }
  return history;
}

}  // namespace

RecordHistory random_history(std::mt19937_64& random, std::size_t operations, std::size_t clients,
                             std::size_t wrong) {
  return random_operations(random, operations, clients, wrong, false);
}

RecordHistory random_ending_history(std::mt19937_64& random, std::size_t operations,
                                    std::size_t clients, std::size_t wrong) {
  return random_operations(random, operations, clients, wrong, true);
}

RecordHistory busy_counter(std::uint64_t seed, std::size_t operations, std::size_t clients,
                           std::uint64_t most) {
  std::mt19937_64 random(seed);
  RecordHistory history{at(0, 0, 1, succeeded(RecordAction::insert, 1000))};
  std::vector<Timed> times{{1, 0}};
  std::vector<std::int64_t> free(clients, 2);
  while (history.size() < operations) {
    const auto next = std::ranges::min_element(free);
    constexpr RecordAction actions[] = {RecordAction::query, RecordAction::increase,
                                        RecordAction::decrease};
    RecordOperation one = unknown(actions[up_to(random, 2)], 1 + up_to(random, most - 1));
    one.client = static_cast<std::uint32_t>(next - free.begin());
    one.invoked_ns = *next;
    const auto took = static_cast<std::int64_t>(50 + up_to(random, 100));
    one.returned_ns = one.invoked_ns + took;
    *next = one.returned_ns + 1 + static_cast<std::int64_t>(up_to(random, 5));
    times.push_back({one.invoked_ns +
                         static_cast<std::int64_t>(up_to(random, static_cast<std::uint64_t>(took))),
                     history.size()});
    history.push_back(one);
  }
  answer_in_order(history, times);
  return history;
}

bool some_order_fits(const RecordHistory& history, const RecordRules& rules, ClientOrder order,
                     bool in_time) {
  std::vector<std::size_t> must;
  std::vector<std::size_t> may;
  for (std::size_t i = 0; i < history.size(); ++i)
    (history[i].returned() ? must : may).push_back(i);
  for (std::size_t choice = 0; choice < std::size_t{1} << may.size(); ++choice) {
    std::vector<std::size_t> chosen = must;
    for (std::size_t i = 0; i < may.size(); ++i) {
      if ((choice >> i & 1) != 0) chosen.push_back(may[i]);
    }
    std::ranges::sort(chosen);
    if (some_order_of(history, chosen, rules, order, in_time)) return true;
  }
  return false;
}

}  // namespace hallmark::oracle::testing
